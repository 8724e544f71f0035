"""A large table whose rows are spread over ranks: looked up from all of them, and a softmax over all of its rows.

A rank holds rows [first, last) of the table, their gradient and their optimiser state. What travels is vectors of the
positions that ask, never the table nor its gradient: ids and states go to all ranks, each answers for its own rows, and
the answers are added up where they were asked for. So a gradient is whole on the rank that has the row. (Vocabulary
parallel embedding and cross entropy, Shoeybi et al. 2019, section 3.)

Gradients of other parameters are averaged over ranks (DDP, FSDP), each rank's part having been multiplied by their
number; those of rows are divided by it here. Every rank must call these functions equally often.
"""

from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Shard

_PAD = -1  # in the place of an id or a target, where a rank has fewer than another


@dataclass(frozen=True)
class RowShards:
    """How the rows of a table [rows, …] lie: as `torch.chunk` cuts them, and DTensor."""

    mesh: DeviceMesh  # of all ranks in a row
    rank: int
    world: int
    rows: int

    @property
    def first(self) -> int:
        """Of this rank."""
        return min(self.rows, self.rank * -(-self.rows // self.world))

    @property
    def last(self) -> int:
        """Behind its last."""
        return min(self.rows, (self.rank + 1) * -(-self.rows // self.world))

    def parameter(self, whole: nn.Parameter, device: torch.device) -> nn.Parameter:
        """This rank's rows of `whole`, on `device`, as a parameter that checkpoints put together."""
        own_rows = whole.detach()[self.first : self.last].to(device, copy=True)
        shape, stride = whole.shape, whole.stride()
        shard = DTensor.from_local(own_rows, self.mesh, [Shard(0)], run_check=False, shape=shape, stride=stride)
        return nn.Parameter(shard, requires_grad=whole.requires_grad)

    def own(self, tensor: Tensor) -> Tensor:
        """This rank's rows of a parameter made by `parameter`, or of a whole tensor."""
        return tensor.to_local() if isinstance(tensor, DTensor) else tensor[self.first : self.last]

    def most(self, count: int) -> int:
        """The largest `count` of all ranks, at least 1. It waits for their processes, not for their devices."""
        largest = torch.tensor(max(1, count))
        dist.all_reduce(largest, dist.ReduceOp.MAX)
        return int(largest)

    def from_all(self, tensor: Tensor) -> Tensor:
        """[n, …] of the same n on every rank -> [world · n, …]."""
        gathered = tensor.new_empty(self.world * len(tensor), *tensor.shape[1:])
        dist.all_gather_into_tensor(gathered, tensor.contiguous(), group=self.mesh.get_group())
        return gathered

    def add_up(self, tensor: Tensor) -> Tensor:
        """The sum over ranks, in place."""
        dist.all_reduce(tensor, group=self.mesh.get_group())
        return tensor

    def to_each(self, tensor: Tensor) -> Tensor:
        """[world · n, …] -> [n, …]: the sum over ranks of the part that is this rank's."""
        summed = tensor.new_empty(len(tensor) // self.world, *tensor.shape[1:])
        dist.reduce_scatter_tensor(summed, tensor.contiguous(), group=self.mesh.get_group())
        return summed

    def here(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Which ids (or `_PAD`) are of this rank's rows, and their places among them, 0 for others."""
        is_own = (ids >= self.first) & (ids < self.last)
        return is_own, torch.where(is_own, ids - self.first, 0)


def pad_rows(tensor: Tensor, count: int, value: float = 0) -> Tensor:
    """[n, …] with rows of `value` behind, `count` in all."""
    padded = tensor.new_full((count, *tensor.shape[1:]), value)
    padded[: len(tensor)] = tensor
    return padded


def look_up(table: Tensor, ids: Tensor, shards: RowShards) -> Tensor:
    """The rows `ids` (any shape […], of the whole table) -> […, H]. `table`: as `RowShards.parameter` made it."""
    flat_ids = ids.flatten()
    rows: Tensor = _LookUp.apply(shards.own(table), flat_ids, shards.most(len(flat_ids)), shards)
    return rows.view(*ids.shape, table.shape[1])


class _LookUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, ids: Tensor, most: int, shards: RowShards) -> Tensor:
        is_own, positions = shards.here(shards.from_all(pad_rows(ids, most, _PAD)))
        ctx.save_for_backward(is_own, positions)
        ctx.most, ctx.shards, ctx.shape = most, shards, rows.shape
        vectors = rows.new_zeros(len(positions), rows.shape[1])
        if len(rows):  # a rank may have none
            vectors = rows.index_select(0, positions) * is_own[:, None]
        return shards.to_each(vectors)[: len(ids)]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        is_own, positions = ctx.saved_tensors
        shards: RowShards = ctx.shards
        gradient = shards.from_all(pad_rows(gradients[0], ctx.most))
        if not ctx.needs_input_grad[0] or not ctx.shape[0]:
            return (gradient.new_zeros(ctx.shape) if ctx.needs_input_grad[0] else None), None, None, None
        gradient = gradient * (is_own[:, None] / shards.world)
        # As of nn.Embedding: sorted, so that the sum is the same in every run.
        return torch.ops.aten.embedding_dense_backward(gradient, positions, ctx.shape[0], -1, False), None, None, None
