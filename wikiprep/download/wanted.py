"""What a user asked for, and the search for all of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from wikiprep.download.dates import LATEST
from wikiprep.download.find import Note, find_dump, find_merged, find_wikidata
from wikiprep.download.remote_file import FileSet
from wikiprep.download.server import OFFICIAL, Server
from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint

TABLES = ("page_props", "page", "redirect")
WIKIDATA, MERGED = "wikidata", "wikidata_redirect"
EXTRAS = (*TABLES, WIKIDATA, MERGED)  # names of --with


@dataclass(frozen=True, kw_only=True)
class DownloadRequest:
    """Pages of `wiki` of a day (YYYY-MM-DD or "latest"), and `extras`, names of EXTRAS."""

    wiki: str
    day: str = LATEST
    layout: str = "any"
    extras: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """Those of the wiki itself."""
        return tuple(it for it in TABLES if it in self.extras)


def parse_extras(extras: Iterable[str]) -> tuple[str, ...]:
    """Names of --with, with commas or given several times. Raises UsageError for what is none."""
    names = [name.strip().replace("-", "_") for text in extras for name in text.split(",") if name.strip()]
    for name in names:
        if name not in EXTRAS:
            raise UsageError(
                f"--with {name}: there is no such file", names_hint("files", name.replace("-", "_"), EXTRAS)
            )
    return tuple(it for it in EXTRAS if it in names)


def addresses(mirrors: Iterable[str]) -> tuple[str, ...]:
    """Of the servers to ask, in order: the mirrors where any are given, else dumps.wikimedia.org. Raises UsageError."""
    roots = []
    for mirror in mirrors:
        parts = urlsplit(mirror)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"--mirror {mirror}: is no address of the web", "give its root, https://HOST/…")
        roots.append(mirror.rstrip("/"))
    return tuple(dict.fromkeys(roots)) or (OFFICIAL,)


def find_all(
    request: DownloadRequest, servers: Sequence[Server], note: Note, pinned_sets: Sequence[FileSet] = ()
) -> list[FileSet]:
    """The pages first. `pinned_sets`: what an earlier search found, taken where it has what is wanted.

    Raises WikiprepError where no server has all of it.
    """
    kinds = {"dump", *request.tables}
    pages = _first_with(pinned_sets, kinds) or find_dump(
        servers, request.wiki, request.day, request.layout, request.tables, note
    )
    dumps = [pages]
    if WIKIDATA in request.extras:
        dumps.append(_first_with(pinned_sets, {"wikidata"}) or find_wikidata(servers, pages.date, note))
    if MERGED in request.extras:
        dumps.append(
            _first_with(pinned_sets, {"wikidata_redirect", "wikidata_page"}) or find_merged(servers, pages.date, note)
        )
    return dumps


def _first_with(file_sets: Sequence[FileSet], kinds: set[str]) -> FileSet | None:
    return next((it for it in file_sets if kinds <= {file.kind for file in it.files}), None)
