"""`wikiprep picture`: frozen vectors of entities or relations in two dimensions."""

from pathlib import Path

import click

from wikiprep.cli.frozen_options import frozen_options, note_writer, split_labels


@click.command("picture")
@frozen_options
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
) -> None:
    """Draw frozen vectors of the mentions (or pairs) of DATA in two dimensions, by UMAP.

    DATA is a set as `cluster` takes it. Writes picture.png and picture.svg, a panel for each model and kind of vectors,
    and points.parquet, the same points. Needs pip install "wikiprep[picture]".
    """
    from wikiprep.tasks.frozen.picture import PictureOptions, picture

    options = PictureOptions(what, Path(data), models, vectors, set_name, split_labels(labels), seed, language)
    count = picture(options, Path(output), note_writer(quiet))
    click.echo(f"{output}: {count:,} points: picture.png, picture.svg, points.parquet")
