"""`softmax.py` of a table whose rows are spread over ranks (`row_shards.py`): the same losses, gradients and ranks.

Every rank makes the scores of all ranks' states for its own rows, in pieces as there: as many products as one rank
would make of its own states for all rows.
"""

from typing import Any

import torch
from torch import Tensor

from wikiprep.pretrain.luke.softmax import SCORES, pieces, scores_of, targets_in, wide
from wikiprep.pretrain.row_shards import RowShards, pad_rows


def sharded_cross_entropy_sum(
    hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, shards: RowShards, scores: int = SCORES
) -> Tensor:
    """As `cross_entropy_sum`, of this rank's rows of `hidden` alone."""
    device_type = hidden.device.type
    compute = torch.get_autocast_dtype(device_type) if torch.is_autocast_enabled(device_type) else hidden.dtype
    max_rows = shards.most(len(hidden))
    own_rows = shards.own(table), shards.own(bias)
    total: Tensor = _ShardedCrossEntropySum.apply(hidden, *own_rows, targets, compute, scores, max_rows, shards)
    return total


@torch.no_grad()
def sharded_target_ranks(
    hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, shards: RowShards, scores: int = SCORES
) -> Tensor:
    """As `target_ranks`, of this rank's rows of `hidden` alone."""
    max_rows = shards.most(len(hidden))
    with torch.autocast(hidden.device.type, enabled=False):
        states = shards.from_all(pad_rows(hidden.to(wide(hidden.dtype)), max_rows))
        local_targets = shards.from_all(pad_rows(targets, max_rows, -1)) - shards.first
        rows, own_bias = shards.own(table), shards.own(bias)
        target_scores = torch.zeros(len(states), dtype=states.dtype, device=states.device)
        for first, last in pieces(states, rows, scores):
            piece = scores_of(states, rows[first:last], own_bias[first:last])
            is_here, places = targets_in(local_targets, first, last)
            target_scores = torch.where(is_here, piece.gather(1, places[:, None])[:, 0], target_scores)
        target_scores = shards.add_up(target_scores)[:, None]
        better_counts = torch.zeros_like(local_targets)
        for first, last in pieces(states, rows, scores):
            piece = scores_of(states, rows[first:last], own_bias[first:last])
            is_lower_row = torch.arange(first, last, device=states.device) < local_targets[:, None]
            better_counts += (~(piece <= target_scores) | ((piece == target_scores) & is_lower_row)).sum(dim=1)
    begin = shards.rank * max_rows
    return shards.add_up(better_counts)[begin : begin + len(hidden)]


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
        states = shards.from_all(pad_rows(hidden.to(compute), most))
        local_targets = shards.from_all(pad_rows(targets, most, -1)) - shards.first
        log_sum = torch.full((len(states),), -torch.inf, dtype=wide(hidden.dtype), device=hidden.device)
        target_scores = torch.zeros_like(log_sum)
        for first, last in pieces(states, rows, scores):
            piece = scores_of(states, rows[first:last].to(compute), bias[first:last])
            is_here, places = targets_in(local_targets, first, last)
            target_scores = torch.where(is_here, piece.gather(1, places[:, None])[:, 0], target_scores)
            log_sum = torch.logaddexp(log_sum, piece.logsumexp(dim=1))
        log_sum = shards.from_all(log_sum[None]).logsumexp(dim=0)
        target_scores = shards.add_up(target_scores)
        ctx.save_for_backward(states, rows, bias, local_targets, log_sum)
        ctx.compute, ctx.scores, ctx.most, ctx.shards, ctx.dtype = compute, scores, most, shards, hidden.dtype
        ctx.count = len(hidden)
        own_states = slice(shards.rank * most, shards.rank * most + len(hidden))
        return (log_sum[own_states] - target_scores[own_states]).sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        states, rows, bias, local_targets, log_sum = ctx.saved_tensors
        shards: RowShards = ctx.shards
        # Each state counts as much as the loss of the rank that it is of; rows that fill up count nothing.
        scale = shards.from_all(pad_rows(gradients[0].to(log_sum.dtype).expand(ctx.count), ctx.most))
        states_gradient = torch.zeros(states.shape, dtype=log_sum.dtype, device=states.device)
        rows_gradient, bias_gradient = (
            torch.zeros_like(tensor) if needs_gradient else None
            for tensor, needs_gradient in zip((rows, bias), ctx.needs_input_grad[1:3], strict=True)
        )
        row_numbers = torch.arange(len(states), device=states.device)
        for first, last in pieces(states, rows, ctx.scores):
            part = rows[first:last].to(ctx.compute)
            score_gradient = scores_of(states, part, bias[first:last]).sub_(log_sum[:, None]).exp_()
            is_here, places = targets_in(local_targets, first, last)
            score_gradient[row_numbers, places] -= is_here.to(score_gradient.dtype)
            score_gradient *= scale[:, None]
            if bias_gradient is not None:
                bias_gradient[first:last] = score_gradient.sum(dim=0) / shards.world
            score_gradient = score_gradient.to(ctx.compute)
            states_gradient += score_gradient @ part
            if rows_gradient is not None:
                rows_gradient[first:last] = (score_gradient.T @ states).to(rows_gradient.dtype) / shards.world
        hidden_gradient = shards.to_each(states_gradient)[: ctx.count].to(ctx.dtype)
        return hidden_gradient, rows_gradient, bias_gradient, None, None, None, None, None
