"""phi(h, r): where the tail of (h, r, ?) is estimated, of vectors that PyKEEN trained, without PyKEEN.

| model | relation | phi(h, r) | phi_t(t, r) | score of (h, r, t) |
|---|---|---|---|---|
| TransE (Bordes et al. 2013) | r | h + r | t - r | -|phi - t| |
| RotatE (Sun et al. 2019) | r, of length 1 in each complex number | h r | t conj(r) | -|phi - t| |
| PairRE (Chao et al. 2021) | r_H, r_T | h r_H / r_T | t r_T / r_H | -|(phi - t) r_T| |
| TransR (Lin et al. 2015) | r, M_r | c(M_r h) + r | c(M_r t) - r | -|phi - c(M_r t)| squared; c cuts to length 1 |
| DistMult (Yang et al. 2015) | r | h r | t r | phi . t |
| ComplEx (Trouillon et al. 2016) | r | h r | t conj(r) | Re(phi . conj(t)) |

Products are element by element. A complex vector of n numbers is 2n real ones, the real parts first. The functions take
arrays of numpy and tensors of torch alike; the leading dimensions of their arguments broadcast.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikiprep.errors import UsageError

Array = Any  # numpy.ndarray or torch.Tensor of floats: only arithmetic, indexing and sum are used on it

VECTOR, SECOND, MATRIX = "relations", "relations.tail", "relations.matrix"  # names in the file of vectors


@dataclass(frozen=True)
class Form:
    """What a model's relation is made of besides its vector, and whether vectors are complex."""

    name: str  # as papers spell it
    second: str | None = None
    complex: bool = False
    additive: bool = False  # phi(h, r) = h + r: scores of attention split (knowledge-graph attention)


FORMS = {
    form.name.lower(): form
    for form in (
        Form("TransE", additive=True),
        Form("RotatE", complex=True),
        Form("PairRE", second=SECOND),
        Form("TransR", second=MATRIX),
        Form("DistMult"),
        Form("ComplEx", complex=True),
    )
}


def form_of(model: str) -> Form:
    """By name, without case. Raises UsageError for all but models that have phi, with their names."""
    if model.lower() not in FORMS:
        raise UsageError(
            f"{model}: no model that has phi(h, r), an estimate of the tail as a vector",
            f"models that have one: {', '.join(form.name for form in FORMS.values())}",
        )
    return FORMS[model.lower()]


def phi(form: Form, entity: Array, relation: Mapping[str, Array], *, tail: bool = False) -> Array:
    """The estimated tail of heads `entity` [..., D], or with `tail` the estimated head of tails: [..., D].

    `relation`: VECTOR [..., D] and what `form.second` names: SECOND [..., D] or MATRIX [..., D, K]. Of TransR the
    result is in the relation's space [..., K], where `target` puts entities.
    """
    r = relation[VECTOR]
    if form.complex:
        return _rotate(entity, r, back=tail)
    if form.second == SECOND:
        head_part, tail_part = r, relation[SECOND]
        return entity * tail_part / head_part if tail else entity * head_part / tail_part
    if form.name == "DistMult":
        return entity * r
    projected = target(form, entity, relation)
    return projected - r if tail else projected + r


def target(form: Form, entity: Array, relation: Mapping[str, Array]) -> Array:
    """Where an entity stands in the space of phi(., r): its vector, of TransR its projection."""
    if form.second != MATRIX:
        return entity
    projected = (entity[..., None, :] @ relation[MATRIX])[..., 0, :]
    length = ((projected * projected).sum(-1)[..., None] + 1e-30) ** 0.5  # its gradient at zero is zero
    return projected / (length + (1 - length) * (length < 1))


def score(form: Form, head: Array, relation: Mapping[str, Array], tail: Array, norm: int, *, power: bool) -> Array:
    """PyKEEN's score of triples [...], higher is likelier. `norm` 1 or 2, `power`: its `power_norm`."""
    estimate = phi(form, head, relation)
    if form.name in ("DistMult", "ComplEx"):
        return (estimate * tail).sum(-1)
    difference = estimate - target(form, tail, relation)
    if form.second == SECOND:
        difference = difference * relation[SECOND]
    squares = difference * difference
    if form.complex:  # the modulus of complex numbers
        half = squares.shape[-1] // 2
        squares = squares[..., :half] + squares[..., half:]
    if norm == 1:
        return -(squares**0.5).sum(-1)
    return -squares.sum(-1) if power else -(squares.sum(-1) ** 0.5)


def _rotate(vector: Array, relation: Array, *, back: bool) -> Array:
    """vector times relation, or times its conjugate, as complex numbers."""
    half = vector.shape[-1] // 2
    if relation.shape[-1] != 2 * half:
        raise ValueError(f"complex vectors of {vector.shape[-1]} and {relation.shape[-1]} real numbers")
    halves = [*range(half, 2 * half), *range(half)]
    real = [*range(half), *range(half)]
    imaginary = [*range(half, 2 * half), *range(half, 2 * half)]
    sign = [-1.0] * half + [1.0] * half  # re = a c - b d, im = b c + a d
    cross_terms = vector[..., halves] * relation[..., imaginary]
    first = vector * relation[..., real]
    signed_cross_terms = (
        cross_terms * cross_terms.new_tensor(sign)
        if hasattr(cross_terms, "new_tensor")
        else cross_terms * _array(sign, cross_terms)
    )
    return first - signed_cross_terms if back else first + signed_cross_terms


def _array(values: list[float], like: Array) -> Array:
    import numpy as np

    return np.array(values, like.dtype)
