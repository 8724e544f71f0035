"""`wikiprep report`: a corpus, and runs on it, as one HTML file."""

import click

from wikiprep.cli.output_types import HTML


@click.command("report")
@click.argument("corpus", type=click.Path())
@click.option("-o", "--output", type=HTML, default="report.html", help="File to write. [report.html]")
@click.option("--run", "runs", multiple=True, type=click.Path(), help="Folder of a run of pretrain; may be repeated.")
@click.option("--compare", type=click.Path(), help="Another corpus, to stand beside CORPUS.")
@click.option("--pages", type=click.IntRange(0, 200), default=20, help="Random pages to show of each corpus. [20]")
@click.option("--seed", type=int, default=0, help="Which pages, and which part of a large corpus is measured. [0]")
def command(corpus: str, output: str, runs: tuple[str, ...], compare: str | None, pages: int, seed: int) -> None:
    """Show what is in CORPUS as one HTML file that opens offline: counts, pictures with their tables, random pages.

    Needs pip install "wikiprep[report]".
    """
    from wikiprep.report.make_report import ReportOptions, write_report

    size = write_report(ReportOptions(corpus, compare, runs, pages, seed), output)
    click.echo(f"{output}: {size:,} bytes; open it in a browser")
