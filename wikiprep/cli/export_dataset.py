"""`wikiprep export-dataset`: a corpus as a data set of the Hugging Face hub."""

import click

from wikiprep.cli.output_types import FOLDER


@click.command("export-dataset")
@click.argument("corpus", type=click.Path())
@click.option("--output", "-o", "target", required=True, type=FOLDER, help="New folder to write.")
@click.option("--url", help="Where the data set will be, for Croissant. [address of the wiki]")
def command(corpus: str, target: str, url: str | None) -> None:
    """Write CORPUS as a folder for the Hugging Face hub, ready to be uploaded: `hf upload NAME/DATASET FOLDER`.

    Parquet files of articles, records, entities, redirects and, where there are any, mentions, each a configuration of
    load_dataset; the tokenizer; a card; and croissant.json.
    """
    from wikiprep.applications.export_dataset import export_dataset

    export_dataset(corpus, target, url)
