"""`wikiprep merge-vocabularies`: one entity vocabulary for several wikis."""

import click

from wikiprep.cli.output_types import FOLDER


@click.command("merge-vocabularies")
@click.argument("corpora", nargs=-1, required=True, type=click.Path())
@click.option("--output", "-o", "target", required=True, type=FOLDER, help="Folder for the files.")
@click.option("--min-languages", type=click.IntRange(1), default=3, help="Languages that have the entity at least. [3]")
@click.option(
    "--size", type=click.IntRange(4), default=1_200_000, help="Entities, [PAD], [UNK], [MASK] among them. [1200000]"
)
@click.option("--min-count", type=click.IntRange(0), default=1, help="Links of all languages together. [1]")
def command(corpora: tuple[str, ...], target: str, min_languages: int, size: int, min_count: int) -> None:
    """Merge the entity vocabularies of CORPORA, one a language, by Wikidata item (wikiprep docs multilingual).

    The order of CORPORA does not matter. `--entity-vocab` of a build takes the result.
    """
    from wikiprep.applications.vocabularies import merge
    from wikiprep.tables.merge_vocabularies import MergeOptions

    merge(corpora, target, MergeOptions(min_languages, size, min_count))
