"""`wikiprep export-relations`: records with what holds between their mentions, as JSON lines."""

import click

from wikiprep.cli.output_types import LINES


@click.command("export-relations")
@click.argument("corpus", type=click.Path())
@click.option("--output", "-o", "target", required=True, type=LINES, help='File to write, "-" for standard output.')
@click.option("--unrelated", is_flag=True, help="Records without a relation too.")
def command(corpus: str, target: str, unrelated: bool) -> None:
    """Write the records of CORPUS that have relations, one JSON object a line (wikiprep docs relations).

    The corpus is built with --wikidata and --text.
    """
    from wikiprep.applications.export_relations import export_relations

    export_relations(corpus, target, unrelated=unrelated)
