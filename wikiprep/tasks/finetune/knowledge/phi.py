"""phi: what a knowledge-graph embedding says stands in relation r to an entity v, for K relations at once.

| embedding | head: phi(v, r) | tail: phi(v, r) | kind |
|---|---|---|---|
| TransE | v + r | v - r | add |
| RotatE, ComplEx | v o r | v o conj(r) | rotate |
| PairRE | v o r_H / r_T | v o r_T / r_H | scale |
| DistMult | v o r | v o r | scale |
| TransR | c(v M_r) + r | c(v M_r) - r | affine |

It is `knowledge/phi.py`, which does one relation, for all at once: a map of v and a shift. Of complex vectors the first
half of the numbers are real, the second imaginary parts; c cuts to length 1, as PyKEEN does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

ADD, SCALE, ROTATE, AFFINE = "add", "scale", "rotate", "affine"
HEAD, TAIL, BOTH, NONE = "head", "tail", "both", "none"
_LEAST = 1e-6  # PairRE divides by numbers that may be next to 0


@dataclass(frozen=True)
class Operators:
    """phi of K relations. `factor`: [K, d] of scale and rotate, [K, d, d] of affine; `shift`: [K, d] of add and affine.

    What a kind does not use is empty in its last dimension."""

    kind: str
    factor: Tensor
    shift: Tensor

    def __len__(self) -> int:
        return len(self.shift if self.kind == ADD else self.factor)

    def __call__(self, vectors: Tensor) -> Tensor:
        """[..., d] -> [..., K, d]."""
        return estimates(self.kind, vectors, self.factor, self.shift)

    def mixed(self, weights: Tensor) -> "Operators":
        """K' weighted sums of the K operators' numbers, `weights` [K', K]: each an operator of its kind."""
        return Operators(
            self.kind,
            torch.einsum("kr,r...->k...", weights, self.factor),
            torch.einsum("kr,rd->kd", weights, self.shift),
        )


def estimates(kind: str, vectors: Tensor, factor: Tensor, shift: Tensor) -> Tensor:
    """As `Operators`: [..., d] -> [..., K, d]."""
    expanded = vectors.unsqueeze(-2)
    if kind == ADD:
        return expanded + shift
    if kind == SCALE:
        return expanded * factor
    if kind == ROTATE:
        (a, b), (c, d) = expanded.chunk(2, dim=-1), factor.chunk(2, dim=-1)
        return torch.cat([a * c - b * d, a * d + b * c], dim=-1)
    projected = torch.einsum("...d,kde->...ke", vectors, factor)
    squares = projected.square().sum(-1, keepdim=True)
    return projected / squares.clamp(min=1).sqrt() + shift  # no root of 0, whose gradient is none


def operators(model: str, relations: Mapping[str, Tensor], mode: str) -> Operators:
    """The operators of a direction, or of both, the heads first.

    `relations`: tables, [R, …], by the names of parameters (`layers.table_name`).
    """
    if mode == BOTH:
        heads, tails = operators(model, relations, HEAD), operators(model, relations, TAIL)
        return Operators(heads.kind, torch.cat([heads.factor, tails.factor]), torch.cat([heads.shift, tails.shift]))
    sign = 1.0 if mode == HEAD else -1.0
    first = next(iter(relations.values()))
    nothing = first.new_zeros(len(first), 0)
    if model == "transe":
        return Operators(ADD, nothing, sign * relations["relations"])
    if model in ("rotate", "complex"):
        real, imaginary = relations["relations"].chunk(2, dim=-1)
        return Operators(ROTATE, torch.cat([real, sign * imaginary], dim=-1), nothing)
    if model == "pairre":
        above, below = relations["relations"], relations["relations_tail"]
        above, below = (above, below) if mode == HEAD else (below, above)
        return Operators(SCALE, above / torch.where(below.abs() < _LEAST, _LEAST, below), nothing)
    if model == "distmult":
        return Operators(SCALE, relations["relations"], nothing)
    return Operators(AFFINE, relations["relations_matrix"], sign * relations["relations"])
