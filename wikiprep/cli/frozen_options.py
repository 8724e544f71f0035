"""What `cluster` and `picture` share: the set, the models, and which vectors of them."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wikiprep.cli.model_options import language_option
from wikiprep.cli.output_types import FOLDER
from wikiprep.tasks.frozen.encoders import KINDS

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.argument("what", type=click.Choice(["entities", "relations"]), metavar="entities|relations"),
    click.argument("data", type=click.Path()),
    click.option(
        "--model",
        "models",
        multiple=True,
        required=True,
        help="A run, a checkpoint, a Hugging Face folder or name, or a text file of word vectors. Several: compared.",
    ),
    click.option(
        "--vectors",
        multiple=True,
        type=click.Choice(KINDS),
        help="Kinds of vectors, several compared. [all that a model has]",
    ),
    click.option("--set", "set_name", help="Which set DATA is. [by its files]"),
    click.option("--labels", help="Types or relations, with commas between; of a path its last part will do."),
    language_option,
    click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of all that is drawn."),
    click.option("--output", "-o", required=True, type=FOLDER, help="Folder to write to."),
    click.option("--quiet", "-q", is_flag=True, help="Nothing on the terminal but the result."),
)


def frozen_options(command: F) -> F:
    """Those options, above the command's own."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def split_labels(labels: str | None) -> tuple[str, ...]:
    """The names between commas."""
    return tuple(name.strip() for name in (labels or "").split(",") if name.strip())


def note_writer(quiet: bool) -> Callable[[str], None]:
    """A function that writes a note on stderr; with `quiet` it writes nothing."""
    return (lambda what: None) if quiet else (lambda what: click.echo(f"wikiprep: {what}", err=True))
