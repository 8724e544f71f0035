"""Whether the gradients of all steps so far were finite, without waiting for a device that has yet to compute them.

The device keeps a mark that stays once it is set; AdamW's kernel looks at it and leaves parameters and moments alone.
So the host may find out some steps later: nothing has changed since the step before, whose place is kept here.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from wikiprep.pretrain.step import StepLosses

Records = list[list[tuple[int, int]]]  # of each micro-batch (corpus, record)


@dataclass(frozen=True)
class StepPlace:
    """Where training stood before a step, and what this rank computed in it."""

    step: int
    position: int
    at: tuple[int, int]  # stage, step of the stage
    records: Records
    computed: StepLosses


@dataclass
class _PendingMark:
    """A mark on its way from the device, with the step that it is of."""

    place: StepPlace
    mark: Tensor  # on the host, in page-locked memory; written when `copied` has happened
    copied: Any  # a CUDA event, None on a CPU


class GradientWatch:
    """Of one stage. `mark` is 1.0 on the device from the first step on whose gradients are no numbers."""

    def __init__(self, device: torch.device) -> None:
        self.mark = torch.zeros((), device=device)
        self._pending: deque[_PendingMark] = deque()
        self._bad_place: StepPlace | None = None
        self._last_event: Any = None  # the event behind the last step's gradients

    def add(self, place: StepPlace, norm: Tensor) -> None:
        """The norm of all gradients of the step at `place`; before AdamW's step, which takes `mark`."""
        self.mark = torch.maximum(self.mark, (~norm.isfinite()).to(self.mark.dtype))
        if self.mark.device.type != "cuda":
            self._pending.append(_PendingMark(place, self.mark, None))
            return
        host = torch.empty((), dtype=self.mark.dtype, pin_memory=True)
        host.copy_(self.mark, non_blocking=True)
        self._last_event = torch.cuda.Event()  # type: ignore[no-untyped-call]
        self._last_event.record()
        self._pending.append(_PendingMark(place, host, self._last_event))

    def seen_bad(self) -> bool:
        """Whether a step that the device has done was bad. Waits for nothing."""
        while (
            self._bad_place is None
            and self._pending
            and (self._pending[0].copied is None or self._pending[0].copied.query())
        ):
            self._check_next()
        return self._bad_place is not None

    def idle(self) -> bool:
        """Whether the device has done all that was asked of it (a CPU always has), so that waiting costs something."""
        return self._last_event is None or bool(self._last_event.query())

    def done_with_all(self) -> bool:
        """On a CPU, where a step is done when it was asked for, so that every rank knows of it at once."""
        return self.mark.device.type != "cuda"

    def first_bad(self) -> StepPlace | None:
        """The first bad step of all; waits for the device."""
        while self._bad_place is None and self._pending:
            if self._pending[0].copied is not None:
                self._pending[0].copied.synchronize()
            self._check_next()
        return self._bad_place

    def _check_next(self) -> None:
        pending = self._pending.popleft()
        if float(pending.mark):
            self._bad_place = pending.place
