"""`wikiprep build-corpus`: the whole way from a dump to records."""

from typing import Any

import click

from wikiprep.cli.building import BuildCommand, build_from
from wikiprep.cli.options import content_options, run_options


@click.command("build-corpus", cls=BuildCommand)
@click.argument("dumps", nargs=-1, type=click.Path())
@click.option("--sample", is_flag=True, help="Use the small dump, items and tokenizer that ship with wikiprep.")
@run_options
@content_options(
    "input", "wikidata", "extract", "leave_out", "vocabulary", "mentions", "tokenizer", "records", "relations"
)
def command(**parameters: Any) -> None:
    """Turn DUMPS into a corpus: files, folders or globs of one dump, mediawiki_content_current or pages-articles.

    The same command on a half-made output goes on where it was.
    """
    build_from(parameters)
