"""`wikiprep export-spacy`: the mention table as spaCy's knowledge base, or as patterns of its entity ruler."""

import click

from wikiprep.cli.output_types import FILE_OR_STREAM, STREAM
from wikiprep.errors import UsageError
from wikiprep.extra_packages import needs_torch

KB, PATTERNS = "kb", "patterns"


@click.command("export-spacy")
@click.argument("corpus", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice([KB, PATTERNS]),
    required=True,
    help="kb: a folder for InMemoryLookupKB.from_disk (needs spaCy). patterns: JSON lines for EntityRuler.from_disk.",
)
@click.option(
    "--output", "-o", "target", required=True, type=FILE_OR_STREAM, help="Folder, or file (.jsonl), to write."
)
@click.option("--ids", type=click.Choice(["qid", "title"]), help="What entities are called. [qid, if there are any]")
@click.option("-k", "most", type=click.IntRange(1), help="kb: entities of a name at most. [all]")
@click.option(
    "--min-link-probability", type=click.FloatRange(0, 1), default=0.01, help="Names below it are left out. [0.01]"
)
@click.option(
    "--min-prior",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="patterns: share of a name's links that must lead to its entity. [0]",
)
@click.option("--label", default="ENTITY", help="patterns: the label of all. [ENTITY]")
@click.option("--vectors", metavar="MODEL", type=click.Path(), help="kb: vectors of a trained LUKE. [zeros]")
@click.option("--vector-length", type=click.IntRange(1), default=64, help="kb: zeros of an entity's vector. [64]")
def command(
    corpus: str,
    form: str,
    target: str,
    ids: str | None,
    most: int | None,
    min_link_probability: float,
    min_prior: float,
    label: str,
    vectors: str | None,
    vector_length: int,
) -> None:
    """Write which entities the names of CORPUS mean, with their priors, for spaCy.

    The frequency of an entity is the number of links to it. With --vectors the knowledge base has the rows of MODEL's
    entity table, and those entities alone.
    """
    from wikiprep.applications.export_spacy import EntityVectors, SpacyOptions, write_kb, write_patterns

    options = SpacyOptions(ids, most, min_link_probability)
    if form == PATTERNS:
        if vectors is not None:
            raise UsageError("--vectors: patterns have none", "--format kb takes them")
        if target != "-" and not target.endswith(".jsonl"):
            raise UsageError(f"--output {target}", f"spaCy knows patterns by their name: call it {target}.jsonl")
        write_patterns(corpus, target, options, label, min_prior)
        return
    if target == STREAM:
        raise UsageError("--output -: a knowledge base is a folder", "give the folder's name")
    entity_vectors = None
    if vectors is not None:
        with needs_torch():
            from wikiprep.inference.embed import read_table
        entity_vectors = EntityVectors(*read_table(vectors))
    write_kb(corpus, target, options, entity_vectors, vector_length)
