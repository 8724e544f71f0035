"""`wikiprep convert`: the records of a corpus in another library's files."""

import click

from wikiprep.cli.output_types import FOLDER


@click.command("convert")
@click.argument("corpus", type=click.Path())
@click.option("--to", "form", type=click.Choice(["mds"]), required=True, help="mds: shards of mosaicml-streaming.")
@click.option("--output", "-o", "target", required=True, type=FOLDER, help="New folder to write.")
@click.option("--compression", metavar="NAME", help="As MDSWriter takes it, such as zstd or zstd:7. [none]")
def command(corpus: str, form: str, target: str, compression: str | None) -> None:
    """Write the records of CORPUS as MDS shards, for streaming's StreamingDataset (pip install mosaicml-streaming)."""
    from wikiprep.applications.convert_mds import convert_to_mds

    convert_to_mds(corpus, target, compression)
