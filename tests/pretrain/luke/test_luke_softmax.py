"""The softmax in pieces is the softmax, and never holds more scores than it may."""

from collections.abc import Iterator

import pytest
import torch
import torch._dynamo
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F  # noqa: N812

from wikiprep.pretrain import compiling as fusing
from wikiprep.pretrain.luke import softmax
from wikiprep.pretrain.luke.softmax import cross_entropy_sum, target_ranks


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9), st.integers(1, 1500), st.integers(1, 3000), st.integers(0, 99), st.floats(0.1, 20))
def test_equals_the_plain_loss(rows: int, table_rows: int, scores: int, seed: int, scale: float) -> None:
    generator = torch.Generator().manual_seed(seed)

    def made(*shape: int) -> torch.Tensor:
        return (scale * torch.randn(*shape, generator=generator, dtype=torch.float64)).requires_grad_()

    hidden, table, bias = made(rows, 5), made(table_rows, 5), made(table_rows)
    targets = torch.randint(table_rows, (rows,), generator=generator)
    plain = F.cross_entropy(hidden @ table.T + bias, targets, reduction="sum")
    ours = cross_entropy_sum(hidden, table, bias, targets, scores)
    torch.testing.assert_close(ours, plain, rtol=1e-12, atol=1e-12)
    factor = torch.tensor(0.37, dtype=torch.float64)
    expected = torch.autograd.grad(plain * factor, (hidden, table, bias))
    for again in (True, False):  # what is kept for backward stays as it is
        found = torch.autograd.grad(ours * factor, (hidden, table, bias), retain_graph=again)
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-11)


def test_all_scores_are_made_once_where_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    plain = softmax.products_of
    monkeypatch.setattr(softmax, "products_of", lambda *inputs: made.append(1) or plain(*inputs))
    hidden, table = torch.randn(4, 8, requires_grad=True), torch.randn(1000, 8, requires_grad=True)
    for scores, pieces in ((4000, 1), (3999, 2)):  # forward and backward
        made.clear()
        cross_entropy_sum(hidden, table, torch.zeros(1000), torch.zeros(4, dtype=torch.long), scores).backward()
        assert len(made) == pieces * len(softmax.pieces(hidden, table, scores))
    made.clear()
    cross_entropy_sum(hidden, table, torch.zeros(1000), torch.zeros(4, dtype=torch.long), 1500, 4000).backward()
    assert len(made) == len(softmax.pieces(hidden, table, 1500)) > 1  # in pieces that are kept


@pytest.mark.parametrize("scores", [1 << 24, 2600], ids=["kept", "pieces"])
def test_a_frozen_table_costs_no_gradient(scores: int) -> None:
    """As in stage 1, where the word head is frozen, and the loss of words still reaches entities."""
    generator = torch.Generator().manual_seed(3)
    hidden = torch.randn(20, 8, generator=generator, requires_grad=True)
    table, bias = torch.randn(3000, 8, generator=generator), torch.zeros(3000)
    targets = torch.arange(20)
    with torch.profiler.profile(record_shapes=True) as profile:
        cross_entropy_sum(hidden, table, bias, targets, scores).backward()
    products = [event for event in profile.events() if event.name == "aten::mm"]
    found = hidden.grad
    hidden.grad = None
    F.cross_entropy(hidden @ table.T, targets, reduction="sum").backward()
    torch.testing.assert_close(found, hidden.grad, rtol=1e-4, atol=1e-5)
    pieces = len(softmax.pieces(hidden, table, scores))
    again = 0 if scores > 20 * 3000 else pieces
    assert len(products) == 2 * pieces + again  # scores, perhaps once more, and the product with the table


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_autocast_computes_in_its_type_and_sums_in_single(dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(0)
    hidden = torch.randn(7, 16, generator=generator, requires_grad=True)
    table = torch.randn(900, 16, generator=generator, requires_grad=True)
    bias = torch.zeros(900, requires_grad=True)
    targets = torch.arange(7)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=dtype == torch.bfloat16):
        total = cross_entropy_sum(hidden, table, bias, targets, 1000)
    total.backward()
    exact = F.cross_entropy(hidden @ table.T + bias, targets, reduction="sum")
    assert total.dtype == torch.float32
    assert table.grad is not None and table.grad.dtype == torch.float32
    assert abs(float((total - exact).detach())) < (1e-4 if dtype == torch.float32 else 0.5)


