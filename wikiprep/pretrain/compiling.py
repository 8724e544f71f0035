"""Whether layers are compiled: what `training.compile` comes to on a device, tried before the model is made ready.

What compiling needs beside PyTorch (Triton on a GPU, a C++ compiler on a CPU) may be absent, or of a version that does
not work. A layer of a few numbers shows that in seconds, and to all ranks: where one of them cannot, none compiles.

Where layers are compiled, so are functions of tensors outside of them that would be bound by memory (`Fused`): ten
small operations on the same numbers read and write them ten times. One switch for the process, which `parallel.spread`
sets with what `training.compile` came to.
"""

from collections.abc import Callable
from functools import cache
from typing import Generic, ParamSpec, TypeVar, cast

import torch
from torch import nn

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.config import AUTO, TrainingConfig
from wikiprep.pretrain.log import note_plainly
from wikiprep.pretrain.ranks import Ranks

# Graphs of one layer's code at most. All layers share them; there is one for each mixture of: trained or evaluated, the
# last layer or another, one sequence or several, no, one or more targets, frozen or not, widths seen once or more.
_GRAPHS = 64
P = ParamSpec("P")
R = TypeVar("R")
_on, _backend = False, "inductor"


def compiling(config: TrainingConfig, ranks: Ranks) -> bool:
    """Whether to compile, the same on every rank; a note says why not where "auto" would have.

    Raises WikiprepError where the options say true and it cannot be.
    """
    if config.compile is False or (config.compile == AUTO and ranks.device.type != "cuda"):
        return False
    why = why_not_compilable(ranks.device)
    if ranks.world > 1:
        why = next(filter(None, ranks.gather(why)), "")
    if why and config.compile is True:
        raise WikiprepError(
            f"training.compile = true, but nothing can be compiled here ({why})",
            'on a GPU that needs Triton, on a CPU a C++ compiler; "auto" (the default) goes on without',
        )
    if why and ranks.first:
        note_plainly(f"layers are not compiled, which is slower: nothing can be compiled here ({why})")
    return not why


@cache
def why_not_compilable(device: torch.device) -> str:
    """Why nothing can be compiled for `device`: "" where a small layer could, forward and backward."""
    layer = nn.Sequential(nn.Linear(16, 16), nn.GELU(), nn.LayerNorm(16)).to(device)
    layer.compile(dynamic=True)
    try:
        with torch.enable_grad(), torch.autocast(device.type, torch.bfloat16):
            layer(torch.zeros(8, 16, device=device)).float().sum().backward()
    except Exception as error:  # whatever a compiler, a driver or a linker says
        return _reason(error)
    return ""


def make_room_for_graphs() -> None:
    """Make room for all kinds of batches. PyTorch's own limit is 8, behind which it goes on uncompiled with a warning:
    a run would be slower for days from its second stage on. Graphs of an earlier stage are of no use any more."""
    from torch import _dynamo  # slow to import, and only needed here

    _dynamo.reset()
    _dynamo.config.recompile_limit = max(_dynamo.config.recompile_limit, _GRAPHS)


def compile_error(error: RuntimeError) -> WikiprepError | None:
    """What to say of the error if it is one of compiling, else None: a graph that comes later may fail alone."""
    if not any(kind.__module__.startswith(("torch._dynamo", "torch._inductor")) for kind in type(error).__mro__):
        return None
    return WikiprepError(
        f"a layer could not be compiled ({_reason(error)})",
        "set training.compile = false; the same command goes on from the last checkpoint",
    )


def _reason(error: Exception) -> str:
    error = getattr(error, "inner_exception", error)
    lines = [line for line in str(error).splitlines() if line.strip()] or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


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
