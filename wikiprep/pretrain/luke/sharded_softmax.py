"""`softmax.py` of a table whose rows are spread over ranks (`row_shards.py`): the same losses, gradients and ranks.

Every rank makes the scores of all ranks' states for its own rows, in pieces as there: as many products as one rank
would make of its own states for all rows.
"""

from typing import Any

import torch
from torch import Tensor

from wikiprep.pretrain.luke.softmax import SCORES, pieces, scores_of, targets_in, wide
from wikiprep.pretrain.row_shards import RowShards, filled_up


def sharded_cross_entropy_sum(
    hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, shards: RowShards, scores: int = SCORES
) -> Tensor:
    """As `cross_entropy_sum`, of this rank's rows of `hidden` alone."""
    kind = hidden.device.type
    compute = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else hidden.dtype
    most = shards.most(len(hidden))
    own = shards.own(table), shards.own(bias)
    total: Tensor = _ShardedCrossEntropySum.apply(hidden, *own, targets, compute, scores, most, shards)
    return total


@torch.no_grad()
def sharded_target_ranks(
    hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, shards: RowShards, scores: int = SCORES
) -> Tensor:
    """As `target_ranks`, of this rank's rows of `hidden` alone."""
    most = shards.most(len(hidden))
    with torch.autocast(hidden.device.type, enabled=False):
        states = shards.from_all(filled_up(hidden.to(wide(hidden.dtype)), most))
        asked = shards.from_all(filled_up(targets, most, -1)) - shards.first
        rows, own_bias = shards.own(table), shards.own(bias)
        own = torch.zeros(len(states), dtype=states.dtype, device=states.device)
        for first, last in pieces(states, rows, scores):
            piece = scores_of(states, rows[first:last], own_bias[first:last])
            here, at = targets_in(asked, first, last)
            own = torch.where(here, piece.gather(1, at[:, None])[:, 0], own)
        own = shards.add_up(own)[:, None]
        better = torch.zeros_like(asked)
        for first, last in pieces(states, rows, scores):
            piece = scores_of(states, rows[first:last], own_bias[first:last])
            before = torch.arange(first, last, device=states.device) < asked[:, None]
            better += (~(piece <= own) | ((piece == own) & before)).sum(dim=1)
    begin = shards.rank * most
    return shards.add_up(better)[begin : begin + len(hidden)]


class _ShardedCrossEntropySum(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        rows: Tensor,
        bias: Tensor,
        targets: Tensor,
        compute: torch.dtype,
        scores: int,
        most: int,
        shards: RowShards,
    ) -> Tensor:
        states = shards.from_all(filled_up(hidden.to(compute), most))
        asked = shards.from_all(filled_up(targets, most, -1)) - shards.first
        log_sum = torch.full((len(states),), -torch.inf, dtype=wide(hidden.dtype), device=hidden.device)
        own = torch.zeros_like(log_sum)
        for first, last in pieces(states, rows, scores):
            piece = scores_of(states, rows[first:last].to(compute), bias[first:last])
            here, at = targets_in(asked, first, last)
            own = torch.where(here, piece.gather(1, at[:, None])[:, 0], own)
            log_sum = torch.logaddexp(log_sum, piece.logsumexp(dim=1))
        log_sum = shards.from_all(log_sum[None]).logsumexp(dim=0)
        own = shards.add_up(own)
        ctx.save_for_backward(states, rows, bias, asked, log_sum)
        ctx.compute, ctx.scores, ctx.most, ctx.shards, ctx.dtype = compute, scores, most, shards, hidden.dtype
        ctx.count = len(hidden)
        mine = slice(shards.rank * most, shards.rank * most + len(hidden))
        return (log_sum[mine] - own[mine]).sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        states, rows, bias, asked, log_sum = ctx.saved_tensors
        shards: RowShards = ctx.shards
        # Each state counts as much as the loss of the rank that it is of; rows that fill up count nothing.
        scale = shards.from_all(filled_up(gradients[0].to(log_sum.dtype).expand(ctx.count), ctx.most))
        to_states = torch.zeros(states.shape, dtype=log_sum.dtype, device=states.device)
        to_rows, to_bias = (
            torch.zeros_like(tensor) if asked_for else None
            for tensor, asked_for in zip((rows, bias), ctx.needs_input_grad[1:3], strict=True)
        )
        number = torch.arange(len(states), device=states.device)
        for first, last in pieces(states, rows, ctx.scores):
            part = rows[first:last].to(ctx.compute)
            slope = scores_of(states, part, bias[first:last]).sub_(log_sum[:, None]).exp_()
            here, at = targets_in(asked, first, last)
            slope[number, at] -= here.to(slope.dtype)
            slope *= scale[:, None]
            if to_bias is not None:
                to_bias[first:last] = slope.sum(dim=0) / shards.world
            slope = slope.to(ctx.compute)
            to_states += slope @ part
            if to_rows is not None:
                to_rows[first:last] = (slope.T @ states).to(to_rows.dtype) / shards.world
        to_hidden = shards.to_each(to_states)[: ctx.count].to(ctx.dtype)
        return to_hidden, to_rows, to_bias, None, None, None, None, None
