"""Either code makes the same loss of a head, and a trial chooses between them, alike on all ranks and once."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from luke_batches import SMALL, batch_of, random_record, words
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from wikiprep.pretrain.luke import loss_choice
from wikiprep.pretrain.luke.config import Objective
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.luke.loss_choice import (
    OWN,
    TORCH,
    WAYS,
    HeadShape,
    LossChoice,
    bucket_of,
    buckets,
    choose,
    has_torch_loss,
)
from wikiprep.pretrain.luke.model import ENTITIES, WORDS, Luke
from wikiprep.pretrain.ranks import Ranks

CPU = torch.device("cpu")
pytestmark = pytest.mark.skipif(not has_torch_loss(), reason="this torch has no linear_cross_entropy")


class Alone(Ranks):
    """One rank that counts what it hands on."""

    handed: list[object]

    def from_first(self, thing: object) -> object:
        self.handed.append(thing)
        return thing


def alone() -> Alone:
    made = Alone(0, 1, CPU)
    object.__setattr__(made, "handed", [])
    return made


def timer(*seconds: float) -> Callable[[Callable[[], object], torch.device], float]:
    """One that says these, one after the other, having run what it is to time."""
    told = iter(seconds)

    def time(step: Callable[[], object], device: torch.device) -> float:
        step()
        return next(told)

    return time


@pytest.mark.parametrize("rows", [0, 1, 40])
@pytest.mark.parametrize("trained", [True, False])
def test_both_are_the_same_loss(rows: int, trained: bool) -> None:
    generator = torch.Generator().manual_seed(rows)

    def made(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    hidden, table, bias = made(rows, 8).requires_grad_(), made(300, 8), made(300)
    leaves = [hidden, *((table.requires_grad_(), bias.requires_grad_()) if trained else ())]
    targets = torch.randint(300, (rows,), generator=generator)
    right = F.cross_entropy(hidden @ table.T + bias, targets, reduction="sum")
    slopes = torch.autograd.grad(0.3 * right, leaves, allow_unused=True)
    for way in WAYS.values():
        found = way(hidden, table, bias, targets)
        torch.testing.assert_close(found, right, rtol=1e-12, atol=1e-12)
        for one, other in zip(torch.autograd.grad(0.3 * found, leaves), slopes, strict=True):
            torch.testing.assert_close(one, torch.zeros_like(one) if other is None else other, rtol=1e-10, atol=1e-11)


def test_a_model_has_the_same_losses_and_gradients_by_both() -> None:
    rng = np.random.default_rng(3)
    batch = batch_of([random_record(rng) for _ in range(6)])
    model = Luke(SMALL).double()
    found = []
    for kind in (OWN, TORCH):
        model.loss_choice.kind = kind
        model.zero_grad()
        sums = model(batch)
        torch.stack([total for total, _ in sums.values()]).sum().backward()
        found.append([*(total.detach() for total, _ in sums.values()), *(p.grad for p in model.parameters())])
    for one, other in zip(*found, strict=True):
        assert one is not None and other is not None
        torch.testing.assert_close(other, one, rtol=1e-10, atol=1e-11)


def test_torchs_is_taken_in_half_precision_for_what_it_is() -> None:
    """Its sum is of autocast's type: near, and no more."""
    hidden, table = torch.randn(64, 16, requires_grad=True), torch.randn(400, 16, requires_grad=True)
    targets = torch.arange(64)
    with torch.autocast("cpu", torch.bfloat16):
        one, other = (way(hidden, table, torch.zeros(400), targets) for way in WAYS.values())
    other.backward()
    assert one.dtype == other.dtype == torch.float32 == hidden.grad.dtype == table.grad.dtype  # type: ignore[union-attr]
    assert abs(float((one - other).detach())) < 0.05 * float(one.detach())


