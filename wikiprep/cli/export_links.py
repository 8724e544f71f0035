"""`wikiprep export-links`: every link of a corpus's text, where it leads, and why it was lost."""

import click

from wikiprep.cli.output_types import FILE


@click.command("export-links")
@click.argument("corpus", type=click.Path())
@click.option("--output", "-o", "target", required=True, type=FILE, help="File: .parquet, .jsonl or .tsv.")
@click.option("--lost", is_flag=True, help="Only links that no entity of the vocabulary covers.")
def command(corpus: str, target: str, lost: bool) -> None:
    """Write the links in the text of CORPUS, one row a link (wikiprep docs formats).

    Page, place, text, target, where redirects end, its item, its entity, and why no entity covers it. Their sums are
    those of the manifest.
    """
    from wikiprep.applications.export_links import export_links

    export_links(corpus, target, lost=lost)