def test_scores_are_made_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    plain = softmax.products_of

    def counted(hidden: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        found = plain(hidden, table)
        made.append(found.numel())
        return found

    monkeypatch.setattr(softmax, "products_of", counted)
    hidden, table = torch.randn(50, 8, requires_grad=True), torch.randn(5000, 8, requires_grad=True)
    cross_entropy_sum(hidden, table, torch.zeros(5000), torch.zeros(50, dtype=torch.long), 50_000).backward()
    assert max(made) == 50_000
    assert sum(made) == 2 * 50 * 5000  # once forward, once backward


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is one kernel on a GPU runs as the compiler reads it; the compiler's own backend is not needed for that."""
    for function in (softmax.fold, softmax.slope_of):
        monkeypatch.setattr(function, "_compiled", None)
    fusing.fuse(True, "eager")
    yield
    fusing.fuse(False)
    torch._dynamo.reset()


@pytest.mark.parametrize("keep", [0, 1 << 20], ids=["again", "kept"])
@pytest.mark.parametrize("half", [False, True], ids=["double", "half"])
def test_compiled_pieces_are_those_that_are_not(keep: int, half: bool, compiled: None) -> None:
    generator = torch.Generator().manual_seed(4)
    kind = torch.float32 if half else torch.float64

    def made(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=kind).requires_grad_()

    leaves = hidden, table, bias = made(20, 8), made(1500, 8), made(1500)
    targets = torch.randint(1500, (20,), generator=generator)
    found = []
    for on in (True, False):
        fusing.fuse(on, "eager")
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            total = cross_entropy_sum(hidden, table, bias, targets, 6000, keep)
        found.append((total, *torch.autograd.grad(0.3 * total, leaves)))
    assert softmax.slope_of._compiled is not None
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-12 if kind == torch.float64 else 1e-5, atol=1e-12)


@pytest.mark.parametrize("half", [False, True], ids=["single", "half"])
@pytest.mark.parametrize("rows", [2, 64])
def test_memory_stays_flat_when_the_table_grows(rows: int, half: bool) -> None:
    """Bytes of the largest tensor that forward or backward makes, beside the gradient of the table itself."""
    greatest = []
    for table_rows in (20_000, 40_000):
        hidden, table = torch.randn(rows, 32, requires_grad=True), torch.randn(table_rows, 32, requires_grad=True)
        bias = torch.zeros(table_rows, requires_grad=True)
        with torch.profiler.profile(profile_memory=True) as profile, torch.autocast("cpu", enabled=half):
            cross_entropy_sum(hidden, table, bias, torch.zeros(rows, dtype=torch.long), 1 << 17).backward()
        own = {table_rows * 32 * 4, table_rows * 4}  # gradients: they are there whatever the loss is computed by
        events = [event.self_cpu_memory_usage for event in profile.events()]
        greatest.append(max(size for size in events if size not in own))
    assert greatest[1] <= greatest[0] <= 1.1 * 4 * (1 << 17)


def test_ranks_count_what_scores_higher() -> None:
    generator = torch.Generator().manual_seed(1)
    hidden, table = torch.randn(30, 6, generator=generator), torch.randn(2000, 6, generator=generator)
    bias, targets = torch.randn(2000, generator=generator), torch.randint(2000, (30,), generator=generator)
    scores = hidden @ table.T + bias
    expected = (scores > scores.gather(1, targets[:, None])).sum(dim=1)
    assert torch.equal(target_ranks(hidden, table, bias, targets, 9000), expected)


def test_ranks_are_those_of_single_precision_under_autocast() -> None:
    generator = torch.Generator().manual_seed(2)
    table = 1.0 + 1e-3 * torch.randn(500, 4, generator=generator)  # in bfloat16 most rows are alike
    hidden, bias = torch.full((20, 4), 3.0), torch.zeros(500)
    targets = torch.arange(20)
    expected = target_ranks(hidden, table, bias, targets)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(target_ranks(hidden, table, bias, targets), expected)
        # The paper's head ends in a product, which autocast makes in half precision.
        assert torch.equal(target_ranks(hidden.bfloat16(), table, bias, targets), expected)
    assert len(set(expected.tolist())) > 15


@pytest.mark.parametrize("scores", [1 << 24, 2600])
def test_a_model_that_tells_nothing_apart_is_not_right(scores: int) -> None:
    table, bias, targets = torch.ones(1000, 4), torch.zeros(1000), torch.tensor([0, 1, 700, 999])
    assert target_ranks(torch.zeros(4, 4), table, bias, targets, scores).tolist() == [0, 1, 700, 999]
    assert target_ranks(torch.full((4, 4), torch.nan), table, bias, targets, scores).tolist() == [1000] * 4
