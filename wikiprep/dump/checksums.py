"""Checksum files beside a dump: `SHA256SUMS` of content exports, `…-sha1sums.txt` and `…-md5sums.txt` of classic ones.

They say which files a dump has, and what each must hash to. Only their names and lines are read here; the bytes of the
dump are hashed in the stage `inputs`, where they are read anyway.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from wikiprep.dump.file_names import parse_name
from wikiprep.dump.source import is_file, is_html, open_bytes
from wikiprep.errors import WikiprepError

_LINE = re.compile(r"\\?([0-9A-Fa-f]{32,128}) [ *](.+)")
_BSD = re.compile(r"(?:MD5|SHA1|SHA256) \((.+)\) = ([0-9A-Fa-f]{32,64})")
_ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256"}
_MOST_BYTES = 64 << 20  # a checksum file has a line a file


@dataclass(frozen=True, slots=True)
class ExpectedHash:
    """What a file must hash to by the checksum file `source`. `algorithm` as in hashlib, `digest` in lower-case hex."""

    algorithm: str
    digest: str
    source: str


@dataclass(frozen=True, slots=True)
class ChecksumFile:
    """A checksum file: `names` are those it has a line for, without folders."""

    path: str
    sums: dict[str, ExpectedHash]


def read_checksums(path: str) -> ChecksumFile:
    """The lines of one checksum file. Raises WikiprepError for what is none, with its line."""
    with open_bytes(path) as file:
        return parse_checksums(file.read(_MOST_BYTES), path)


def parse_checksums(data: bytes, path: str) -> ChecksumFile:
    """The same of the bytes of a list; `path` is its name or address."""
    if is_html(data):
        raise WikiprepError(
            f"{path}: is an HTML page, not a list of checksums", "the download failed: fetch it again, or remove it"
        )
    latest = "-latest-" in _split(path)[1]  # a link to the newest dump's list, which names files by its date
    sums: dict[str, ExpectedHash] = {}
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match, bsd = _LINE.fullmatch(line.rstrip()), _BSD.fullmatch(line.rstrip())
        digest, name = (match[1], match[2]) if match else (bsd[2], bsd[1]) if bsd else ("", "")
        if len(digest) not in _ALGORITHMS:
            raise WikiprepError(
                f"{path}, line {number}: is no checksum and file name: {line[:60]!r}",
                "fetch the checksums again, or remove the file: the dump is then not compared with it",
            )
        file_name = _split(name)[1]
        file_name = re.sub(r"-\d{8}-", "-latest-", file_name, count=1) if latest else file_name
        sums[file_name] = ExpectedHash(_ALGORITHMS[len(digest)], digest.lower(), path)
    return ChecksumFile(path, sums)


def checksums_beside(paths: Sequence[str]) -> list[ChecksumFile]:
    """The checksum files in the folders of `paths`, in a fixed order, the strongest algorithm first."""
    candidates = dict.fromkeys(chain.from_iterable(_candidates(path) for path in paths))
    return [read_checksums(path) for path in sorted(candidates, key=_strength) if _exists(path)]


def expected_of(path: str, files: Sequence[ChecksumFile]) -> ExpectedHash | None:
    """What the file must hash to; of several sums beside it the strongest. None where none names it."""
    folder, name = _split(path)
    return next((it.sums[name] for it in files if _split(it.path)[0] == folder and name in it.sums), None)


def _exists(path: str) -> bool:
    """A store that keeps a secret of what it does not have (S3 without leave to list) has no checksums for us."""
    try:
        return is_file(path)
    except WikiprepError:
        return False


def _candidates(path: str) -> list[str]:
    folder, name = _split(path)
    parsed = parse_name(name)
    names = ["SHA256SUMS", "SHA256SUMS.txt", "sha256sums.txt"]
    if parsed:
        names += [f"{parsed.wiki}-{parsed.date}-{algorithm}sums.txt" for algorithm in ("sha256", "sha1", "md5")]
    return [folder + it for it in names]


def _split(path: str) -> tuple[str, str]:
    """Folder with its last separator, and name."""
    at = max(path.rfind("/"), path.rfind("\\")) + 1
    return path[:at], path[at:]


def _strength(path: str) -> tuple[int, str]:
    low = _split(path)[1].lower()
    return next((i for i, name in enumerate(("sha256", "sha1", "md5")) if name in low), 3), path
