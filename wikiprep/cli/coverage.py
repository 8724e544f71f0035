"""`wikiprep coverage`: which share of the links a vocabulary covers, for every size."""

import click

from wikiprep.cli.output_types import FILE


@click.command("coverage")
@click.argument("corpus", type=click.Path())
@click.option("--svg", type=FILE, help="Draw the curve into this file too; needs wikiprep[plots].")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
def command(corpus: str, svg: str | None, as_json: bool) -> None:
    """Show how the share of links covered grows with --vocab-size, to choose one for CORPUS on its own data."""
    from wikiprep.applications.show_coverage import show_coverage

    show_coverage(corpus, svg, as_json)
