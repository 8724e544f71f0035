"""Which dump is meant, and on which server it is: the newest that is whole, or that of a day.

Servers are asked in the order given, and the first that has all that is wanted is taken. A dump is whole when its own
status file says so; of one that is not, a line says why an older one is taken.
"""

from collections.abc import Callable, Sequence

from wikiprep.download.client import NextServer
from wikiprep.download.dates import LATEST, compact, nearest
from wikiprep.download.dump_layouts import (
    ARTICLES,
    LIST,
    TABLES,
    DumpJob,
    article_files,
    classic_dates,
    classic_jobs,
    describe_unfinished,
    export_dates,
    export_files,
    sums_text,
    table_files,
    wikidata_dates,
    wikidata_file,
)
from wikiprep.download.remote_file import FileSet, RemoteFile
from wikiprep.download.server import Server
from wikiprep.download.wiki_names import near_names
from wikiprep.errors import WikiprepError

Note = Callable[[str], None]
_NETWORK = "check the network, and HTTPS_PROXY where there is a proxy; --mirror URL asks another server"
_NEAREST = 6  # folders of Wikidata's that are looked into: a few have no dump of all entities


class _MissingDump(Exception):
    """A server that answers and has not got it. `days`: those of its content exports and of its classic dumps."""

    def __init__(self, why: str = "", exports: Sequence[str] = (), classic: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.why, self.exports, self.classic = why, exports, classic


def find_dump(
    servers: Sequence[Server], wiki: str, day: str, layout: str, tables: Sequence[str], note: Note
) -> FileSet:
    """Pages of a wiki, and `tables` of the same date. `day` is YYYY-MM-DD or "latest".

    Raises WikiprepError, with the dates that there are, where no server has them whole.
    """
    missing_dumps: list[_MissingDump] = []
    troubles: list[str] = []
    for server in servers:
        try:
            return _dump_on(server, wiki, day, layout, tables, note).on(_servers_from(server, servers))
        except _MissingDump as missing:
            missing_dumps.append(missing)
        except NextServer as trouble:
            troubles.append(f"{server.address} {trouble}")
            note(troubles[-1])
    raise _not_found_error(wiki, day, missing_dumps, troubles)


def find_wikidata(servers: Sequence[Server], day: str, note: Note) -> FileSet:
    """Wikidata's JSON dump of the date nearest to `day`: items and pages change together."""
    return _find_nearest("Wikidata's JSON dump", servers, day, note, wikidata_dates, _wikidata_on)


def find_merged(servers: Sequence[Server], day: str, note: Note) -> FileSet:
    """wikidatawiki's tables of merged items, both of the date nearest to `day` that has them."""
    return _find_nearest(
        "wikidatawiki's redirect and page tables",
        servers,
        day,
        note,
        lambda server: classic_dates(server, "wikidatawiki"),
        _merged_on,
    )


def _dump_on(server: Server, wiki: str, day: str, layout: str, tables: Sequence[str], note: Note) -> FileSet:
    exports = export_dates(server, wiki) if layout != "classic" else []
    classic = classic_dates(server, wiki) if layout != "content" or tables or not exports else []
    if not exports and not classic:
        raise _MissingDump()
    candidates = [("content", it) for it in exports]
    candidates += [("classic", it) for it in classic] if layout != "content" else []
    if day != LATEST:
        candidates = [(kind, it) for kind, it in candidates if it == day]
    reasons: list[str] = []
    for kind, it in candidates:
        dump = (_export_on if kind == "content" else _classic_on)(server, wiki, it, tables)
        if isinstance(dump, FileSet):
            return dump
        reasons.append(f"the {'content export' if kind == 'content' else 'classic dump'} of {it} {dump}")
        if day == LATEST:
            note(f"{wiki}: {reasons[-1]}; an older one is looked for")
    raise _MissingDump("; ".join(reasons), exports, classic)


def _export_on(server: Server, wiki: str, day: str, tables: Sequence[str]) -> FileSet | str:
    """The export with its tables, or why not."""
    export = export_files(server, wiki, day)
    if export is None:
        return f"is not finished ({LIST} is not there yet)"
    files, checksums = export
    extra_files = _tables_on(server, wiki, day, tables) if tables else []
    return extra_files if isinstance(extra_files, str) else FileSet((*files, *extra_files), {LIST: checksums}, day)


def _classic_on(server: Server, wiki: str, day: str, tables: Sequence[str]) -> FileSet | str:
    jobs = classic_jobs(server, wiki, day)
    files = article_files(jobs, wiki, day)
    if not files:
        return f"is not finished ({describe_unfinished(jobs, ARTICLES)})"
    extra_files = _tables_of(jobs, wiki, day, tables)
    if isinstance(extra_files, str):
        return extra_files
    checksums = sums_text([*files, *extra_files])
    return FileSet((*files, *extra_files), {f"{wiki}-{compact(day)}-sha1sums.txt": checksums} if checksums else {}, day)


def _tables_on(server: Server, wiki: str, day: str, tables: Sequence[str]) -> list[RemoteFile] | str:
    return _tables_of(classic_jobs(server, wiki, day), wiki, day, tables)


def _tables_of(jobs: dict[str, DumpJob], wiki: str, day: str, tables: Sequence[str]) -> list[RemoteFile] | str:
    files: list[RemoteFile] = []
    for table in tables:
        table_parts = table_files(jobs, wiki, day, table, table)
        if not table_parts:
            return f"has no finished {table} ({describe_unfinished(jobs, (TABLES[table],))})"
        files += table_parts
    return files


def _wikidata_on(server: Server, day: str) -> FileSet | None:
    file = wikidata_file(server, day)
    return None if file is None else FileSet((file,), {}, day)


def _merged_on(server: Server, day: str) -> FileSet | None:
    jobs = classic_jobs(server, "wikidatawiki", day)
    files = [
        *table_files(jobs, "wikidatawiki", day, "redirect", "wikidata_redirect"),
        *table_files(jobs, "wikidatawiki", day, "page", "wikidata_page"),
    ]
    return FileSet(tuple(files), {}, day) if len(files) == 2 else None


def _find_nearest(
    what: str,
    servers: Sequence[Server],
    day: str,
    note: Note,
    dates: Callable[[Server], list[str]],
    find_on: Callable[[Server, str], FileSet | None],
) -> FileSet:
    troubles: list[str] = []
    dates_seen: set[str] = set()
    for server in servers:
        try:
            near = nearest(day, dates(server))
            dates_seen.update(near)
            for it in near[:_NEAREST]:
                if (dump := find_on(server, it)) is not None:
                    return dump.on(_servers_from(server, servers))
        except NextServer as trouble:
            troubles.append(f"{server.address} {trouble}")
            note(troubles[-1])
    hint = (
        f"there are folders of {', '.join(sorted(dates_seen, reverse=True)[:_NEAREST])}, none with it"
        if dates_seen
        else ""
    )
    raise WikiprepError(f"{what}: {'; '.join(troubles) or 'no server has it whole'}", hint or _NETWORK)


def _servers_from(first: Server, servers: Sequence[Server]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([first.address, *(server.address for server in servers)]))


def _not_found_error(wiki: str, day: str, missing_dumps: list[_MissingDump], troubles: list[str]) -> WikiprepError:
    exports = sorted({it for missing in missing_dumps for it in missing.exports}, reverse=True)
    classic = sorted({it for missing in missing_dumps for it in missing.classic}, reverse=True)
    reasons = "; ".join(dict.fromkeys(missing.why for missing in missing_dumps if missing.why))
    if not exports and not classic:
        if missing_dumps:
            trouble_text = f" ({'; '.join(troubles)})" if troubles else ""
            return WikiprepError(f"{wiki}: there is no dump of such a wiki{trouble_text}", near_names(wiki))
        return WikiprepError(f"{wiki}: no dump could be looked for: {'; '.join(troubles)}", _NETWORK)
    available = [
        f"{words} of {', '.join(compact(it) for it in dates)}"
        for words, dates in (("content exports", exports), ("classic dumps", classic))
        if dates
    ]
    hint = f"there are {' and '.join(available)}; --date takes one of them"
    if day == LATEST:
        return WikiprepError(f"{wiki}: no dump is whole: {reasons}", f"try again in a few days; {hint}")
    if reasons:
        return WikiprepError(f"{wiki}: {reasons}", hint)
    return WikiprepError(f"{wiki}: there is no dump of {day} (any more)", hint)
