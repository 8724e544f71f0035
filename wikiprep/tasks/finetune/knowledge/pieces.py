"""KG attention where phi multiplies (RotatE, PairRE, TransR): pieces over the relations with a running softmax.

A key is k_i'j = k_i' + A (phi_j(v_i') - v_i'), so its score is s_ii' + t_ii'j with t_ii'j = (q_i A) . delta_i'j. The
sum over j of exp t_ii'j is taken piece by piece; with its logarithm g_ii' the weights of words are a_ii' = softmax over
i' of (s + g), and a second pass sums a_ii' exp(t_ii'j - g_ii') delta_i'j. Neither pass keeps a piece: backward makes
each again. So memory is some L x L x (relations of a piece), and time L x L x R.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from wikiprep.tasks.finetune.knowledge.phi import Operators, estimates

PIECE = 8  # relations


def pieces_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    vectors: Tensor,
    to_key: Tensor,
    to_value: Tensor,
    phi: Operators,
    open_relations: Tensor,
    real: Tensor,
) -> Tensor:
    """As `split_attention`.

    `vectors` [B, L, d]: of the words' entities; `to_key`, `to_value` [H, s, d]: what a vector of the graph adds to a
    key and to a value. In float32 at least, also under autocast: it sums many small shares.
    """
    kind = torch.promote_types(query.dtype, torch.float32)
    with torch.autocast(query.device.type, enabled=False):
        parts = [part.to(kind) for part in (query, key, value, vectors, to_key, to_value)]
        return _attention(parts, phi, open_relations, real)


def _attention(parts: list[Tensor], phi: Operators, open_relations: Tensor, real: Tensor) -> Tensor:
    query, key, value, vectors, to_key, to_value = parts
    graph_query = torch.einsum("bhis,hsd->bhid", query, to_key)
    is_open = open_relations[:, None, None, :].to(graph_query.dtype)
    sums: Tensor = _LogSum.apply(graph_query, vectors, phi.factor, phi.shift, phi.kind)
    sums = sums * is_open
    scores = (query @ key.transpose(-1, -2) + sums).masked_fill(~real[:, None, None, :], -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    shares = weights * is_open
    weighted_deltas = torch.zeros_like(graph_query)
    for part in _parts(phi.kind, phi.factor, phi.shift):
        weighted_deltas = weighted_deltas + _Recompute.apply(
            partial(_weighted_deltas, phi.kind), graph_query, vectors, *part, shares, sums
        )
    return weights @ value + torch.einsum("bhid,hsd->bhis", weighted_deltas, to_value)


def _parts(kind: str, factor: Tensor, shift: Tensor) -> list[tuple[Tensor, Tensor]]:
    return list(zip(torch.split(factor, PIECE), torch.split(shift, PIECE), strict=True))


def _deltas(kind: str, vectors: Tensor, factor: Tensor, shift: Tensor) -> Tensor:
    return estimates(kind, vectors, factor, shift) - vectors.unsqueeze(-2)


def _scores(graph_query: Tensor, deltas: Tensor) -> Tensor:
    """[B, H, L, d] and [B, L', C, d] -> [B, H, L, L', C]."""
    return torch.einsum("bhid,bmcd->bhimc", graph_query, deltas)


def _piece_scores(kind: str, graph_query: Tensor, vectors: Tensor, factor: Tensor, shift: Tensor) -> Tensor:
    return _scores(graph_query, _deltas(kind, vectors, factor, shift))


def _weighted_deltas(
    kind: str, graph_query: Tensor, vectors: Tensor, factor: Tensor, shift: Tensor, shares: Tensor, sums: Tensor
) -> Tensor:
    deltas = _deltas(kind, vectors, factor, shift)
    # Of words that are not open the exponent may be anything, and their share is 0: no infinity may come of it.
    exponents = (_scores(graph_query, deltas) - sums[..., None]).masked_fill((shares == 0)[..., None], -torch.inf)
    return torch.einsum("bhimc,bmcd->bhid", shares[..., None] * exponents.exp(), deltas)


class _Recompute(torch.autograd.Function):
    """A function of tensors that keeps its inputs alone and is computed again for backward.

    (torch's own checkpoint loads the compiler first, which takes longer than a small test.)
    """

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Tensor], *tensors: Tensor) -> Tensor:
        """What the function gives."""
        ctx.function = function
        ctx.save_for_backward(*tensors)
        return function(*tensors)

    @staticmethod
    def backward(ctx: Any, *outward: Tensor) -> tuple[Tensor | None, ...]:
        """Of each tensor that needs one its gradient."""
        return (None, *_gradients(ctx.function, ctx.saved_tensors, ctx.needs_input_grad[1:], outward[0]))


def _gradients(
    function: Callable[..., Tensor], tensors: Sequence[Tensor], needs: Sequence[bool], outward: Tensor
) -> list[Tensor | None]:
    inputs = [tensor.detach().requires_grad_(need) for tensor, need in zip(tensors, needs, strict=True)]
    with torch.enable_grad():
        output = function(*inputs)
    needed_inputs = [tensor for tensor, need in zip(inputs, needs, strict=True) if need]
    gradients = iter(torch.autograd.grad(output, needed_inputs, outward, materialize_grads=True))
    return [next(gradients) if need else None for need in needs]


class _LogSum(torch.autograd.Function):
    """log(1 + sum over j of exp t_ii'j): [B, H, L, L']."""

    @staticmethod
    def forward(ctx: Any, graph_query: Tensor, vectors: Tensor, factor: Tensor, shift: Tensor, kind: str) -> Tensor:
        """The sum, a piece at a time; a piece's numbers are not kept."""
        size = vectors.shape[1]
        sums = graph_query.new_zeros(*graph_query.shape[:3], size)
        for part in _parts(kind, factor, shift):
            sums = torch.logaddexp(sums, torch.logsumexp(_piece_scores(kind, graph_query, vectors, *part), dim=-1))
        ctx.save_for_backward(graph_query, vectors, factor, shift, sums)
        ctx.kind = kind
        return sums

    @staticmethod
    def backward(ctx: Any, *outward: Tensor) -> tuple[Tensor | None, ...]:
        """d/dt of the sum is exp(t - sum): each piece is made again."""
        graph_query, vectors, factor, shift, sums = ctx.saved_tensors
        needs = ctx.needs_input_grad[:4]
        gradient_parts: list[list[Tensor]] = [[], [], [], []]
        for part in _parts(ctx.kind, factor, shift):
            inputs = (graph_query, vectors, *part)
            shares = (_piece_scores(ctx.kind, *inputs) - sums[..., None]).exp()
            piece_gradients = _gradients(
                partial(_piece_scores, ctx.kind), inputs, needs, outward[0][..., None] * shares
            )
            for place, grad in enumerate(piece_gradients):
                if grad is not None:
                    _add(gradient_parts[place], grad, summed=place < 2)
        gradients = [torch.cat(parts) if need else None for parts, need in zip(gradient_parts, needs, strict=True)]
        return (*gradients, None)


def _add(parts: list[Tensor], grad: Tensor, *, summed: bool) -> None:
    """Queries and vectors have a part of their gradient of each piece, relations theirs of one."""
    if summed and parts:
        parts[0] += grad
    else:
        parts.append(grad)
