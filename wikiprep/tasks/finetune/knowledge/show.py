"""What `kg-attention` prints."""

from collections.abc import Sequence

import click
import orjson

from wikiprep.tasks.finetune.knowledge.look import WordAttention


def show_attention(words: Sequence[WordAttention], *, as_json: bool) -> None:
    """A table a word; or JSON, a line a word."""
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
