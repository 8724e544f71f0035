"""What the name of a dump's file says: wiki, date, layout, number, and the pages or revisions that it holds.

Or that it holds none and stands beside the parts: feeds, torrents, checksums, indexes, a download's notes. Their names
hold that of the part, so they come along wherever a folder or a pattern is given.

Two families of names: the classic `enwiki-20260901-pages-articles3.xml-p151574p311329.bz2`, and those of the content
exports, `enwiki-2026-11-01-p1p1147431.xml.bz2`, which are the same for current pages and for histories. A page that
fills a file has its revisions in the name, `…-p4r151r9042.xml.bz2`; several such files are one page's history.
Sources: docs/build-corpus.md, "Where this was read".
"""

import re
from dataclasses import dataclass
from pathlib import PurePath

_START = re.compile(r"(?P<wiki>[a-z][a-z0-9_]*)-(?P<date>\d{4}-\d\d-\d\d|\d{8}|latest)-(?P<rest>.+)")
_CONTENT = re.compile(r"(?P<span>p\d+(?:p\d+|r\d+r\d+))(?:-pages-meta-history)?\.xml(?:\.\w+)?")
_CLASSIC = re.compile(r"(?P<kind>(?:pages|stub)-[a-z-]*?)(?P<number>\d+)?\.xml(?:-(?P<span>p\d+p\d*))?(?:\.\w+)?")
_SPAN = re.compile(r"p(\d+)(?:p(\d*)|r(\d+)r(\d+))")
CONTENT = "content"
_SUM = r"(?:md5|sha(?:1|224|256|384|512))"
_KINDS = (
    (r"-rss\.xml$", "the feed that tells of a dump"),
    (r"\.torrent$", "a torrent"),
    (rf"(?:^|[-_.]){_SUM}sums?(?:-.*)?(?:\.txt|\.json)?$", "checksums"),
    (rf"\.{_SUM}(?:\.txt)?$", "checksums"),
    (r"\.(?:asc|sig|gpg)$", "a signature"),
    (r"-index\d*\.txt(?=$|[.-])", "the index of a multistream dump"),
    (r"\.(?:aria2|meta4|metalink)$", "a downloader's notes"),
)
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), what) for pattern, what in _KINDS]


@dataclass(frozen=True, slots=True)
class DumpName:
    """What the name of a dump's file says.

    `first` and `last` are page ids (`last` None: to the end), both None in the name of a whole dump; `revisions` the
    first and last revision where the file is one page's. `number` counts the parts of a classic layout from 1.
    """

    wiki: str
    date: str  # YYYYMMDD or "latest"
    kind: str  # CONTENT, or "pages-articles", "pages-articles-multistream", …
    number: int | None = None
    first: int | None = None
    last: int | None = None
    revisions: tuple[int, int] | None = None

    @property
    def layout(self) -> tuple[str, str, str, bool]:
        """Equal for the files that together are one copy of a dump, whatever they are compressed with."""
        return self.wiki, self.date, self.kind, self.number is not None

    @property
    def place(self) -> tuple[int, int, int, tuple[int, int]]:
        """Where the file stands in its layout: number, page ids, revisions."""
        return self.number or 0, self.first or 0, self.last or 0, self.revisions or (0, 0)

    @property
    def day(self) -> str | None:
        """The date as YYYY-MM-DD; None for "latest"."""
        return None if self.date == "latest" else f"{self.date[:4]}-{self.date[4:6]}-{self.date[6:]}"


def parse_name(name: str) -> DumpName | None:
    """What a file's name (without folders) says; None for a name that follows neither family's rule."""
    start = _START.fullmatch(name)
    if not start:
        return None
    wiki, date, rest = start["wiki"], start["date"].replace("-", ""), start["rest"]
    if match := _CONTENT.fullmatch(rest):
        first, last, revisions = _parse_span(match["span"])
        return DumpName(wiki, date, CONTENT, None, first, last, revisions)
    match = _CLASSIC.fullmatch(rest)
    if not match:
        return None
    span = _parse_span(match["span"]) if match["span"] else None
    number = int(match["number"]) if match["number"] else None
    return DumpName(wiki, date, match["kind"], number, span and span[0], span and span[1])


def _parse_span(span: str) -> tuple[int, int | None, tuple[int, int] | None]:
    match = _SPAN.fullmatch(span)
    assert match
    if match[3]:
        return int(match[1]), int(match[1]), (int(match[3]), int(match[4]))
    return int(match[1]), int(match[2]) if match[2] else None, None


def dump_date(name: str) -> str | None:
    """The date in a dump's file name (enwiki-20260901-…), as YYYY-MM-DD; None where there is none."""
    match = re.search(r"(?:^|-)(\d{4})-?(\d{2})-?(\d{2})-", name)
    return "-".join(match.groups()) if match else None


def companion(path: str) -> str | None:
    """What a file is by its name ("a torrent") where it stands beside a dump and holds no pages; None of others."""
    name = PurePath(path.replace("\\", "/")).name
    return next((what for pattern, what in _PATTERNS if pattern.search(name)), None)


def part_of(path: str) -> str:
    """The name of the file that a companion stands beside, as far as its own name tells; "" where it does not."""
    name = PurePath(path.replace("\\", "/")).name
    if re.search(r"-index\d*\.txt", name):
        return re.sub(r"-index(\d*)\.txt", lambda m: f"{m[1]}.xml", name)
    short = re.sub(r"(?:-rss\.xml|\.(?:torrent|md5|sha\d+|asc|sig|gpg|aria2|meta4|metalink))$", "", name)
    return short if short != name else ""
