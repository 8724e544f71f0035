"""`wikiprep records`: up to the records of a dump, or the records of annotated text from elsewhere."""

from typing import Any

import click

from wikiprep.cli.building import BuildCommand, build_from
from wikiprep.cli.model_options import titles_from_option
from wikiprep.cli.options import content_options, run_options


@click.command("records", cls=BuildCommand)
@click.argument("dumps", nargs=-1, type=click.Path())
@click.option("--sample", is_flag=True, help="Use the small dump, items and tokenizer that ship with wikiprep.")
@click.option("--from", "annotated", type=click.Path(), help="JSON lines of paragraphs with links, instead of a dump.")
@click.option("--vocab", type=click.Path(), help="Entity vocabulary for --from: JSON lines, TSV or entity_vocab.json.")
@titles_from_option
@run_options
@content_options("input", "wikidata", "extract", "leave_out", "vocabulary", "tokenizer", "records", "relations")
def command(**parameters: Any) -> None:
    """Make records of DUMPS, or of the annotated text of --from with the entities of --vocab.

    A line of annotated text is {"title", "text", "links": [{"target", "start", "end"}]}, optionally with "page_id",
    "revision_id" and "abstract"; a line {"redirects": [[from, to], ...]} may stand anywhere.
    """
    build_from(parameters)
