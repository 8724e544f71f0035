"""`wikiprep mentions`: what a name can mean, by the counts of a corpus."""

import click


@click.command("mentions")
@click.argument("corpus", type=click.Path())
@click.argument("name")
@click.option("-k", "most", type=click.IntRange(1), default=10, help="Candidates to show at most. [10]")
@click.option("--folded", is_flag=True, help="Whatever the case, quotes and hyphens: all forms of the name together.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def command(corpus: str, name: str, most: int, folded: bool, as_json: bool) -> None:
    """Show the pages that NAME can mean in CORPUS, with raw counts and what follows from them.

    NAME is as text has it, with spaces: "Galileo Galilei".
    """
    from wikiprep.api.corpus import open_corpus
    from wikiprep.applications.mentions import show_mentions

    show_mentions(open_corpus(corpus), name, most, folded, as_json)
