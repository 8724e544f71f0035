"""`wikiprep tables`: up to pages, redirects, the entity vocabulary and, where wanted, mention statistics."""

from typing import Any

import click

from wikiprep.cli.building import BuildCommand, build_from
from wikiprep.cli.options import content_options, run_options


@click.command("tables", cls=BuildCommand)
@click.argument("dumps", nargs=-1, type=click.Path())
@click.option("--sample", is_flag=True, help="Use the small dump and items that ship with wikiprep.")
@run_options
@content_options("input", "wikidata", "extract", "leave_out", "vocabulary", "mentions")
def command(**parameters: Any) -> None:
    """Make the articles of DUMPS, and the tables of pages, redirects, entities and, with --mentions, names."""
    build_from(parameters, until="tables")
