"""How work that is no build tells how far it is. The core passes these on; `terminal/` shows them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

T = TypeVar("T")
Advance = Callable[[int], None]  # so much more is done, in the measure of the part
BYTES = "bytes"


class Progress(Protocol):
    """Of one command, part after part."""

    def part(self, name: str, total: int | None, measure: str = BYTES) -> AbstractContextManager[Advance]:
        """Work of `total` bytes, or of so many of what `measure` calls one of ("row"), follows; None: unknown."""

    def latest(self, text: str) -> None:
        """What the part last came to, in a few words ("loss 0.1234"), to be shown beside its counts from now on."""

    def aside(self) -> None:
        """Something else is written to the terminal now."""


def ignore_progress(_: int) -> None:
    """An `Advance` that nobody watches."""


class NoProgress:
    """Shows nothing."""

    def part(self, name: str, total: int | None, measure: str = BYTES) -> AbstractContextManager[Advance]:
        """See `Progress`."""
        return nullcontext(ignore_progress)

    def latest(self, text: str) -> None:
        """See `Progress`."""

    def aside(self) -> None:
        """See `Progress`."""


NO_PROGRESS = NoProgress()


def advance_over(items: Iterable[T], advance: Advance, size: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """The same items; `advance` gets the `size` of each once the consumer comes for the next."""
    for item in items:
        yield item
        advance(size(item))
