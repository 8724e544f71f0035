"""What commands on linked texts share: the model that is asked, whose titles links have, and those it does not know."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

model_argument = click.argument("model", metavar="MODEL", type=click.Path())
language_option = click.option(
    "--language",
    help="Of a model with entities in several, as mLUKE: whose titles are plain; others are en:Oslo.",
)
unknown_option = click.option(
    "--unknown",
    type=click.Choice(["unk", "mask", "reject"]),
    default="unk",
    help="A link whose entity the model lacks stands as [UNK] or as [MASK], or the text is left out. [unk]",
)
titles_from_option = click.option(
    "--titles-from",
    metavar="CORPUS_OR_QIDS",
    type=click.Path(),
    help="Where the links' titles are from: a corpus of that dump, or its QIDs (of `wikiprep qids`, or a file). Links "
    "are then carried to the vocabulary by QID, title or redirect.",
)


def tell_links(links: Any, unknown: str, quiet: bool) -> None:
    """The sum of a text's links on stderr; with `quiet` only where some were unknown. `links`: see linked.ways."""
    from wikiprep.inference.seen_mentions import NOT_KNOWN, in_words

    message = in_words(links, unknown)
    if message and (not quiet or links[NOT_KNOWN]):
        click.echo(f"wikiprep: {message}", err=True)
