"""`wikiprep coverage`: which share of the links a vocabulary covers, for every size."""

import click


@click.command("coverage")
@click.argument("corpus", type=click.Path())
@click.option(
    "--svg", type=click.Path(dir_okay=False), help="Draw the curve into this file too; needs wikiprep[plots]."
)
def command(corpus: str, svg: str | None) -> None:
    """Show how the share of links covered grows with --vocab-size, to choose one for CORPUS on its own data."""
    from wikiprep.local.show_coverage import show_coverage

    show_coverage(corpus, svg)
