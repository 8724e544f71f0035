"""`wikiprep kg-attention`: what words of a text attend to in a model with a knowledge graph."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from wikiprep.tasks.finetune.knowledge.show_attention import WordAttention


@click.command("kg-attention")
@click.argument("run", type=click.Path())
@click.argument("text")
@click.argument("second", required=False)
@click.option("--knowledge", required=True, type=click.Path(), help="Folder of kg-embed that the run was trained with.")
@click.option("--word", help="Of this word alone, as it stands in the text. [all that have an entity]")
@click.option("-k", "count", type=click.IntRange(1), default=10, help="How many (word, relation) pairs. [10]")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def command(
    run: str, text: str, second: str | None, knowledge: str, word: str | None, count: int, as_json: bool
) -> None:
    """Print what words of TEXT attend to most in the KG-attention layer: words, and relations to them.

    RUN is a run of finetune --knowledge (of one seed); SECOND is the other text of a task of two. "in the graph": the
    graph has the triple; "estimated": it has not. Weights are of all keys, a mean over heads.
    """
    from wikiprep.extra_packages import needs_torch

    with needs_torch():
        from wikiprep.tasks.finetune.knowledge.show_attention import look
    _show_attention(look(run, knowledge, text, second, word, count), as_json=as_json)


def _show_attention(words: Sequence["WordAttention"], *, as_json: bool) -> None:
    """A table a word; or JSON, a line a word."""
    import orjson

    for word_attention in words:
        if as_json:
            click.echo(orjson.dumps(word_attention).decode())
            continue
        click.echo(
            f"{word_attention.word}: {word_attention.entity}"
            if word_attention.entity
            else f"{word_attention.word}: no entity"
        )
        for key in word_attention.keys:
            mark = "" if not key.relation else "in the graph" if key.in_graph else "estimated"
            relation = f"{key.relation} ({key.way})" if key.relation else "itself"
            entity = f" ({key.entity})" if key.entity not in ("", key.word) else ""
            click.echo(f"{key.weight:8.4f}  {mark:12}  {key.word}{entity}, {relation}")
        click.echo(f"{word_attention.rest:8.4f}  {'':12}  all others")
