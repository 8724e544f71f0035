"""`wikiprep kg-embed`: vectors of a knowledge graph."""

import click

from wikiprep.cli.needs_torch import needs_torch
from wikiprep.cli.output_types import FOLDER
from wikiprep.knowledge import COLUMNS


@click.command("kg-embed")
@click.argument("triples", type=click.Path())
@click.option("--output", "-o", required=True, type=FOLDER, help="Folder for the vectors.")
@click.option("--model", default="TransE", help="TransE, RotatE, PairRE, TransR, DistMult or ComplEx. [TransE]")
@click.option("--dim", type=click.IntRange(1), default=50, help="Numbers of a vector; of a complex one pairs. [50]")
@click.option("--epochs", type=click.IntRange(1), default=1000, help="Passes over the triples. [1000]")
@click.option("--batch-size", type=click.IntRange(1), default=128, help="Triples of a step. [128]")
@click.option("--learning-rate", type=click.FloatRange(0, min_open=True), help="Of Adam. [PyTorch's default, 0.001]")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="Of first vectors, order, negatives. [0]")
@click.option("--columns", type=click.Choice(COLUMNS), help="Of tab-separated triples whose look does not tell.")
@click.option("--checkpoint-minutes", type=click.IntRange(0), default=5, help="Between checkpoints. [5]")
@click.option("--device", default="cpu", help="PyTorch's name of the device, such as cuda. [cpu]")
def command(
    triples: str,
    output: str,
    model: str,
    dim: int,
    epochs: int,
    batch_size: int,
    learning_rate: float | None,
    seed: int,
    columns: str | None,
    checkpoint_minutes: int,
    device: str,
) -> None:
    """Train vectors of the entities and relations of TRIPLES, and measure them by link prediction.

    TRIPLES is a folder with train, valid and test (.txt or .tsv) of three columns separated by tabs, such as
    export-triples wrote, or with OpenKE's files (WN18), or one file. The same command goes on where it was stopped;
    with more --epochs it trains on.
    """
    from wikiprep.knowledge.graph import show_embedded
    from wikiprep.knowledge.phi import form_of
    from wikiprep.process import let_pandas_in
    from wikiprep.terminal.command_progress import show_progress

    form_of(model)  # before PyKEEN is imported, which takes seconds
    let_pandas_in()  # which PyKEEN imports
    with needs_torch("knowledge"):
        from wikiprep.knowledge.embed.run import embed
        from wikiprep.knowledge.embed.train import TRAINING, Settings

    settings = Settings(
        model=model, dim=dim, epochs=epochs, batch_size=batch_size, learning_rate=learning_rate, seed=seed
    )
    with show_progress([TRAINING]) as progress:
        result = embed(
            triples, output, settings, columns=columns, minutes=checkpoint_minutes, device=device, progress=progress
        )
    show_embedded(output, result.graph, result.metrics, done=result.done)
