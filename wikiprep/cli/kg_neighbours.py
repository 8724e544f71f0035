"""`wikiprep kg-neighbours`: what stands where a relation leads from a word."""

import click


@click.command("kg-neighbours")
@click.argument("knowledge", type=click.Path())
@click.argument("word")
@click.option("--relation", "-r", required=True, help="Its name, with or without _ in front, or its label.")
@click.option("--tail", is_flag=True, help="WORD is the tail: show heads.")
@click.option("-k", "count", type=click.IntRange(1), default=10, help="How many entities. [10]")
@click.option("--by", type=click.Choice(["l1", "cosine"]), default="l1", help="What nearest means. [l1]")
@click.option("--pos", type=click.Choice(["n", "v", "a", "r"]), help="Part of speech of WORD, for WordNet.")
@click.option("--wordnet", type=click.Path(), help="Folder of WordNet 3.0. [where it is installed]")
@click.option("--mentions", type=click.Path(), help="A corpus with mention statistics, for graphs of titles and items.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def command(
    knowledge: str,
    word: str,
    relation: str,
    tail: bool,
    count: int,
    by: str,
    pos: str | None,
    wordnet: str | None,
    mentions: str | None,
    as_json: bool,
) -> None:
    """Print the entities nearest to phi(WORD, relation), and which of them the graph has there.

    KNOWLEDGE is a folder of kg-embed. WORD is an entity's name, or a word that means one (wikiprep docs knowledge).
    """
    from wikiprep.extra_packages import needs_torch
    from wikiprep.knowledge.folder import open_knowledge
    from wikiprep.knowledge.neighbours import neighbours, show_neighbours

    with needs_torch("knowledge"):  # of which safetensors reads the vectors
        knowledge_graph = open_knowledge(knowledge)
    nearest_entities = neighbours(
        *(knowledge_graph, word, relation), tail=tail, count=count, by=by, pos=pos, wordnet=wordnet, corpus=mentions
    )
    show_neighbours(nearest_entities, as_json=as_json)
