"""Which inputs are HTML, told by their names alone: asked before each build, so quick to import and to answer."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from wikiprep.dump.source import is_remote
from wikiprep.errors import UsageError

SNAPSHOT = re.compile(r"\.(?:tgz|(?:tar|ndjson|jsonl)(?:\.(?:gz|bz2|xz|zst))?)\Z", re.I)
LINES, FOLDER = "lines", "folder"  # forms of a part
TITLES = "titles.tsv"
_ENDINGS = (".html", ".htm", ".xhtml")


def is_html_source(inputs: Sequence[str]) -> bool:
    """Whether the inputs are HTML, by their names alone. Raises UsageError where only some are."""
    kinds = {source: _is_html(source) for source in inputs}
    if len(set(kinds.values())) > 1:
        html, other = (next(path for path, kind in kinds.items() if kind is is_html) for is_html in (True, False))
        raise UsageError(f"{html} is HTML, {other} is not", "give a dump or a snapshot, not both")
    return any(kinds.values())


def _is_html(source: str) -> bool:
    if SNAPSHOT.search(source):
        return True
    path = Path(source)
    if is_remote(source) or not path.is_dir():
        return False
    names = [file.name for file in path.iterdir() if file.is_file()]
    if any(re.search(r"\.xml(?=$|[.-])", name) for name in names):
        return False
    return any(map(SNAPSHOT.search, names)) or next(html_files(source), None) is not None


def folder_files(folder: str | Path) -> list[Path]:
    """All that decides what a folder is: its HTML files by their paths, and behind them titles.tsv where it has one."""
    titles = Path(folder) / TITLES
    return [*sorted(html_files(folder)), *([titles] if titles.is_file() else [])]


def html_files(folder: str | Path) -> Iterator[Path]:
    """The HTML files of a folder and of those in it, in no order."""
    return (path for path in Path(folder).rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file())
