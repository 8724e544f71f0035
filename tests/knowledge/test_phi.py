"""phi without PyKEEN, on numbers small enough to follow; that it is PyKEEN's own is in test_embed.py."""

import numpy as np
import pytest

from wikiprep.errors import UsageError
from wikiprep.knowledge.phi import FORMS, MATRIX, SECOND, VECTOR, form_of, phi, score, target


def relation(name: str, size: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    r = {VECTOR: rng.normal(size=size)}
    if FORMS[name].second == SECOND:
        r[SECOND] = rng.normal(size=size)
    if FORMS[name].second == MATRIX:
        r[MATRIX] = rng.normal(size=(size, size))
    return r


def test_by_hand() -> None:
    h, r = np.array([1.0, 2.0]), {VECTOR: np.array([3.0, 4.0]), SECOND: np.array([2.0, 8.0])}
    assert phi(form_of("TransE"), h, r).tolist() == [4, 6]
    assert phi(form_of("transe"), h, r, tail=True).tolist() == [-2, -2]
    assert phi(form_of("PairRE"), h, r).tolist() == [1.5, 1]
    assert phi(form_of("DistMult"), h, r).tolist() == [3, 8]
    assert phi(form_of("ComplEx"), h, r).tolist() == [-5, 10]  # (1 + 2i)(3 + 4i)
    matrix = {VECTOR: np.array([1.0, 1.0]), MATRIX: np.array([[0.1, 3.0], [0.1, 0.0]])}
    at = target(form_of("TransR"), h, matrix)
    assert at == pytest.approx(np.array([0.3, 3.0]) / np.hypot(0.3, 3.0))  # cut to length 1
    assert target(form_of("TransR"), h / 100, matrix).tolist() == pytest.approx([0.003, 0.03])  # short enough
    assert phi(form_of("TransR"), h, matrix) == pytest.approx(at + 1)


@pytest.mark.parametrize("name", [name for name in FORMS if name not in ("transr", "distmult", "complex")])
def test_the_estimated_head_of_the_estimated_tail_is_the_head(name: str) -> None:
    rng = np.random.default_rng(0)
    r = relation(name, 6, rng)
    if name == "rotate":
        angle = rng.normal(size=3)
        r = {VECTOR: np.concatenate([np.cos(angle), np.sin(angle)])}
    h = rng.normal(size=(4, 6))
    assert phi(FORMS[name], phi(FORMS[name], h, r), r, tail=True) == pytest.approx(h)


@pytest.mark.parametrize("name", FORMS)
def test_arrays_broadcast_and_torch_agrees(name: str) -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(0)
    r, h, t = relation(name, 6, rng), rng.normal(size=(4, 6)), rng.normal(size=(4, 6))
    for back in (False, True):
        ours = phi(FORMS[name], h, r, tail=back)
        theirs = phi(FORMS[name], torch.from_numpy(h), {k: torch.from_numpy(v) for k, v in r.items()}, tail=back)
        assert ours.shape == (4, 6) and theirs.numpy() == pytest.approx(ours)
    assert score(FORMS[name], h, r, t, 2, power=False).shape == (4,)


def test_a_model_without_phi_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(
        UsageError, match=r"BoxE: no model that has phi.*\n.*TransE, RotatE, PairRE, TransR, DistMult, ComplEx"
    ):
        form_of("BoxE")
