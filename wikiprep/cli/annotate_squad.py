"""`wikiprep annotate-squad`: entity spans for passages and questions in the format of SQuAD 1.1."""

from typing import Any

import click

from wikiprep.cli.annotate import rule_options, target_of
from wikiprep.cli.output_types import JSON


@click.command("annotate-squad")
@click.argument("corpus", type=click.Path())
@click.option(
    "--input", "-i", "source", required=True, type=click.Path(), help='SQuAD 1.1 JSON, "-" for standard input.'
)
@click.option("--output", "-o", "target", required=True, type=JSON, help='File to write, "-" for standard output.')
@rule_options
def command(
    source: str, target: str, corpus: str, quiet: bool, vocab: str | None, language: str | None, **rule: Any
) -> None:
    """Add "entities" to every passage and question, with the mention statistics of CORPUS.

    The names are those that the passage's page links (appendix C of the LUKE paper), for its questions too, whatever
    their case. All else in the file stays.
    """
    from wikiprep.annotate.annotator import Rule
    from wikiprep.applications.annotate_files import annotate_squad

    annotate_squad(corpus, source, target, Rule(**rule), quiet=quiet, to=target_of(vocab, language))