def test_the_faster_is_taken_by_number_of_rows_and_all_ranks_are_told() -> None:
    shapes = {WORDS: HeadShape(100, 500, 8, True), ENTITIES: HeadShape(2, 700, 4, False)}
    choice, ranks = LossChoice(), alone()
    # own, torch: words of 32, 64 and 128 rows, entities of 1 and 2
    seconds = (1.0, 2.0, 3.0, 2.0, 5.0, 4.0, 1.0, 1.5, 1.0, 1.0)
    told = choose(choice, shapes, torch.float32, ranks, timer(*seconds))
    assert choice.chosen_by_rows == {WORDS: {32: OWN, 64: TORCH, 128: TORCH}, ENTITIES: {1: OWN, 2: OWN}}
    assert told[WORDS]["64"] == {"own_ms": 3000.0, "torch_ms": 2000.0, "taken": TORCH}
    assert len(ranks.handed) == 1  # all of it at once: no rank waits for another later
    assert [choice.way(WORDS, rows) for rows in (0, 3, 32, 33, 64, 65, 100_000)] == [OWN] * 3 + [TORCH] * 4


def test_another_rank_measures_nothing() -> None:
    class Second(Ranks):
        def from_first(self, thing: object) -> object:
            assert thing is None
            return {WORDS: {8: {"own_ms": 2.0, "torch_ms": 1.0, "taken": TORCH}}}

    choice = LossChoice()
    choose(choice, {WORDS: HeadShape(8, 50, 4, True)}, torch.float32, Second(1, 2, CPU), timer())
    assert choice.way(WORDS, 8) == TORCH and choice.way(ENTITIES, 8) == OWN


@pytest.mark.parametrize("kind", [OWN, TORCH])
def test_what_is_forced_is_taken_without_a_trial(kind: str) -> None:
    choice, ranks = LossChoice(kind), alone()
    assert choose(choice, {WORDS: HeadShape(8, 50, 4, True)}, torch.float32, ranks, timer()) == {}
    assert choice.way(WORDS, 1) == choice.way(ENTITIES, 1 << 20) == kind and not ranks.handed


def test_nothing_is_tried_on_a_cpu() -> None:
    choice, ranks = LossChoice(), alone()
    assert choose(choice, {WORDS: HeadShape(8, 50, 4, True)}, torch.float32, ranks) == {}
    assert choice.way(WORDS, 8) == OWN and not ranks.handed


def test_numbers_that_are_apart_and_kernels_that_fail_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*inputs: Tensor) -> Tensor:
        return 1.1 * WAYS[OWN](*inputs)

    def failing(*inputs: Tensor) -> Tensor:
        raise RuntimeError("CUDA error: no such kernel\nand more")

    for way, why in ((wrong, "torch's loss is apart by 1.0e-01"), (failing, "CUDA error: no such kernel")):
        monkeypatch.setattr(loss_choice, "torch_loss", way)
        choice = LossChoice()
        told = choose(choice, {WORDS: HeadShape(1, 50, 4, True)}, torch.float32, alone(), timer(2.0, 1.0))
        assert choice.way(WORDS, 1) == OWN and told[WORDS]["1"]["why"] == why


def test_a_family_tries_heads_of_its_largest_batch() -> None:
    rng = np.random.default_rng(0)
    family = LukeFamily(SMALL, Objective(), words(), Path("none"))
    model = family.build_model(0)
    assert isinstance(model, Luke)
    batch = batch_of([random_record(rng) for _ in range(6)])
    model.words.token.weight.requires_grad_(False)
    shapes = model.head_shapes(batch)
    assert shapes[WORDS] == HeadShape(len(batch["word_labels"]), SMALL.vocab_size, SMALL.hidden_size, False)
    assert shapes[ENTITIES].trained and shapes[ENTITIES].rows == len(batch["entity_labels"])
    assert family.choose_loss(model, batch, TORCH, torch.bfloat16, alone()) == {}
    assert model.loss_choice.kind == TORCH


def test_buckets() -> None:
    assert [bucket_of(rows) for rows in (0, 1, 2, 3, 64, 65)] == [1, 1, 2, 4, 64, 128]
    assert buckets(100) == [32, 64, 128] and buckets(2) == [1, 2] and buckets(0) == [1]
