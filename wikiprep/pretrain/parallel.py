"""One model on many ranks: DDP (a copy each) or FSDP2 (a share each), layers compiled or recomputed.

Both compute with the same numbers: parameters and gradients float32, autocast inside. FSDP2 could send parameters as
bf16; then norms would be computed in it too, and a run would depend on how it is spread. Under DDP gradients are added
up at the last micro-batch of a step, under FSDP2 at each, since a rank would have to keep whole gradients otherwise.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from wikiprep.errors import UsageError
from wikiprep.pretrain.compiling import compiling, fuse, make_room_for_graphs
from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.family import Family, ShardsTables
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
    """Put the model (whose frozen parameters are marked) on this rank's device, as one of `ranks.world`.

    Raises UsageError as `check_parallel`.
    """
    check_parallel(family, config, ranks.world)
    tables = []
    if config.shard_entities and ranks.world > 1 and isinstance(family, ShardsTables):
        tables = family.shard_tables(model, ranks)  # before all of it is on the device, which may be too much
    model.to(ranks.device)
    blocks = list(family.blocks(model))
    compiled = compiling(config, ranks)
    fuse(compiled)
    if compiled:
        make_room_for_graphs()
    for block in blocks:
        if config.recompute:
            block.forward = _with_recomputation(block.forward)
        if compiled:
            block.compile(dynamic=True)
    if config.parallel == "fsdp":
        mesh = ranks.mesh(config.replicas)
        for block in blocks:
            fully_shard(block, mesh=mesh)
        fully_shard(model, mesh=mesh, ignored_params={model.get_parameter(name) for name in tables})
        return Spread(model, model)
    if ranks.world == 1:
        return Spread(model, model)
    devices = [ranks.device.index] if ranks.device.type == "cuda" else None
    if tables:
        DistributedDataParallel._set_params_and_buffers_to_ignore_for_model(model, tables)  # type: ignore[no-untyped-call]
    data_parallel = DistributedDataParallel(
        model, device_ids=devices, gradient_as_bucket_view=True, **_no_buffer_broadcast()
    )
    return Spread(data_parallel, model)


def _no_buffer_broadcast() -> dict[str, Any]:
    """Buffers are constants, and the same on all ranks: DDP would send them before every forward pass.

    The option has another name in newer versions of torch, which warn of the old one.
    """
    parameters = inspect.signature(DistributedDataParallel.__init__).parameters
    return {"forward_sync_buffers" if "forward_sync_buffers" in parameters else "broadcast_buffers": False}


def check_parallel(family: Family, config: TrainingConfig, world: int) -> None:
    """Raises UsageError where the ranks cannot be shared out as the options say."""
    if config.replicas > 1 and config.parallel != "fsdp":
        raise UsageError(
            f'training.replicas = {config.replicas} with training.parallel = "{config.parallel}"',
            'every rank has a copy then: set training.parallel = "fsdp", or leave replicas out',
        )
    if world % config.replicas:
        raise UsageError(
            f"training.replicas = {config.replicas}, but there are {world} ranks", "take a number that divides them"
        )
    if config.shard_entities and not isinstance(family, ShardsTables):
        raise UsageError(
            f"training.shard_entities: the family {family.name} has no table that it can spread over ranks",
            'leave it out; training.parallel = "fsdp" shards all parameters',
        )


def autocast(config: TrainingConfig, device: torch.device) -> AbstractContextManager[Any]:
    """Around forward passes; what must be float32 is the family's to say."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=config.precision == "bf16")


def _with_recomputation(forward: Callable[..., Any]) -> Callable[..., Any]:
    def recomputing_forward(*inputs: Any) -> Any:
        return checkpoint(forward, *inputs, use_reentrant=False)

    return recomputing_forward
