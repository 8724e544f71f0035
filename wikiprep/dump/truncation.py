"""Whether a dump file is cut, told from its end alone: a build of hours should not find out in its last unit.

bz2 says so for certain, plain XML by its closing tag, xz by its footer. gz and zst keep no mark that can be read from
the end, so a cut one is met when it is read.
"""

from wikiprep.compression import compression_of
from wikiprep.dump.bz2_blocks import BLOCK, END, bits, find_magics
from wikiprep.dump.source import open_bytes
from wikiprep.errors import WikiprepError

_TAIL = 3_000_000  # bytes; two blocks of incompressible data
_XML_TAIL = 1 << 16


def check_ending(path: str) -> None:
    """Raises WikiprepError for a bz2, xz or plain UTF-8 file that ends before its format does."""
    with open_bytes(path) as file:
        head = file.read(1 << 16)
        size = file.seek(0, 2)
        compression = compression_of(head)
        start = max(0, size - (_TAIL if compression == "bz2" else _XML_TAIL))
        file.seek(start)
        tail = file.read()
    cut = False
    if compression == "bz2":
        cut = _bz2_is_cut(tail)
    elif compression == "xz":
        cut = not tail.rstrip(b"\0").endswith(b"YZ")
    elif compression == "plain" and b"\0" not in head and b"<mediawiki" in head:
        cut = b"</mediawiki" not in tail
    if cut:
        raise WikiprepError(
            f"{path}: cut: it ends at byte {size:,} in the middle of its data",
            "fetch it again and compare its checksum, or keep what is there with --keep-damaged",
        )


def _bz2_is_cut(tail: bytes) -> bool:
    magics = find_magics(tail)
    if not magics:
        return False
    at, magic = magics[-1]
    if magic == BLOCK:
        return True  # no stream ends after it
    assert magic == END
    after = (at + 48 + 32 + 7) // 8
    return after > len(tail) or (tail[after : after + 3] == b"BZh" and bits(tail, after * 8 + 32, 48) != END)
