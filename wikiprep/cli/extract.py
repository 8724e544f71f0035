"""`wikiprep extract`: the first stages alone, up to the articles."""

from typing import Any

import click

from wikiprep.cli.building import BuildCommand, build_from
from wikiprep.cli.options import content_options, run_options


@click.command("extract", cls=BuildCommand)
@click.argument("dumps", nargs=-1, type=click.Path())
@click.option("--sample", is_flag=True, help="Use the small dump and items that ship with wikiprep.")
@run_options
@content_options("input", "wikidata", "extract")
def command(**parameters: Any) -> None:
    """Extract the articles of DUMPS: text with every link as a span. build-corpus goes on from there."""
    build_from(parameters, until="extract")
