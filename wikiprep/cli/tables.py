"""`wikiprep tables`: up to pages, redirects and the entity vocabulary."""

from typing import Any

import click

from wikiprep.cli.building import build_from
from wikiprep.cli.options import content_options, run_options


@click.command("tables")
@click.argument("dumps", nargs=-1, type=click.Path())
@click.option("--sample", is_flag=True, help="Use the small dump that comes with wikiprep.")
@run_options
@content_options("input", "extract", "vocabulary")
def command(**parameters: Any) -> None:
    """Make the articles of DUMPS, and the tables of pages, redirects and entities."""
    build_from(parameters, until="vocabulary")
