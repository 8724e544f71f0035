"""Functions of tensors that a compiler makes one kernel each of, where layers are compiled; elsewhere plain functions.

For what stands outside a model's blocks and would be bound by memory: ten small operations on the same numbers read and
write them ten times. One switch for the process, which `parallel.spread` sets with what `training.compile` came to.
"""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar, cast

import torch

P = ParamSpec("P")
R = TypeVar("R")
_on, _backend = False, "inductor"


def fuse(on: bool, backend: str = "inductor") -> None:
    """From now on compile these functions, or not. `backend`: of torch.compile, for what is not compiled yet."""
    global _on, _backend
    _on, _backend = on, backend


class Fused(Generic[P, R]):
    """Decorates such a function. It may be called within autograd, forward or backward."""

    def __init__(self, plain: Callable[P, R]) -> None:
        self.plain = plain
        self._compiled: Callable[P, R] | None = None

    def __call__(self, *inputs: P.args, **keywords: P.kwargs) -> R:
        """What `plain` gives."""
        if not _on:
            return self.plain(*inputs, **keywords)
        if self._compiled is None:
            self._compiled = cast(Callable[P, R], torch.compile(self.plain, dynamic=True, backend=_backend))
        return self._compiled(*inputs, **keywords)
