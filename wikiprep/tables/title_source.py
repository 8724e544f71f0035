"""Of which dump titles are: its redirects and Wikidata items, from a corpus or from a table of QIDs (--titles-from)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.tables.qids import Qids
from wikiprep.tables.title_lookup import TITLE_ARRAYS, TITLE_TRIE, TitleTable
from wikiprep.tables.titles_to_vocabulary import TitleSource
from wikiprep.textlines import head, read_lines
from wikiprep.wikidata.items_from_sql import ARRAYS, ROWS, TRIE, PageItemTable

_FORMS = (
    "give a corpus made of a dump, the folder that `wikiprep qids` wrote, a JSON object {title: QID}, or lines "
    "title<TAB>QID"
)


class CorpusTitles:
    """The titles of a corpus's dump: redirects, and items where its build had a source of them. Memory-mapped."""

    def __init__(self, store: Store) -> None:
        paths = [store.fetch(f"tables/{name}") for name in (TITLE_TRIE, TITLE_ARRAYS)]
        self._titles, self._qids = TitleTable.open(paths[0].parent), Qids(store)

    def end(self, title: str) -> str:
        """See `TitleSource`."""
        return self._titles.resolve(title).title

    def qid(self, title: str) -> str | None:
        """See `TitleSource`."""
        return self._qids.of(self._titles.resolve(title).page_id)


@dataclass(frozen=True)
class QidTitles:
    """Items alone, of the table that `wikiprep qids` wrote; with its --redirect a redirect has its target's."""

    table: PageItemTable

    def end(self, title: str) -> str:
        """See `TitleSource`: the table does not say it."""
        return title

    def qid(self, title: str) -> str | None:
        """See `TitleSource`."""
        return self.table.by_title(title)


@dataclass(frozen=True)
class ListedTitles:
    """The same of a file with a QID a title."""

    qids: Mapping[str, str]

    def end(self, title: str) -> str:
        """See `TitleSource`: the file does not say it."""
        return title

    def qid(self, title: str) -> str | None:
        """See `TitleSource`."""
        return self.qids.get(title)


@dataclass(frozen=True)
class WithRedirects:
    """A source with redirects that a text lists itself, which go first. `source`: None where there is no other."""

    redirects: Mapping[str, str]
    source: TitleSource | None

    def end(self, title: str) -> str:
        """See `TitleSource`. A loop ends where it began."""
        seen = {title}
        while (to := self.redirects.get(title)) is not None and to not in seen:
            seen.add(to)
            title = to
        return title if self.source is None else self.source.end(title)

    def qid(self, title: str) -> str | None:
        """See `TitleSource`."""
        return None if self.source is None else self.source.qid(self.end(title)) or self.source.qid(title)


def open_title_source(location: str) -> TitleSource:
    """What --titles-from names. Raises UsageError where it is none of the forms, WikiprepError where it is damaged."""
    store = Store(location)
    if store.size(f"tables/{TITLE_TRIE}") is not None:
        return CorpusTitles(store)
    if store.size(TRIE) is not None:
        return QidTitles(PageItemTable.open(store.fetch(TRIE).parent if store.fetch(ARRAYS) else ""))
    path = Path(location)
    if path.name == ROWS and (path.parent / TRIE).is_file():
        return QidTitles(PageItemTable.open(path.parent))
    if not path.is_file():
        problem = "holds no titles of a dump" if path.is_dir() else "no such file or folder"
        raise UsageError(f"--titles-from {location}: {problem}", _FORMS)
    return ListedTitles(_read_qids(path))


def _read_qids(path: Path) -> dict[str, str]:
    if head(path).lstrip().startswith(b"{"):
        try:
            parsed = orjson.loads(b"\n".join(line for _, line in read_lines(path)))
        except orjson.JSONDecodeError as error:
            raise WikiprepError(f"{path}: invalid JSON ({error})", _FORMS) from error
        pairs = [(0, title, qid) for title, qid in parsed.items()]
    else:
        pairs = [(number, *_columns(path, number, line)) for number, line in read_lines(path)]
    qids = {}
    for number, title, qid in pairs:
        if not (isinstance(qid, str) and qid[:1] == "Q" and qid[1:].isdecimal()):
            location = f"{path}:{number}" if number else f"{path}: {title!r}"
            raise WikiprepError(f"{location}: {qid!r} is no QID such as Q42", _FORMS)
        qids[title] = qid
    if not qids:
        raise WikiprepError(f"{path}: holds no title", _FORMS)
    return qids


def _columns(path: Path, number: int, line: bytes) -> tuple[str, str]:
    title, tab, qid = line.decode("utf-8", "replace").rstrip("\r\n").rpartition("\t")
    if not tab or not title:
        raise WikiprepError(f"{path}:{number}: not title<TAB>QID", _FORMS)
    return title, qid
