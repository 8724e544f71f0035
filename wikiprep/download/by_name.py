"""`wikiprep download`, in the order of what it does; and its list of files."""

import contextlib
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from wikiprep.config import ServerOptions
from wikiprep.download.cache import cache_folder
from wikiprep.download.client import Manners
from wikiprep.download.dates import LATEST, parse_date
from wikiprep.download.disk_space import build_needs, free_bytes
from wikiprep.download.download import Downloader, PlannedFile
from wikiprep.download.remote_file import FileSet, TargetFolder
from wikiprep.download.wanted import DownloadRequest, addresses, find_all, parse_extras
from wikiprep.download.wiki_names import require_wiki
from wikiprep.dump.file_names import parse_name
from wikiprep.errors import UsageError
from wikiprep.terminal.screen import screen_for
from wikiprep.terminal.wording import amount

_OPTIONS = {  # kind of a file -> the option of a build that takes it
    "page_props": "--page-props",
    "wikidata": "--wikidata",
    "wikidata_redirect": "--wikidata-redirect",
    "wikidata_page": "--wikidata-page",
}


def download(
    wiki: str,
    server: ServerOptions,
    *,
    extras: Sequence[str] = (),
    output: str | None = None,
    timeout: float = 60.0,
    tries: int = 6,
    dry_run: bool = False,
    quiet: bool = False,
) -> None:
    """Find and fetch; prints to standard output what a build takes of it, or with `dry_run` the list of files.

    Raises WikiprepError; what is done stays, and the same call goes on.
    """
    request = DownloadRequest(
        wiki=require_wiki(wiki),
        day=parse_date(server.date or LATEST),
        layout=server.layout or "any",
        extras=parse_extras(extras),
    )
    if output is not None and "://" in output:
        raise UsageError(f"--output {output}: is no folder", "downloads go to a local disk")
    folder = TargetFolder(Path(output), flat=True) if output else TargetFolder(cache_folder(server.cache), flat=False)
    downloader = Downloader(Manners(contact=server.contact, timeout=timeout, tries=tries), screen_for(quiet))
    with contextlib.closing(downloader):
        dumps = find_all(request, downloader.servers(addresses(server.mirror)), downloader.display.note)
        if folder.flat:
            _refuse_other_dumps(folder.path, dumps[0])
        if dry_run:
            click.echo(_format_list(downloader.plan(dumps, folder), dumps, folder))
            return
        downloader.run(dumps, folder)
    if not quiet:
        click.echo(f"To build a corpus of it:\n  {_build_command(dumps, folder)}")


def _refuse_other_dumps(folder: Path, dump: FileSet) -> None:
    """Raise UsageError where the folder has files of another dump: a build takes all of a folder as one dump."""
    ours = {(it.wiki, it.date, it.layout) for file in dump.of_kind("dump") if (it := parse_name(file.name))}
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        parsed = parse_name(path.name)
        if parsed is not None and (parsed.wiki, parsed.date, parsed.layout) not in ours:
            raise UsageError(
                f"--output {folder}: holds files of another dump ({path.name})", "give each dump a folder of its own"
            )


def _format_list(items: Sequence[PlannedFile], dumps: Sequence[FileSet], folder: TargetFolder) -> str:
    lines = [f"{it.files[0].path.rpartition('/')[0]}/ on {it.servers[0]}" for it in dumps]
    for item in items:
        state = "there" if item.whole else f"{amount(item.there)} of it there" if item.there else "to download"
        size = amount(item.size) if item.size is not None else "unknown"
        lines.append(f"{size:>12}  {item.file.name}  ({state})")
    remaining = sum(item.left for item in items)
    unknown = sum(item.size is None for item in items)
    lines.append(
        f"{amount(remaining):>12}  to download into {folder.path}, where {amount(free_bytes(folder.path))} are free"
        + (f"; {unknown} of the files are of unknown size" if unknown else "")
    )
    needed_bytes = build_needs([item.file for item in items], {item.file.name: item.size for item in items})
    lines.append(
        f"{amount(needed_bytes):>12}  a corpus of it takes beside that while it is made, about (an estimate, without "
        "Wikidata's tables)"
    )
    return "\n".join(lines)


def _build_command(dumps: Sequence[FileSet], folder: TargetFolder) -> str:
    """With the files as they lie: it works without a network, and on another machine that has the folder."""
    words = ["wikiprep", "build-corpus", str(folder.of(dumps[0].of_kind("dump")[0].group))]
    for group in dumps:
        for kind, option in _OPTIONS.items():
            for file in group.of_kind(kind):
                words += [option, str(folder.place(file))]
    return f"{shlex.join(words)} --output corpus --tokenizer train:50000"
