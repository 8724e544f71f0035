"""One model on many ranks: DDP (a copy each) or FSDP2 (a share each), layers compiled or recomputed.

Both compute with the same numbers: parameters and gradients float32, autocast inside. FSDP2 could send parameters as
bf16; then norms would be computed in it too, and a run would depend on how it is spread. Under DDP gradients are added
up at the last micro-batch of a step, under FSDP2 at each, since a rank would have to keep whole gradients otherwise.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.ranks import Ranks


@dataclass(frozen=True)
class Spread:
    """`module` is called in training; `bare` is the family's own, whose parameters are saved (shares under FSDP)."""

    module: nn.Module
    bare: nn.Module

    @contextmanager
    def micro_batch(self, last: bool) -> Iterator[None]:
        """Around the forward and backward of a micro-batch of a step."""
        wait: AbstractContextManager[Any] = nullcontext()
        if isinstance(self.module, DistributedDataParallel) and not last:
            wait = self.module.no_sync()
        with wait:
            yield

    def reshard(self) -> None:
        """Under FSDP, give back what a forward pass without a backward gathered (the root keeps it); see `evaluate`."""
        for module in self.bare.modules():
            if isinstance(module, FSDPModule):
                module.reshard()


def spread(model: nn.Module, family: Family, config: TrainingConfig, ranks: Ranks) -> Spread:
    """Put the model (whose frozen parameters are marked) on this rank's device, as one of `ranks.world`."""
    model.to(ranks.device)
    blocks = list(family.blocks(model))
    if config.compile:
        _compile_anew()
    for block in blocks:
        if config.recompute:
            block.forward = _recomputed(block.forward)
        if config.compile:
            block.compile(dynamic=True)
    if config.parallel == "fsdp":
        mesh = ranks.mesh()
        for block in blocks:
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh)
        return Spread(model, model)
    if ranks.world == 1:
        return Spread(model, model)
    devices = [ranks.device.index] if ranks.device.type == "cuda" else None
    return Spread(DistributedDataParallel(model, device_ids=devices, gradient_as_bucket_view=True), model)


# Graphs of one layer's code at most. All layers share them; there is one for each mixture of: trained or evaluated, the
# last layer or another, one sequence or several, no, one or more targets, frozen or not, widths seen once or more.
_GRAPHS = 64


def _compile_anew() -> None:
    """Make room for all kinds of batches. PyTorch's own limit is 8, behind which it goes on uncompiled with a warning:
    a run would be slower for days from its second stage on. Graphs of an earlier stage are of no use any more."""
    from torch import _dynamo  # slow to import, and only needed here

    _dynamo.reset()
    _dynamo.config.recompile_limit = max(_dynamo.config.recompile_limit, _GRAPHS)


def autocast(config: TrainingConfig, device: torch.device) -> AbstractContextManager[Any]:
    """Around forward passes; what must be float32 is the family's to say."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=config.precision == "bf16")


def _recomputed(forward: Callable[..., Any]) -> Callable[..., Any]:
    def again(*inputs: Any) -> Any:
        return checkpoint(forward, *inputs, use_reentrant=False)

    return again
