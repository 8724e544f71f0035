"""`wikiprep export-mentions`: the mention table for other people's tools."""

import click

from wikiprep.cli.output_types import FILE_OR_STREAM


@click.command("export-mentions")
@click.argument("corpus", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(["rel", "tsv"]),
    required=True,
    help="rel: the SQLite table that REL looks names up in. tsv: lines with a header, columns as in wikipedia2vec.",
)
@click.option(
    "--output", "-o", "target", required=True, type=FILE_OR_STREAM, help='File to write; tsv: "-" for standard output.'
)
@click.option("-k", "most", type=click.IntRange(1), help="Pages of a name at most. [100 for rel, all for tsv]")
@click.option(
    "--min-link-probability",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Names below it are left out. [0]",
)
def command(corpus: str, form: str, target: str, most: int | None, min_link_probability: float) -> None:
    """Write which pages each name of CORPUS can mean, with counts, for another tool.

    The page whose title the name is stays among its pages, marked, whatever its counts.
    """
    from wikiprep.local.export_mentions import export_mentions

    export_mentions(corpus, form, target, most, min_link_probability)
