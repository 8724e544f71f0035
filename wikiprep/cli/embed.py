"""`wikiprep embed`: vectors of a trained model."""

import click

from wikiprep.cli.needs_torch import needs_torch
from wikiprep.errors import UsageError

TABLE = "table"


@click.command("embed")
@click.argument("checkpoint", metavar="RUN_OR_CHECKPOINT", type=click.Path())
@click.option(
    "--of",
    "kind",
    required=True,
    type=click.Choice(["tokens", "words", "spans", "entities", TABLE]),
    help="tokens, words: of all of a text. spans, entities: of its mentions. table: rows of the entity table.",
)
@click.option("--input", "source", type=click.Path(), help='JSON lines of texts, "-" for standard input.')
@click.option("--titles", type=click.Path(), help="With --of table: a file of titles, one a line. [all entities]")
@click.option("--output", "-o", required=True, type=click.Path(), help="File to write: .npy or .arrow.")
@click.option("--strict", is_flag=True, help="Stop at a line that cannot be used, instead of leaving it out.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
def command(
    checkpoint: str, kind: str, source: str | None, titles: str | None, output: str, strict: bool, quiet: bool
) -> None:
    """Write vectors of texts, or of the entity table, with an index of what each is of.

    RUN_OR_CHECKPOINT is a run (its newest checkpoint) or one of its checkpoints. A line of --input is {"text": "with [a
    mention]"}, or {"text": "…", "links": [{"start": 0, "end": 4, "target": "Title"}]}; the model sees a mention as the
    entity that its target names, or masked.
    """
    if kind == TABLE and source is not None:
        raise UsageError("--of table reads no texts", "--titles FILE chooses entities")
    if kind != TABLE and (source is None or titles is not None):
        raise UsageError(f"--of {kind} needs --input, and takes no --titles", "the texts are JSON lines")
    with needs_torch():
        from wikiprep.pretrain.embed import embed_table, embed_texts
    unknown: list[str] = []
    if source is None:
        count, size, unknown = embed_table(checkpoint, titles, output)
    else:
        count, size = embed_texts(checkpoint, source, output, kind, strict=strict)
    if unknown:
        shown = ", ".join(unknown[:5]) + (", …" if len(unknown) > 5 else "")
        click.echo(f"wikiprep: {len(unknown):,} titles are no entities of the model: {shown}", err=True)
    if not quiet:
        click.echo(f"wikiprep: {output}: {count:,} vectors of {size:,} numbers", err=True)
