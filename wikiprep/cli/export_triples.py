"""`wikiprep export-triples`: Wikidata's relations between the wiki's entities, for knowledge-graph tools."""

import click

from wikiprep.cli.output_types import FOLDER
from wikiprep.errors import UsageError


@click.command("export-triples")
@click.argument("corpus", type=click.Path())
@click.option("--output", "-o", "target", required=True, type=FOLDER, help="Folder for the files.")
@click.option("--valid", type=click.FloatRange(0, 1), default=0.05, help="Share of the triples to validate on. [0.05]")
@click.option("--test", type=click.FloatRange(0, 1), default=0.05, help="Share of the triples to test on. [0.05]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, help="Which triples these are. [0]")
@click.option("--vocabulary", is_flag=True, help="Only triples between entities of the corpus's vocabulary.")
@click.option("--outside", is_flag=True, help="Triples to items without a page too (built with --wikidata-outside).")
@click.option("--min-degree", type=click.IntRange(1), default=1, help="Triples that an entity has at least. [1]")
@click.option("--min-relation", type=click.IntRange(1), default=1, help="Triples that a relation has at least. [1]")
@click.option(
    "--max-overlap",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.97,
    help="Of relations that overlap by as much, as inverses or duplicates, only the largest is kept. [0.97]",
)
@click.option(
    "--leave-out", multiple=True, help="List of facts not to write (wikiprep docs evaluation-sets); several times."
)
@click.option("--keep-redundant", is_flag=True, help="Keep these too.")
def command(
    corpus: str,
    target: str,
    valid: float,
    test: float,
    seed: int,
    vocabulary: bool,
    outside: bool,
    min_degree: int,
    min_relation: int,
    max_overlap: float,
    leave_out: tuple[str, ...],
    keep_redundant: bool,
) -> None:
    """Write the triples of CORPUS as train.tsv, valid.tsv and test.tsv (head, property, tail).

    All triples between two entities are in one file, and every entity and relation is in train.tsv. Beside them:
    entities.tsv, relations.tsv, overlaps.tsv and export.json.
    """
    from wikiprep.applications.export_triples import SplitOptions, export_triples
    from wikiprep.wikidata.graph.select import Selection

    if not max_overlap > 0:  # NaN
        raise UsageError(f"--max-overlap {max_overlap} is no share", "give a number up to 1")
    selection = Selection(min_degree, min_relation, None if keep_redundant else max_overlap)
    parts = SplitOptions(valid, test, seed)
    export_triples(corpus, target, selection, parts, only_vocabulary=vocabulary, leave_out=leave_out, outside=outside)
