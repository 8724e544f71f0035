"""Files that stand beside a dump's parts and hold no pages: feeds, torrents, checksums, indexes, a download's notes.

Their names hold that of the part, so they come along wherever a folder or a pattern is given.
"""

import re
from pathlib import PurePath

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
