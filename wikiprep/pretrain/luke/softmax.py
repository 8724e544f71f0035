"""Exact softmax over a large table without ever holding all scores: the table is taken in pieces.

Only what the loss needs is kept from forward to backward (one number a row); backward makes each piece of the scores
again. So memory stays flat whatever the table's size and the number of rows, for one product more in four. Where all
scores are few enough (`keep`), they are kept instead, in the type of the products. What is computed of a piece beside
its products is one kernel each way where layers are compiled (`compiling.Fused`): else a dozen passes over memory.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from wikiprep.pretrain.compiling import Fused

# Scores at a time: 2^24 are 64 MB in float32. Never under 256 rows of the table, where products get slow.
SCORES = 1 << 24
_LEAST_ROWS = 256


def cross_entropy_sum(
    hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, scores: int = SCORES, keep: int | None = None
) -> Tensor:
    """Sum over rows of -log softmax(hidden · tableᵀ + bias)[target], 0-dim; 0 without rows.

    `hidden` [N, H], `table` [V, H], `bias` [V], `targets` [N] in [0, V). Products are made in autocast's type where it
    is on, the softmax and the sum in float32 (float64 for float64). A piece has `scores` of N · V at most; where all of
    them are no more than `keep` (None: `scores`), none is made again in backward.
    """
    device_type = hidden.device.type
    compute = torch.get_autocast_dtype(device_type) if torch.is_autocast_enabled(device_type) else hidden.dtype
    keep = scores if keep is None else keep
    total: Tensor = _CrossEntropySum.apply(hidden, table, bias, targets, compute, scores, keep)
    return total


@torch.no_grad()
def target_ranks(hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, scores: int = SCORES) -> Tensor:
    """[N]: how many rows of the table go before the target; 0 where it is the best.

    Of equal scores the lower row goes first, so that a model that tells nothing apart is not always right; a score that
    is no number is the worst. Products are float32 (float64 for float64) under autocast too: in bfloat16, whose numbers
    are 1/16 apart at 8 to 16, many entities would be as good as the best.
    """
    device_type = hidden.device.type
    better_counts = torch.zeros_like(targets)
    with torch.autocast(device_type, enabled=False):
        hidden = hidden.to(wide(hidden.dtype))
        # One number a row, by the same product as below: sums in another order would differ in the last digit.
        target_scores = _target_scores(hidden, table, bias, targets, scores)[:, None]
        for first, last in pieces(hidden, table, scores):
            piece = scores_of(hidden, table[first:last], bias[first:last])
            is_lower_row = torch.arange(first, last, device=hidden.device) < targets[:, None]
            better_counts += (~(piece <= target_scores) | ((piece == target_scores) & is_lower_row)).sum(dim=1)
    return better_counts


@torch.no_grad()
def ranks_among(hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, rows: Sequence[Tensor]) -> Tensor:
    """[N]: how many of `rows[i]` (rising) go before target i, as `target_ranks` has it; -1 where it is none of them."""
    with torch.autocast(hidden.device.type, enabled=False):
        hidden = hidden.to(wide(hidden.dtype))
        ranks = [
            rank_in(scores_of(state[None], table[candidates], bias[candidates])[0], candidates, target)
            for state, candidates, target in zip(hidden, rows, targets, strict=True)
        ]
    return torch.stack(ranks) if ranks else torch.zeros_like(targets)


def rank_in(scores: Tensor, rows: Tensor, target: Tensor) -> Tensor:
    """0-dim: how many of `rows` [n] (rising) with these `scores` go before `target`; -1 where it is none of them."""
    target_score = scores.masked_fill(rows != target, -torch.inf).amax() if len(rows) else scores.new_tensor(-torch.inf)
    better_count = (~(scores <= target_score) | ((scores == target_score) & (rows < target))).sum()
    return torch.where((rows == target).any(), better_count, -1)


def _target_scores(hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor, scores: int) -> Tensor:
    target_scores = torch.zeros(len(hidden), dtype=wide(hidden.dtype), device=hidden.device)
    for first, last in pieces(hidden, table, scores):
        piece = scores_of(hidden, table[first:last], bias[first:last])
        is_here, places = targets_in(targets, first, last)
        target_scores = torch.where(is_here, piece.gather(1, places[:, None])[:, 0], target_scores)
    return target_scores


class _CrossEntropySum(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        table: Tensor,
        bias: Tensor,
        targets: Tensor,
        compute: torch.dtype,
        scores: int,
        keep: int,
    ) -> Tensor:
        log_sum = torch.full((len(hidden),), -torch.inf, dtype=wide(hidden.dtype), device=hidden.device)
        target_scores = torch.zeros_like(log_sum)
        compute_hidden = hidden.to(compute)
        kept_pieces: list[tuple[Tensor, Tensor]] | None = [] if len(hidden) * len(table) <= keep else None
        for first, last in pieces(hidden, table, scores):
            part = table[first:last].to(compute)
            products = products_of(compute_hidden, part)
            if kept_pieces is not None:
                kept_pieces.append((part, products))
            log_sum, target_scores = fold(
                products, bias[first:last], targets - first, log_sum, target_scores, kept_pieces is None
            )
        ctx.save_for_backward(hidden, table, bias, targets, log_sum)
        ctx.compute, ctx.scores, ctx.kept = compute, scores, kept_pieces
        return (log_sum - target_scores).sum()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        hidden, table, bias, targets, log_sum = ctx.saved_tensors
        compute, scale = ctx.compute, gradients[0]
        compute_hidden = hidden.to(compute)
        hidden_gradient = torch.zeros(hidden.shape, dtype=log_sum.dtype, device=hidden.device)
        # Each piece is written whole; without rows there are no pieces. A frozen table (stage 1) gets none: it would
        # cost a product of all scores and memory as large as the table.
        table_gradient, bias_gradient = (
            (torch.empty_like(t) if len(hidden) else torch.zeros_like(t)) if needs_gradient else None
            for t, needs_gradient in zip((table, bias), ctx.needs_input_grad[1:3], strict=True)
        )
        for number, (first, last) in enumerate(pieces(hidden, table, ctx.scores)):
            if ctx.kept is None:
                part = table[first:last].to(compute)
                products = products_of(compute_hidden, part)
            else:
                part, products = ctx.kept[number]
            score_gradient, column_sums = slope_of(
                products, bias[first:last], targets - first, log_sum, scale, ctx.kept is None
            )
            if bias_gradient is not None:
                bias_gradient[first:last] = column_sums
            hidden_gradient += score_gradient @ part
            if table_gradient is not None:
                product_into(table_gradient[first:last], score_gradient.T, compute_hidden)
        return hidden_gradient.to(hidden.dtype), table_gradient, bias_gradient, None, None, None, None


def products_of(hidden: Tensor, table: Tensor) -> Tensor:
    """[N, V], in the type that is computed in."""
    return hidden @ table.T


@Fused
def fold(
    products: Tensor, bias: Tensor, at: Tensor, log_sum: Tensor, own: Tensor, spend: bool
) -> tuple[Tensor, Tensor]:
    """`log_sum` and `own` (the target's score), both [N], with one more piece of the scores in them.

    `at`: targets, counted from the piece's first row. `spend`: nobody else needs `products`.
    """
    scores = _with_bias(products, bias, log_sum.dtype, spend)
    is_here, place = targets_in(at, 0, scores.shape[1])
    own = torch.where(is_here, scores.gather(1, place[:, None])[:, 0], own)
    return torch.logaddexp(log_sum, scores.logsumexp(dim=1)), own


@Fused
def slope_of(
    products: Tensor, bias: Tensor, at: Tensor, log_sum: Tensor, scale: Tensor, spend: bool
) -> tuple[Tensor, Tensor]:
    """The derivative of the loss by a piece of the scores [N, V] (in the type of `products`), and its sum over N.

    It is the probability, less 1 at the target, times `scale`.
    """
    gradient = _with_bias(products, bias, log_sum.dtype, spend).sub_(log_sum[:, None]).exp_()
    is_here, place = targets_in(at, 0, gradient.shape[1])
    if torch.compiler.is_compiling():  # one kernel without a scatter
        columns = torch.arange(gradient.shape[1], device=gradient.device)
        gradient = gradient - ((columns == place[:, None]) & is_here[:, None]).to(gradient.dtype)
    else:
        gradient[torch.arange(len(gradient), device=gradient.device), place] -= is_here.to(gradient.dtype)
    gradient = gradient * scale if torch.compiler.is_compiling() else gradient.mul_(scale)
    return gradient.to(products.dtype), gradient.sum(dim=0)


def _with_bias(products: Tensor, bias: Tensor, dtype: torch.dtype, spend: bool) -> Tensor:
    scores = products.to(dtype)
    bias = bias.to(dtype)
    if scores is not products or (spend and not torch.compiler.is_compiling()):
        return scores.add_(bias)
    return scores + bias


def product_into(out: Tensor, left: Tensor, right: Tensor) -> None:
    """Write left · right into `out`, which may be of a wider type: on a GPU the product's own sums then, unrounded."""
    if out.dtype == left.dtype:
        torch.mm(left, right, out=out)
    elif writes_wide(out):
        torch.mm(left, right, out_dtype=out.dtype, out=out)
    else:
        out.copy_(left @ right)


def writes_wide(out: Tensor) -> bool:
    """Whether products of bfloat16 can be written as float32: cuBLAS can from Ampere on, PyTorch's CPU cannot."""
    return out.is_cuda and out.dtype == torch.float32 and torch.cuda.get_device_capability(out.device) >= (8, 0)


def pieces(hidden: Tensor, table: Tensor, scores: int) -> list[tuple[int, int]]:
    """Ranges of the table's rows: neither their scores nor copies of the rows in another type are too many."""
    if not len(hidden):
        return []
    step = max(_LEAST_ROWS, scores // max(hidden.shape))
    return [(first, min(first + step, len(table))) for first in range(0, len(table), step)]


def scores_of(hidden: Tensor, table: Tensor, bias: Tensor) -> Tensor:
    """[N, V], float32 (float64 for float64)."""
    scores = (hidden @ table.T).to(wide(hidden.dtype))
    return scores.add_(bias.to(scores.dtype))


def targets_in(targets: Tensor, first: int, last: int) -> tuple[Tensor, Tensor]:
    """Which targets lie in the piece, and their places there (0 for the others)."""
    is_here = (targets >= first) & (targets < last)
    return is_here, torch.where(is_here, targets - first, 0)


def wide(dtype: torch.dtype) -> torch.dtype:
    """What sums are made in."""
    return torch.float64 if dtype == torch.float64 else torch.float32
