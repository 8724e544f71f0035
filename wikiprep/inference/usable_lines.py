"""The lines of a file that a model can take, in batches; what cannot be used is reported with its place."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from wikiprep.errors import WikiprepError
from wikiprep.inference.seen_mentions import MentionResolver, ways
from wikiprep.inference.texts import FORM, RejectedLine, TextLine, read_texts
from wikiprep.pretrain.trained import BadText, Trained
from wikiprep.tables.title_source import open_title_source
from wikiprep.terminal.streams import numbered_lines
from wikiprep.terminal.wording import plural, printable

T = TypeVar("T")
BATCH = 16  # texts computed at once


class UsableLines:
    """The lines of a file (or "-") that the model can take; others are reported on stderr and counted.

    Of those, `links` counts by what their entities were found (`linked.ways`); `unknown`: see `linked.UNKNOWN`;
    `titles_from`: what --titles-from names, or None; `also`: raises BadText for a line that is no use for more reasons.
    """

    def __init__(
        self,
        trained: Trained,
        source: str,
        *,
        strict: bool,
        mentions: bool,
        unknown: str,
        titles_from: str | None = None,
        also: Callable[[TextLine], object] | None = None,
    ) -> None:
        self.used = self.rejected = 0
        self.links: Counter[str] = Counter()
        self._trained, self._source, self._strict, self._mentions = trained, source, strict, mentions
        self._extra_check = also
        self._resolver = MentionResolver(trained, unknown, open_title_source(titles_from) if titles_from else None)
        self._first_problem = ""

    def __iter__(self) -> Iterator[TextLine]:
        for line in read_texts(numbered_lines(self._source)):
            usable = self._resolve_line(line)
            if isinstance(usable, TextLine):
                self.used += 1
                self.links.update(ways(usable.seen))
                yield usable
                continue
            self.rejected += 1
            message = f"{'standard input' if self._source == '-' else self._source}:{line.number}: {usable}"
            if self._strict:
                raise WikiprepError(message, f"{FORM}; without --strict such lines are left out")
            self._first_problem = self._first_problem or message
            print(f"wikiprep: {printable(message)}; left out", file=sys.stderr)

    def close(self) -> None:
        """Raises WikiprepError where no line could be used."""
        if not self.used:
            what = (
                f"none of {plural(self.rejected, 'line')} can be used ({self._first_problem})"
                if self.rejected
                else "no line"
            )
            raise WikiprepError(f"{self._source}: {what}", FORM)

    def _resolve_line(self, line: TextLine | RejectedLine) -> TextLine | str:
        """The line with its links resolved, or why it cannot be used."""
        if isinstance(line, RejectedLine):
            return line.reason
        if self._mentions and not line.marked.spans:
            return "no mention in it"
        try:
            marked, seen = self._resolver.resolve(line.marked)
            self._trained.check(marked)
            if self._extra_check is not None:
                self._extra_check(line)
        except BadText as bad:
            return str(bad)
        return replace(line, marked=marked, seen=seen)


def batches(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """In lists of `size`, the last one perhaps shorter."""
    remaining = iter(things)
    while batch := list(islice(remaining, size)):
        yield batch
