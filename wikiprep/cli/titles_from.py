"""--titles-from: of which dump the titles of links are, where the vocabulary is another dump's."""

import click

titles_from_option = click.option(
    "--titles-from",
    metavar="CORPUS_OR_QIDS",
    type=click.Path(),
    help="Where the links' titles are from: a corpus of that dump, or its QIDs (of `wikiprep qids`, or a file). Links "
    "are then carried to the vocabulary by QID, title or redirect.",
)
