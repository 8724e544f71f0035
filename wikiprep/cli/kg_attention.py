"""`wikiprep kg-attention`: what words of a text attend to in a model with a knowledge graph."""

import click


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
    from wikiprep.cli.needs_torch import needs_torch

    with needs_torch():
        from wikiprep.tasks.finetune.knowledge.look import look
        from wikiprep.tasks.finetune.knowledge.show import show_attention
    show_attention(look(run, knowledge, text, second, word, count), as_json=as_json)
