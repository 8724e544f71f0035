"""`wikiprep download`: the dump of a wiki by its name, and what belongs to it."""

from typing import Any

import click

from wikiprep.cli.options import server_options
from wikiprep.cli.output_types import FOLDER


@click.command("download")
@click.argument("wiki")
@click.option(
    "--with",
    "extras",
    multiple=True,
    metavar="NAMES",
    help="Also page_props, page, redirect (SQL tables of the wiki), wikidata (its JSON dump, 100 GB), "
    "wikidata_redirect (both tables of merged items); with commas, or given several times.",
)
@click.option("--output", "-o", type=FOLDER, help="Folder for all the files. [that of the cache]")
@server_options
@click.option(
    "--timeout", type=click.FloatRange(0.01), default=60.0, help="Seconds without a byte that end a connection. [60]"
)
@click.option("--tries", type=click.IntRange(1), default=6, help="Failures in a row that end a server's turn. [6]")
@click.option("--dry-run", is_flag=True, help="List files, sizes and the disk that a build needs; download nothing.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def command(
    wiki: str,
    extras: tuple[str, ...],
    output: str | None,
    timeout: float,
    tries: int,
    dry_run: bool,
    quiet: bool,
    **server: Any,
) -> None:
    """Download the newest whole dump of WIKI (a name such as simplewiki), checked by size and checksum.

    The same command goes on where it was cut off. A build takes the name too: wikiprep build-corpus simplewiki.
    """
    from wikiprep.api.building import take_server_options
    from wikiprep.download.by_name import download

    download(
        wiki,
        take_server_options(server, {}),
        extras=extras,
        output=output,
        timeout=timeout,
        tries=tries,
        dry_run=dry_run,
        quiet=quiet,
    )
