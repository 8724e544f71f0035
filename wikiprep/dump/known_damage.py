"""Damage of a dump that is told before its pages are read: a build of hours should not find out in its last unit.

Exports of a certain time are known to have some, told by the header, the name and the first pages of a file. The
content exports name themselves as generator ("MediaWiki Content File Export 0.3.12"). Two faults of theirs: lines lost
their `|` (a `stripMargin` of Scala over the text, mended for the exports of November 2025), and pages edited between
the first of the month and the making of the export were left out (T431872, in those of up to August 2026). Neither can
be mended from the file. Sources: docs/build-corpus.md, "Where this was read".

Whether a file is cut is told from its end alone. bz2 says so for certain, plain XML by its closing tag, xz by its
footer. gz and zst keep no mark that can be read from the end, so a cut one is met when it is read.
"""

import html
import re
from pathlib import PurePosixPath

from wikiprep.compression import compression_of
from wikiprep.dump.bz2_blocks import BLOCK, END, bits, find_magics
from wikiprep.dump.file_names import parse_name
from wikiprep.dump.siteinfo import Siteinfo
from wikiprep.dump.source import open_bytes
from wikiprep.errors import WikiprepError

GENERATOR = "MediaWiki Content File Export"
BARS_WHOLE = "2025-11-01"  # date of the first export with every |
PAGES_WHOLE = "2026-09-01"  # of the first that is not known to leave pages out
_TEXT = re.compile(r'<text\b[^<>]{0,200}?\bbytes="(\d+)"[^<>]{0,200}(?<!/)>([^<]*)</text>')
_BAR_LINE = re.compile(r"^[ \t]*\|", re.M)
_WAY_OUT = "take a newer one"
_TAIL = 3_000_000  # bytes; two blocks of incompressible data
_XML_TAIL = 1 << 16


def known_damage(path: str, info: Siteinfo, head: str) -> tuple[str, ...]:
    """The damage in words, without the file's name; `head` is the beginning of its XML. Empty for sound dumps."""
    if not info.generator.startswith(GENERATOR):
        return ()
    parsed = parse_name(PurePosixPath(path).name)
    day = parsed.day if parsed else None
    lines = []
    lost_bars = _has_lost_bars(head)
    if lost_bars or (lost_bars is None and ((day is not None and day < BARS_WHOLE) or info.schema == "0.10")):
        lines.append(
            "content exports of before November 2025 lost every | at the start of a line, so that tables and templates "
            f"over several lines are garbled: {_WAY_OUT}"
        )
    history = parsed is not None and parsed.revisions is not None and parsed.revisions[0] != parsed.revisions[1]
    if day is not None and day < PAGES_WHOLE and not history:
        lines.append(
            "mediawiki_content_current of up to August 2026 left out pages that were edited between the first of the "
            f"month and the making of the export (Wikimedia's T431872): {_WAY_OUT}; --page-props counts them"
        )
    return tuple(lines)


def _has_lost_bars(head: str) -> bool | None:
    """Whether texts are shorter than they say; a line with | first in a text of the right length speaks against it.
    None where these pages do not tell."""
    is_shorter = False
    for stated_size, escaped in _TEXT.findall(head):
        text = html.unescape(escaped)
        size = len(text.encode("utf-8", "surrogatepass"))
        if size == int(stated_size) and _BAR_LINE.search(text):
            return False
        is_shorter |= size < int(stated_size)
    return True if is_shorter else None


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
