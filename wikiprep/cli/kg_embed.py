"""`wikiprep kg-embed`: vectors of a knowledge graph."""

from typing import Any

import click

from wikiprep.cli.options import options_of
from wikiprep.cli.output_types import FOLDER
from wikiprep.extra_packages import needs_torch
from wikiprep.knowledge import COLUMNS
from wikiprep.knowledge.embed.settings import TABLE, RunSettings, Settings
from wikiprep.options.option_fields import take_options


@click.command("kg-embed")
@click.argument("triples", type=click.Path())
@click.option("--output", "-o", required=True, type=FOLDER, help="Folder for the vectors.")
@options_of(Settings)
@click.option("--columns", type=click.Choice(COLUMNS), help="Of tab-separated triples whose look does not tell.")
@options_of(RunSettings)
def command(triples: str, output: str, columns: str | None, **options: Any) -> None:
    """Train vectors of the entities and relations of TRIPLES, and measure them by link prediction.

    TRIPLES is a folder with train, valid and test (.txt or .tsv) of three columns separated by tabs, such as
    export-triples wrote, or with OpenKE's files (WN18), or one file. The same command goes on where it was stopped;
    with more --epochs it trains on.
    """
    from wikiprep.knowledge.graph import show_embedded
    from wikiprep.process import let_pandas_in
    from wikiprep.terminal.command_progress import show_progress

    given = {name: value for name, value in options.items() if value is not None}
    settings = take_options(Settings(), given, TABLE)  # before PyKEEN is imported, which takes seconds
    run = take_options(RunSettings(), given, TABLE)
    let_pandas_in()  # which PyKEEN imports
    with needs_torch("knowledge"):
        from wikiprep.knowledge.embed.run import embed
        from wikiprep.knowledge.embed.train import TRAINING

    with show_progress([TRAINING]) as progress:
        result = embed(triples, output, settings, columns=columns, run=run, progress=progress)
    show_embedded(output, result.graph, result.metrics, done=result.done)
