"""phi: what a knowledge-graph embedding says stands in relation r to an entity v, for K relations at once.

| embedding | head: phi(v, r) | tail: phi(v, r) | kind |
|---|---|---|---|
| TransE | v + r | v - r | add |
| RotatE | v o r | v o conj(r) | rotate |
| PairRE | v o r_H / r_T | v o r_T / r_H | scale |
| TransR | M_r v + r | M_r v - r | affine |

All are a linear map of v and a shift. Of complex vectors the first half of the numbers are real, the second imaginary
parts; RotatE's relations are of modulus 1, so that the conjugate is the inverse. The paper has only the column "head"
for the last three, and "tail" for TransE; the others follow from each score in the same way.
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
        """K' weighted sums of the K operators, `weights` [K', K]: each again an operator of its kind."""
        return Operators(
            self.kind,
            torch.einsum("kr,r...->k...", weights, self.factor),
            torch.einsum("kr,rd->kd", weights, self.shift),
        )


def estimates(kind: str, vectors: Tensor, factor: Tensor, shift: Tensor) -> Tensor:
    """As `Operators`: [..., d] -> [..., K, d]."""
    every = vectors.unsqueeze(-2)
    if kind == ADD:
        return every + shift
    if kind == SCALE:
        return every * factor
    if kind == ROTATE:
        (a, b), (c, d) = every.chunk(2, dim=-1), factor.chunk(2, dim=-1)
        return torch.cat([a * c - b * d, a * d + b * c], dim=-1)
    return torch.einsum("kde,...e->...kd", factor, vectors) + shift


def operators(model: str, relations: Mapping[str, Tensor], mode: str) -> Operators:
    """The operators of a direction, or of both, the heads first. `relations`: those of `RELATIONS[model]`, [R, …]."""
    if mode == BOTH:
        one, two = operators(model, relations, HEAD), operators(model, relations, TAIL)
        return Operators(one.kind, torch.cat([one.factor, two.factor]), torch.cat([one.shift, two.shift]))
    sign = 1.0 if mode == HEAD else -1.0
    first = next(iter(relations.values()))
    nothing = first.new_zeros(len(first), 0)
    if model == "transe":
        return Operators(ADD, nothing, sign * relations["relations"])
    if model == "rotate":
        real, imaginary = relations["relations"].chunk(2, dim=-1)
        return Operators(ROTATE, torch.cat([real, sign * imaginary], dim=-1), nothing)
    if model == "pairre":
        above, below = relations["relations"], relations["relations_tail"]
        above, below = (above, below) if mode == HEAD else (below, above)
        return Operators(SCALE, above / torch.where(below.abs() < _LEAST, _LEAST, below), nothing)
    return Operators(AFFINE, relations["projections"], sign * relations["relations"])
