"""Pages in batches of about a megabyte of text, each worked on in the guard's child process.

As in the build (`guard/guard.py`): a page that hangs, eats the memory or kills the interpreter is tried once more
alone, and then a reject; the others of its batch are done again without it. What the guard sees is the batch, so a bad
page costs a batch, not a bundle. A worker has as many children at work as it has cores, and keeps them, with their
tables and their tokenizer, from bundle to bundle.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
from apache_beam.utils.windowed_value import WindowedValue

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.guard.guard import Work
from wikiprep.guard.guard_pool import borrowed_guard
from wikiprep.options.option_fields import fill_options
from wikiprep.pipelines.transforms.elements import Reject
from wikiprep.pipelines.transforms.worker import REJECTS, CheckedDoFn, Worker
from wikiprep.pipelines.worker_unit import slots
from wikiprep.process import usable_cores

BATCH_CHARACTERS = 1_000_000
BATCH_PAGES = 2_000  # of a batch of many small ones

Outcome = tuple[Any, Reject | None]  # what was made of a page or None, and why it was left out


@dataclass(frozen=True)
class Limits:
    """Of one page: seconds, and bytes of the child's private memory."""

    seconds: float
    memory: int

    @classmethod
    def of(cls, page_timeout: float, page_memory: int) -> "Limits":
        """`page_memory` in MB, as the option of a build. Raises UsageError for what cannot be."""
        options = fill_options(RunOptions(), {"page_timeout": page_timeout, "page_memory": page_memory}, "run")
        return cls(options.page_timeout, options.page_bytes)


class GuardedDoFn(CheckedDoFn):
    """Gives batches to `work` in the guard's child, with `terms` before them. For each kind of work a class."""

    def __init__(
        self, transform: str, worker: Worker, kind: type, wiki: str, limits: Limits, terms: Any, work: Work[Any]
    ) -> None:
        super().__init__(transform, worker, kind, wiki)
        self._limits, self._terms, self._work = limits, terms, work

    def characters(self, element: Any) -> int:
        """The text of an element, in characters."""
        raise NotImplementedError

    def finish(self, elements: Sequence[Any], value: Any) -> tuple[Sequence[Outcome], Mapping[Count, int]]:
        """What became of each element of a batch, of what `work` gave; and counts."""
        raise NotImplementedError

    def start_bundle(self) -> None:
        """Bundles share no batch: each may be repeated alone."""
        self._waiting: list[WindowedValue] = []
        self._characters = 0

    def process(
        self, element: Any, timestamp: Any = beam.DoFn.TimestampParam, window: Any = beam.DoFn.WindowParam
    ) -> Iterator[Any]:
        """Take a page, and give what a full batch makes."""
        self.check(element)
        self._waiting.append(WindowedValue(element, timestamp, (window,)))
        self._characters += self.characters(element)
        if self._characters >= BATCH_CHARACTERS or len(self._waiting) >= BATCH_PAGES:
            yield from self._flush()

    def finish_bundle(self) -> Iterator[Any]:
        """What is left."""
        yield from self._flush()

    def _flush(self) -> Iterator[Any]:
        waiting, self._waiting, self._characters = self._waiting, [], 0
        if not waiting:
            return
        elements = [it.value for it in waiting]
        place = elements[0].place
        with slots(usable_cores()), borrowed_guard(self._limits.seconds, self._limits.memory) as guard:
            unit = f"{self._transform}: pages from {place.ordinal} of {place.name}"
            result = guard.run(self._work, (self._terms, elements), None, unit)
        outcomes, counts = self.finish(elements, result.value)
        self.count(counts)
        for windowed, (output, reject) in zip(waiting, outcomes, strict=True):
            if output is not None:
                yield WindowedValue(output, windowed.timestamp, windowed.windows)
            if reject is not None:
                yield beam.pvalue.TaggedOutput(REJECTS, WindowedValue(reject, windowed.timestamp, windowed.windows))
