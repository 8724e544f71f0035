"""A build of a wiki's name: downloads what its options need into the cache, and gives the job with files.

Which dump an output was begun with is pinned in its `_state/download.json`: "latest" is another one next month. With it
the same command goes on with the same files, and needs no network where they are all there.
"""

import contextlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson

from wikiprep.config import Config, RelationsConfig, RunOptions, ServerOptions, apply
from wikiprep.download.cache import cache_folder
from wikiprep.download.client import Manners
from wikiprep.download.dates import LATEST, parse_date
from wikiprep.download.disk_space import build_needs, free_bytes
from wikiprep.download.download import Downloader
from wikiprep.download.remote_file import FileSet, RemoteFile, TargetFolder
from wikiprep.download.wanted import DownloadRequest, addresses, find_all
from wikiprep.download.wiki_names import WIKIDATA
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.runtime.reconcile import Policy, refuse_foreign
from wikiprep.terminal.screen import screen_for
from wikiprep.terminal.wording import amount
from wikiprep.units.job import Job

_INPUTS = (  # kind of a file, section and option that take it, what it is a part of
    ("page_props", "input", "page_props", "page_props"),
    ("wikidata", "wikidata", "wikidata", "wikidata"),
    ("wikidata_redirect", "wikidata", "wikidata_redirect", "wikidata_redirect"),
    ("wikidata_page", "wikidata", "wikidata_page", "wikidata_redirect"),
)
PINNED_PATH = "_state/download.json"


def with_files(
    job: Job, wiki: str, server: ServerOptions, options: RunOptions, policy: Policy, runner: str | None
) -> Job:
    """The job with files, downloaded where they are not there yet. Raises WikiprepError; what was downloaded stays.

    What can be known to fail later is tried before: nobody downloads for hours to be told that there is no tokenizer.
    """
    if runner not in (None, "local"):
        raise UsageError(
            f"{wiki}: a name is downloaded onto this machine, and the workers of --runner {runner} are others",
            f"download it where all of them see it (wikiprep download {wiki} --output FOLDER), and give that folder",
        )
    store = Store(job.output, options.scratch)
    refuse_foreign(store)
    _check_tokenizer(job)
    extras = needed_extras(job)
    day = parse_date(server.date or LATEST)
    server_addresses = addresses(server.mirror)
    pinned_dumps = [] if policy is Policy.OVERWRITE else read_pinned(store, wiki, None if server.date is None else day)
    pinned_dumps = [it.on(server_addresses) for it in pinned_dumps]
    folder = TargetFolder(cache_folder(server.cache), flat=False)
    downloader = Downloader(Manners(contact=server.contact), screen_for(options.quiet))
    request = DownloadRequest(
        wiki=wiki, day=pinned_dumps[0].date if pinned_dumps else day, layout=server.layout or "any", extras=extras
    )
    with contextlib.closing(downloader):
        servers = downloader.servers(server_addresses)
        dumps = find_all(request, servers, downloader.display.note, pinned_dumps)
        if dumps != pinned_dumps:
            pin(store, wiki, dumps)
        downloader.run(dumps, folder)
    _say_room(job, dumps, folder, options.quiet)
    return replace(job, dumps=(str(folder.of(dumps[0].of_kind("dump")[0].group)),), config=_config(job, dumps, folder))


def _check_tokenizer(job: Job) -> None:
    from wikiprep.corpus.tokenizers import load_tokenizer
    from wikiprep.stages.tokenizer import Tokenizer, trained_size

    if job.until is not None:
        return
    Tokenizer().content(job)  # raises where none is given
    spec = job.config.tokenizer.tokenizer
    if spec is not None and trained_size(spec) is None:
        load_tokenizer(spec)


def needed_extras(job: Job) -> tuple[str, ...]:
    """What the options need and no file is given for: those that name a wiki, relations, and lists of items."""
    parts = {part for _, section, option, part in _INPUTS if _names_wiki(job, section, option)}
    wikidata, defaults = job.config.wikidata.wikidata, RelationsConfig()
    if wikidata is None and job.config.relations != defaults and job.config.relations.relations != "none":
        parts.add("wikidata")
    if job.config.leave_out.leave_out and wikidata is None:
        from wikiprep.leave_out.lists import FACT_KINDS, read_lists

        kinds = {entry.kind for entry in read_lists(job.config.leave_out.leave_out)}
        if kinds & set(FACT_KINDS):
            parts.add("wikidata")
        elif "qid" in kinds and job.config.input.page_props is None:
            parts.add("page_props")
    return tuple(sorted(parts))


def _names_wiki(job: Job, section: str, option: str) -> bool:
    return getattr(getattr(job.config, section), option) in (*job.dumps, WIKIDATA)


def _config(job: Job, dumps: list[FileSet], folder: TargetFolder) -> Config:
    """With the files in the place of names, and those that the options need."""
    config = job.config
    for kind, section, option, _ in _INPUTS:
        value = getattr(getattr(config, section), option)
        if value is not None and not _names_wiki(job, section, option):
            continue  # a file of the user's own
        for group in dumps:
            for file in group.of_kind(kind):
                config = apply(config, {section: {option: str(folder.place(file))}})
    return config


def _say_room(job: Job, dumps: list[FileSet], folder: TargetFolder, quiet: bool) -> None:
    """A word where the corpus may not fit: no error, since it is an estimate."""
    store = Store(job.output)
    if store.root is None or quiet:
        return
    files = [file for group in dumps for file in group.files]
    needed_bytes, free = (
        build_needs(files, {it.name: folder.place(it).stat().st_size for it in files}),
        free_bytes(store.root),
    )
    if needed_bytes > free:
        message = f"while it is made the corpus takes up to {amount(needed_bytes)}, about, and {amount(free)} are free"
        message += f" at {job.output}"
        print(message, file=sys.stderr, flush=True)


def read_pinned(store: Store, wiki: str, day: str | None) -> list[FileSet]:
    """The files noted for this output, of that wiki and, where one is given, that day; none where it was another."""
    try:
        data = orjson.loads(store.read(PINNED_PATH))
        file_sets = [_from_plain(it) for it in data["found"]]
        return file_sets if data["wiki"] == wiki and day in (None, file_sets[0].date) else []
    except (FileNotFoundError, ValueError, KeyError, TypeError, IndexError):
        return []


def pin(store: Store, wiki: str, file_sets: Sequence[FileSet]) -> None:
    """Note what the output is made of."""
    store.write(
        PINNED_PATH,
        orjson.dumps({"wiki": wiki, "found": [_to_plain(it) for it in file_sets]}, option=orjson.OPT_INDENT_2),
    )


def _to_plain(file_set: FileSet) -> dict[str, Any]:
    return {
        "date": file_set.date,
        "servers": file_set.servers,
        "texts": {name: text.decode("latin-1") for name, text in file_set.texts.items()},
        "files": [{name: getattr(file, name) for name in RemoteFile.__dataclass_fields__} for file in file_set.files],
    }


def _from_plain(plain: dict[str, Any]) -> FileSet:
    texts = {name: text.encode("latin-1") for name, text in plain["texts"].items()}
    return FileSet(tuple(RemoteFile(**file) for file in plain["files"]), texts, plain["date"], tuple(plain["servers"]))
