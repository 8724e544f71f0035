"""`wikiprep embed`: vectors of a trained model."""

import click

from wikiprep.cli.model_options import language_option, model_argument, tell_links, titles_from_option, unknown_option
from wikiprep.cli.output_types import FILE
from wikiprep.errors import UsageError
from wikiprep.extra_packages import needs_torch

TABLE = "table"


@click.command("embed")
@model_argument
@click.option(
    "--of",
    "kind",
    required=True,
    type=click.Choice(["tokens", "words", "spans", "entities", "pairs", TABLE]),
    help="tokens, words: of all of a text. spans, entities: of its mentions. pairs: of two mentions each (SPOT). "
    "table: rows of the entity table.",
)
@click.option("--input", "-i", "source", type=click.Path(), help='JSON lines of texts, "-" for standard input.')
@click.option("--titles", type=click.Path(), help="With --of table: a file of titles, one a line. [all entities]")
@click.option("--output", "-o", required=True, type=FILE, help="File to write: .npy or .arrow.")
@unknown_option
@titles_from_option
@language_option
@click.option("--strict", is_flag=True, help="Stop at a line that cannot be used, instead of leaving it out.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
def command(
    model: str,
    kind: str,
    source: str | None,
    titles: str | None,
    output: str,
    unknown: str,
    titles_from: str | None,
    language: str | None,
    strict: bool,
    quiet: bool,
) -> None:
    """Write vectors of texts, or of the entity table, with an index of what each is of.

    MODEL is a run (its newest checkpoint), one of its checkpoints, or a folder or hub name of Hugging Face's: what
    export-hf wrote, LUKE, mLUKE, BERT, RoBERTa, XLM-RoBERTa. A line of --input is {"text": "with [a mention]"}, or
    {"text": "…", "links": [{"start": 0, "end": 4, "target": "Title", "qid": "Q1"}]}; the model sees a mention as the
    entity that its link names (found by qid, title or redirect), or masked. SPOT looks nothing up: any span has a
    vector, and so has any ordered pair: all of a text, or those of "pairs": [[0, 1], …] beside "links".
    """
    if kind == TABLE and source is not None:
        raise UsageError("--of table reads no texts", "--titles FILE chooses entities")
    if kind != TABLE and (source is None or titles is not None):
        raise UsageError(f"--of {kind} needs --input, and takes no --titles", "the texts are JSON lines")
    with needs_torch():
        from wikiprep.inference.embed import embed_table, embed_texts
    if source is None:
        count, size, missing = embed_table(model, titles, output, language)
        if missing:
            examples = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
            click.echo(f"wikiprep: {len(missing):,} titles are no entities of the model: {examples}", err=True)
    else:
        result = embed_texts(
            model, source, output, kind, strict=strict, unknown=unknown, language=language, titles_from=titles_from
        )
        count, size = result.count, result.size
        tell_links(result.links, unknown, quiet)
        if result.cut:
            click.echo(
                f"wikiprep: {result.cut:,} mentions are longer than the model looks: their first tokens count", err=True
            )
    if not quiet:
        click.echo(f"wikiprep: {output}: {count:,} vectors of {size:,} numbers", err=True)
