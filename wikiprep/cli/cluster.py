"""`wikiprep cluster`: what frozen vectors know of types and relations, by k-means."""

from pathlib import Path

import click

from wikiprep.cli.frozen_options import frozen_options, note_writer, split_labels


@click.command("cluster")
@frozen_options
@click.option("--classes", type=click.IntRange(2), help="Labels drawn for a run. [4 relations; all types of entities]")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True, help="Draws, and seeds of k-means.")
@click.option("--starts", type=click.IntRange(1), default=10, show_default=True, help="Beginnings of each k-means.")
def command(
    what: str,
    data: str,
    models: tuple[str, ...],
    vectors: tuple[str, ...],
    set_name: str | None,
    labels: str | None,
    language: str | None,
    seed: int,
    output: str,
    quiet: bool,
    classes: int | None,
    runs: int,
    starts: int,
) -> None:
    """Cluster frozen vectors of the mentions (or pairs) of DATA, and compare with their types (or relations).

    DATA is the folder (or one file) of bc5cdr, conll2003 or wnut17 (entities), of nyt24 or fewrel (relations). Prints
    ACC by the best assignment, NMI and ARI beside the published rows: wikiprep docs spot-evaluations.
    """
    from wikiprep.tasks.frozen.cluster import ClusterOptions, cluster
    from wikiprep.tasks.frozen.cluster_results import write_clustered

    names = split_labels(labels)
    options = ClusterOptions(
        what, Path(data), models, vectors, set_name, names, classes or 0, runs, seed, starts, language
    )
    click.echo(write_clustered(Path(output), cluster(options, note_writer(quiet))), nl=False)
