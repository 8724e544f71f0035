"""The adaptive softmax is torch's own, and a plain one without clusters; the exact one is a plain one always."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from wikiprep.pretrain.spot.entity_softmax import AdaptiveSoftmax, EntityTargets, ExactSoftmax, tail_rows

SIZE, CLASSES, CUTOFFS, RATIO = 16, 60, (5, 20, 40), 2.0


def targets_of(labels: Tensor, cutoffs: tuple[int, ...]) -> EntityTargets:
    return EntityTargets(labels, tuple(torch.from_numpy(rows) for rows in tail_rows(labels.numpy(), cutoffs)))


def adaptive(cutoffs: tuple[int, ...] = CUTOFFS) -> AdaptiveSoftmax:
    torch.manual_seed(0)
    return AdaptiveSoftmax(SIZE, CLASSES, cutoffs, RATIO).double()


@pytest.mark.parametrize("rows", [0, 40])
def test_equals_the_module_of_torch(rows: int) -> None:
    ours = adaptive()
    theirs = nn.AdaptiveLogSoftmaxWithLoss(SIZE, CLASSES, list(CUTOFFS), RATIO).double()
    theirs.load_state_dict(ours.state_dict())
    states = torch.randn(rows, SIZE, dtype=torch.float64, requires_grad=True)
    labels = torch.randint(CLASSES, (rows,))
    if rows > 4:
        labels[:5] = torch.tensor([0, 4, 5, 40, 59])
    loss = ours.loss_sum(states, targets_of(labels, CUTOFFS))
    assert loss.shape == ()
    if not rows:
        loss.backward()
        assert loss.item() == 0
        assert all(p.grad is not None and not p.grad.any() for p in ours.parameters())
        return
    expected = -theirs(states, labels).output.sum()
    torch.testing.assert_close(loss, expected, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(ours.log_prob(states), theirs.log_prob(states), rtol=1e-10, atol=1e-10)
    mine = torch.autograd.grad(loss, [states, *ours.parameters()])
    other = torch.autograd.grad(expected, [states, *theirs.parameters()], allow_unused=True)
    for one, two in zip(mine, other, strict=True):
        torch.testing.assert_close(one, torch.zeros_like(one) if two is None else two, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("cutoffs", [(), (CLASSES,), (100, 200)])
def test_one_cluster_is_the_full_softmax(cutoffs: tuple[int, ...]) -> None:
    """Cut-offs behind the last class leave one cluster, as on a small corpus."""
    ours = adaptive(cutoffs)
    assert not ours.tail and ours.head.weight.shape == (CLASSES, SIZE)
    states, labels = torch.randn(9, SIZE, dtype=torch.float64), torch.randint(CLASSES, (9,))
    expected = F.cross_entropy(states @ ours.head.weight.T, labels, reduction="sum")
    torch.testing.assert_close(
        ours.loss_sum(states, targets_of(labels, ours.cutoffs)), expected, rtol=1e-10, atol=1e-10
    )


def test_exact_equals_the_full_softmax() -> None:
    torch.manual_seed(0)
    ours = ExactSoftmax(SIZE, CLASSES, 6, 1e-5).double()
    states = torch.randn(9, SIZE, dtype=torch.float64, requires_grad=True)
    labels = torch.randint(CLASSES, (9,))
    scores = ours.norm(F.gelu(ours.dense(states))) @ ours.table.weight.T + ours.bias
    expected, loss = F.cross_entropy(scores, labels, reduction="sum"), ours.loss_sum(states, EntityTargets(labels))
    torch.testing.assert_close(loss, expected, rtol=1e-10, atol=1e-10)
    inputs = [states, *ours.parameters()]
    for one, two in zip(torch.autograd.grad(loss, inputs), torch.autograd.grad(expected, inputs), strict=True):
        torch.testing.assert_close(one, two, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "module", [adaptive(), ExactSoftmax(SIZE, CLASSES, 6, 1e-5).double()], ids=["adaptive", "exact"]
)
def test_ranks_count_the_likelier_classes(module: AdaptiveSoftmax | ExactSoftmax) -> None:
    states, labels = torch.randn(30, SIZE, dtype=torch.float64), torch.randint(CLASSES, (30,))
    scores = module.log_prob(states).detach()
    torch.testing.assert_close(scores.exp().sum(dim=1), torch.ones(30, dtype=torch.float64))
    expected = [int((row > row[label]).sum()) for row, label in zip(scores, labels, strict=True)]
    assert module.ranks(states, labels).tolist() == expected
    assert module.ranks(states[:0], labels[:0]).tolist() == []


def test_ranks_of_equal_classes_are_in_their_order() -> None:
    module = adaptive(())
    nn.init.zeros_(module.head.weight)
    assert module.ranks(torch.zeros(3, SIZE, dtype=torch.float64), torch.tensor([0, 7, 59])).tolist() == [0, 7, 59]


def test_tails_are_all_targets_behind_the_head() -> None:
    labels = np.array([0, 5, 4, 59, 20, 19, 40, 39])
    assert [rows.tolist() for rows in tail_rows(labels, CUTOFFS)] == [[1, 5], [4, 7], [3, 6]]
    assert tail_rows(labels, ()) == []


@pytest.mark.parametrize(
    ("cutoffs", "ratio", "millions"),
    [((10_000, 60_000, 250_000), 8, 21.3), ((5_000, 50_000, 250_000), 8, 15.7), ((1_000, 10_000, 100_000), 4, 23.8)],
)
def test_sizes_of_a_million_classes(cutoffs: tuple[int, ...], ratio: float, millions: float) -> None:
    """As the specification counts them."""
    with torch.device("meta"):
        module = AdaptiveSoftmax(1024, 1_000_000, cutoffs, ratio)
    assert sum(p.numel() for p in module.parameters()) / 1e6 == pytest.approx(millions, abs=0.05)
