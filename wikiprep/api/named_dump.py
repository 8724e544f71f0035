"""A build of a wiki's name: downloads what its options need into the cache, and gives the job with files."""

import contextlib
import sys
from dataclasses import replace
from typing import Any

from wikiprep.api.named_wiki import WIKIDATA
from wikiprep.config import Config, RelationsConfig, apply
from wikiprep.download.byte_sizes import amount
from wikiprep.download.cache import cache_folder
from wikiprep.download.client import Manners
from wikiprep.download.dates import LATEST, parse_date
from wikiprep.download.disk_space import build_needs, free_bytes
from wikiprep.download.download import Downloader
from wikiprep.download.pinned import pin, pinned
from wikiprep.download.remote_file import Folder, Found
from wikiprep.download.wanted import Wanted, addresses, find_all
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.runtime.reconcile import Policy, refuse_foreign
from wikiprep.terminal.screen import screen_for
from wikiprep.units.job import Job
from wikiprep.units.run_options import RunOptions

_INPUTS = (  # kind of a file, section and option that take it, what it is a part of
    ("page_props", "input", "page_props", "page_props"),
    ("wikidata", "wikidata", "wikidata", "wikidata"),
    ("wikidata_redirect", "wikidata", "wikidata_redirect", "wikidata_redirect"),
    ("wikidata_page", "wikidata", "wikidata_page", "wikidata_redirect"),
)


def with_files(
    job: Job, wiki: str, served: dict[str, Any], options: RunOptions, policy: Policy, runner: str | None
) -> Job:
    """`served`: the options of `building.SERVER`. Raises WikiprepError; what was downloaded stays.

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
    extras = needed(job)
    day = parse_date(served["date"] or LATEST)
    asked = addresses(served["mirror"] or ())
    known = [] if policy is Policy.OVERWRITE else pinned(store, wiki, None if served["date"] is None else day)
    known = [it.on(asked) for it in known]
    folder = Folder(cache_folder(served["cache"]), flat=False)
    downloader = Downloader(Manners(served["contact"]), screen_for(options.quiet))
    wanted = Wanted(wiki, known[0].date if known else day, served["layout"] or "any", extras)
    with contextlib.closing(downloader):
        servers = downloader.servers(asked)
        found = find_all(wanted, servers, downloader.display.note, known)
        if found != known:
            pin(store, wiki, found)
        downloader.run(found, folder)
    _say_room(job, found, folder, options.quiet)
    return replace(job, dumps=(str(folder.of(found[0].of_kind("dump")[0].group)),), config=_config(job, found, folder))


def _check_tokenizer(job: Job) -> None:
    from wikiprep.corpus.tokenizers import load_tokenizer
    from wikiprep.stages.tokenizer import Tokenizer, trained_size

    if job.until is not None:
        return
    Tokenizer().content(job)  # raises where none is given
    spec = job.config.tokenizer.tokenizer
    if spec is not None and trained_size(spec) is None:
        load_tokenizer(spec)


def needed(job: Job) -> tuple[str, ...]:
    """What the options need and no file is given for: those that name a wiki, relations, and lists of items."""
    needed = {part for _, section, option, part in _INPUTS if _named(job, section, option)}
    wikidata, defaults = job.config.wikidata.wikidata, RelationsConfig()
    if wikidata is None and job.config.relations != defaults and job.config.relations.relations != "none":
        needed.add("wikidata")
    if job.config.leave_out.leave_out and wikidata is None:
        from wikiprep.leave_out.lists import FACT_KINDS, read_lists

        kinds = {entry.kind for entry in read_lists(job.config.leave_out.leave_out)}
        if kinds & set(FACT_KINDS):
            needed.add("wikidata")
        elif "qid" in kinds and job.config.input.page_props is None:
            needed.add("page_props")
    return tuple(sorted(needed))


def _named(job: Job, section: str, option: str) -> bool:
    return getattr(getattr(job.config, section), option) in (*job.dumps, WIKIDATA)


def _config(job: Job, found: list[Found], folder: Folder) -> Config:
    """With the files in the place of names, and those that the options need."""
    config = job.config
    for kind, section, option, _ in _INPUTS:
        value = getattr(getattr(config, section), option)
        if value is not None and not _named(job, section, option):
            continue  # a file of the user's own
        for group in found:
            for file in group.of_kind(kind):
                config = apply(config, {section: {option: str(folder.place(file))}})
    return config


def _say_room(job: Job, found: list[Found], folder: Folder, quiet: bool) -> None:
    """A word where the corpus may not fit: no error, since it is an estimate."""
    store = Store(job.output)
    if store.root is None or quiet:
        return
    files = [file for group in found for file in group.files]
    needs, free = build_needs(files, {it.name: folder.place(it).stat().st_size for it in files}), free_bytes(store.root)
    if needs > free:
        said = f"while it is made the corpus takes up to {amount(needs)}, about, and {amount(free)} are free"
        said += f" at {job.output}"
        print(said, file=sys.stderr, flush=True)
