"""Which dump is meant, and on which server it is: the newest that is whole, or that of a day.

Servers are asked in the order given, and the first that has all that is wanted is taken. A dump is whole when its own
status file says so; of one that is not, a line says why an older one is taken.
"""

from collections.abc import Callable, Sequence

from wikiprep.download.dates import LATEST, compact, nearest
from wikiprep.download.dumpstatus import DumpJob
from wikiprep.download.find_classic import (
    ARTICLES,
    TABLES,
    article_files,
    classic_dates,
    classic_jobs,
    sums_text,
    table_files,
    unfinished,
)
from wikiprep.download.find_export import LIST, export_dates, export_files
from wikiprep.download.find_wikidata import wikidata_dates, wikidata_file
from wikiprep.download.remote_file import Found, RemoteFile
from wikiprep.download.server import Server
from wikiprep.download.trouble import NextServer
from wikiprep.download.wiki_names import near_names
from wikiprep.errors import WikiprepError

Note = Callable[[str], None]
LAYOUTS = ("any", "content", "classic")
_NETWORK = "check the network, and HTTPS_PROXY where there is a proxy; --mirror URL asks another server"
_NEAREST = 6  # folders of Wikidata's that are looked into: a few have no dump of all entities


class _Lacks(Exception):
    """A server that answers and has not got it. `days`: those of its content exports and of its classic dumps."""

    def __init__(self, why: str = "", exports: Sequence[str] = (), classic: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.why, self.exports, self.classic = why, exports, classic


def find_dump(servers: Sequence[Server], wiki: str, day: str, layout: str, tables: Sequence[str], note: Note) -> Found:
    """Pages of a wiki, and `tables` of the same date. `day` is YYYY-MM-DD or "latest".

    Raises WikiprepError, with the dates that there are, where no server has them whole.
    """
    lacking: list[_Lacks] = []
    troubles: list[str] = []
    for server in servers:
        try:
            return _dump_on(server, wiki, day, layout, tables, note).on(_in_turn(server, servers))
        except _Lacks as lacks:
            lacking.append(lacks)
        except NextServer as trouble:
            troubles.append(f"{server.address} {trouble}")
            note(troubles[-1])
    raise _not_found(wiki, day, lacking, troubles)


def find_wikidata(servers: Sequence[Server], day: str, note: Note) -> Found:
    """Wikidata's JSON dump of the date nearest to `day`: items and pages change together."""
    return _nearest("Wikidata's JSON dump", servers, day, note, wikidata_dates, _wikidata_on)


def find_merged(servers: Sequence[Server], day: str, note: Note) -> Found:
    """wikidatawiki's tables of merged items, both of the date nearest to `day` that has them."""
    return _nearest(
        "wikidatawiki's redirect and page tables",
        servers,
        day,
        note,
        lambda server: classic_dates(server, "wikidatawiki"),
        _merged_on,
    )


def _dump_on(server: Server, wiki: str, day: str, layout: str, tables: Sequence[str], note: Note) -> Found:
    exports = export_dates(server, wiki) if layout != "classic" else []
    classic = classic_dates(server, wiki) if layout != "content" or tables or not exports else []
    if not exports and not classic:
        raise _Lacks()
    candidates = [("content", it) for it in exports]
    candidates += [("classic", it) for it in classic] if layout != "content" else []
    if day != LATEST:
        candidates = [(kind, it) for kind, it in candidates if it == day]
    why: list[str] = []
    for kind, it in candidates:
        found = (_export_on if kind == "content" else _classic_on)(server, wiki, it, tables)
        if isinstance(found, Found):
            return found
        why.append(f"the {'content export' if kind == 'content' else 'classic dump'} of {it} {found}")
        if day == LATEST:
            note(f"{wiki}: {why[-1]}; an older one is looked for")
    raise _Lacks("; ".join(why), exports, classic)


def _export_on(server: Server, wiki: str, day: str, tables: Sequence[str]) -> Found | str:
    """The export with its tables, or why not."""
    made = export_files(server, wiki, day)
    if made is None:
        return f"is not finished ({LIST} is not there yet)"
    files, listed = made
    more = _tables_on(server, wiki, day, tables) if tables else []
    return more if isinstance(more, str) else Found((*files, *more), {LIST: listed}, day)


def _classic_on(server: Server, wiki: str, day: str, tables: Sequence[str]) -> Found | str:
    jobs = classic_jobs(server, wiki, day)
    files = article_files(jobs, wiki, day)
    if not files:
        return f"is not finished ({unfinished(jobs, ARTICLES)})"
    more = _tables_of(jobs, wiki, day, tables)
    if isinstance(more, str):
        return more
    listed = sums_text([*files, *more])
    return Found((*files, *more), {f"{wiki}-{compact(day)}-sha1sums.txt": listed} if listed else {}, day)


def _tables_on(server: Server, wiki: str, day: str, tables: Sequence[str]) -> list[RemoteFile] | str:
    return _tables_of(classic_jobs(server, wiki, day), wiki, day, tables)


def _tables_of(jobs: dict[str, DumpJob], wiki: str, day: str, tables: Sequence[str]) -> list[RemoteFile] | str:
    files: list[RemoteFile] = []
    for table in tables:
        made = table_files(jobs, wiki, day, table, table)
        if not made:
            return f"has no finished {table} ({unfinished(jobs, (TABLES[table],))})"
        files += made
    return files


def _wikidata_on(server: Server, day: str) -> Found | None:
    file = wikidata_file(server, day)
    return None if file is None else Found((file,), {}, day)


def _merged_on(server: Server, day: str) -> Found | None:
    jobs = classic_jobs(server, "wikidatawiki", day)
    files = [
        *table_files(jobs, "wikidatawiki", day, "redirect", "wikidata_redirect"),
        *table_files(jobs, "wikidatawiki", day, "page", "wikidata_page"),
    ]
    return Found(tuple(files), {}, day) if len(files) == 2 else None


def _nearest(
    what: str,
    servers: Sequence[Server],
    day: str,
    note: Note,
    dates: Callable[[Server], list[str]],
    on: Callable[[Server, str], Found | None],
) -> Found:
    troubles: list[str] = []
    there: set[str] = set()
    for server in servers:
        try:
            near = nearest(day, dates(server))
            there.update(near)
            for it in near[:_NEAREST]:
                if (found := on(server, it)) is not None:
                    return found.on(_in_turn(server, servers))
        except NextServer as trouble:
            troubles.append(f"{server.address} {trouble}")
            note(troubles[-1])
    hint = f"there are folders of {', '.join(sorted(there, reverse=True)[:_NEAREST])}, none with it" if there else ""
    raise WikiprepError(f"{what}: {'; '.join(troubles) or 'no server has it whole'}", hint or _NETWORK)


def _in_turn(first: Server, servers: Sequence[Server]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([first.address, *(server.address for server in servers)]))


def _not_found(wiki: str, day: str, lacking: list[_Lacks], troubles: list[str]) -> WikiprepError:
    exports = sorted({it for lacks in lacking for it in lacks.exports}, reverse=True)
    classic = sorted({it for lacks in lacking for it in lacks.classic}, reverse=True)
    why = "; ".join(dict.fromkeys(lacks.why for lacks in lacking if lacks.why))
    if not exports and not classic:
        if lacking:
            asked = f" ({'; '.join(troubles)})" if troubles else ""
            return WikiprepError(f"{wiki}: there is no dump of such a wiki{asked}", near_names(wiki))
        return WikiprepError(f"{wiki}: no dump could be looked for: {'; '.join(troubles)}", _NETWORK)
    there = [
        f"{words} of {', '.join(compact(it) for it in dates)}"
        for words, dates in (("content exports", exports), ("classic dumps", classic))
        if dates
    ]
    hint = f"there are {' and '.join(there)}; --date takes one of them"
    if day == LATEST:
        return WikiprepError(f"{wiki}: no dump is whole: {why}", f"try again in a few days; {hint}")
    if why:
        return WikiprepError(f"{wiki}: {why}", hint)
    return WikiprepError(f"{wiki}: there is no dump of {day} (any more)", hint)
