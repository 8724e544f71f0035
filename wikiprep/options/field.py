"""An option is a field of a frozen dataclass; its default, help text and bounds stand there and nowhere else."""

from dataclasses import field
from typing import Any, TypeVar

T = TypeVar("T")
LARGEST = 1_000_000_000.0


def option(
    default: T,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    minimum: float | None = None,
    maximum: float = LARGEST,
    path: bool = False,
) -> T:
    """A field with its help text and the values it takes.

    `minimum` and `maximum` are taken too; without a minimum a number is not bounded. `path`: names a file, whose
    content counts, not its name.
    """
    option_field: T = field(default=default, metadata=_metadata(help, choices, minimum, maximum, path))
    return option_field


def required(help: str, *, minimum: float | None = None, maximum: float = LARGEST) -> Any:
    """The same of an option without a default: whoever makes the dataclass gives it."""
    return field(metadata=_metadata(help, (), minimum, maximum, False))


def _metadata(
    help: str, choices: tuple[str, ...], minimum: float | None, maximum: float, path: bool
) -> dict[str, object]:
    return {"help": help, "choices": choices, "minimum": minimum, "maximum": maximum, "path": path}
