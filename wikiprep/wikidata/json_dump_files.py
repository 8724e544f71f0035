"""The files of a Wikidata JSON dump, looked at before hours of work: what is another kind of file is named.

And whether the dump has items of a wiki, told from its beginning, since reading all of it takes hours. It begins with
its best known items, and a wiki of Wikimedia is named in the first of them. What a beginning does not show may still
come: only a dump that was seen whole is refused, or one for a wiki that Wikidata cannot know.
"""

import glob
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wikiprep.compression import Compression
from wikiprep.dump.file_names import companion, part_of
from wikiprep.dump.range_bytes import read_chunks
from wikiprep.dump.ranges import Range, plan_ranges
from wikiprep.dump.source import is_html, is_remote, read_head, size_of
from wikiprep.errors import UsageError, WikiprepError

_WIDE = (b"\xff\xfe", b"\xfe\xff", b"[\0", b"\0[", b"{\0", b"\0{")
_JSON_NAME = re.compile(r"\.(?:json|jsonl|ndjson)(?=$|\.)")
_COMPRESSED = re.compile(r"\.(?:bz2|gz|xz|zst)$")
_HINT = "take latest-all.json.bz2 from dumps.wikimedia.org/wikidatawiki/entities"
SAMPLE = 32 << 20  # unpacked bytes, some 2,000 of the best known items
_SITE = re.compile(rb'"site"\s*:\s*"([a-z_]+)"')


@dataclass(frozen=True)
class EntityFile:
    """One file of the dump. `size` in bytes, as it lies on disk."""

    path: str
    size: int
    compression: Compression
    utf16: bool = False

    @property
    def splittable(self) -> bool:
        """Whether reading can begin anywhere in the file."""
        return self.compression in ("bz2", "plain") and not self.utf16


def find_files(location: str) -> list[EntityFile]:
    """The files that `location` (a file, a folder or a glob) names, by name.

    Raises WikiprepError for what is no dump.
    """
    paths = _expand(location)
    layouts: dict[str, str] = {}
    for path in paths:
        earlier = layouts.setdefault(_COMPRESSED.sub("", path), path)
        if earlier != path:
            raise WikiprepError(f"{earlier} and {path} are one file compressed in two ways", "give one of them")
    return [look_at(path) for path in paths]


def _expand(path_or_glob: str) -> list[str]:
    if is_remote(path_or_glob):
        return [path_or_glob]
    path = Path(path_or_glob)
    if path.is_dir():
        paths = sorted(
            str(p) for p in path.iterdir() if p.is_file() and _JSON_NAME.search(p.name) and not companion(p.name)
        )
        if not paths:
            raise UsageError(f"{path_or_glob}: the folder holds no JSON", "a Wikidata dump has .json in its name")
        return paths
    if not path.exists() and glob.has_magic(path_or_glob):
        paths = sorted(p for p in glob.glob(path_or_glob) if Path(p).is_file() and not companion(p))  # noqa: PTH207
        if not paths:
            raise UsageError(
                f"{path_or_glob}: matches no file", "check the pattern; quote it so that the shell leaves it"
            )
        return paths
    return [path_or_glob]


def look_at(path: str) -> EntityFile:
    """What the beginning of a file tells. Raises WikiprepError where it is not a dump of entities."""
    if what := companion(path):
        raise UsageError(f"{path}: is {what}, not a Wikidata dump of entities", f"give {part_of(path) or _HINT}")
    size = size_of(path)
    if size == 0:
        raise WikiprepError(f"{path}: is empty", "fetch it again")
    compression, head = read_head(path, limit=1 << 12)
    if not head:
        raise WikiprepError(f"{path}: damaged {compression} data at byte 0", "fetch it again and compare its checksum")
    if is_html(head):
        raise WikiprepError(f"{path}: is an HTML page, not a Wikidata dump", "the download failed: fetch it again")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    utf16 = head[:2] in _WIDE
    if not utf16 and start[:1] not in (b"[", b"{"):
        what = "XML" if start[:1] == b"<" else "an SQL dump" if re.match(rb"--\s|/\*!", start) else "not JSON"
        raise UsageError(f"{path}: is {what}, not a Wikidata dump of entities", _HINT)
    return EntityFile(path, size, compression, utf16)


def plan_entity_ranges(files: Sequence[EntityFile], range_bytes: int) -> list[Range]:
    """The grid of compressed bytes over every file, as for a dump of pages."""
    return plan_ranges(files, range_bytes)


@dataclass(frozen=True, slots=True)
class Beginning:
    """`found`: whether an item of the wiki was seen.

    `whole`: whether all of the dump was. `others`: the wikis that most items seen have a page in.
    """

    found: bool
    whole: bool
    others: tuple[str, ...]


def look_for(wiki: str, files: Sequence[EntityFile], sample: int = SAMPLE) -> Beginning:
    """Search the first `sample` unpacked bytes of the dump. Damage ends it: the reader of the dump will name it."""
    key, sites, remaining = b'"' + wiki.encode() + b'"', Counter[bytes](), sample
    for file in files:
        carried_over = b""
        chunks = read_chunks(Range(file.path, file.compression, 0, file.size, file.size))
        for chunk in chunks:
            if chunk.data is None:
                return Beginning(False, False, _most_frequent(sites))
            data = carried_over + chunk.data
            if key in data:
                return Beginning(True, False, ())
            sites.update(_SITE.findall(data))
            carried_over, remaining = data[-len(key) :], remaining - len(chunk.data)
            if remaining <= 0:
                return Beginning(False, False, _most_frequent(sites))
    return Beginning(False, True, _most_frequent(sites))


def _most_frequent(sites: Counter[bytes]) -> tuple[str, ...]:
    ordered = sorted(sites.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(name.decode() for name, _ in ordered[:3])
