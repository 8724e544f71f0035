"""A table that is looked up and scored with has the gradient of both, in one tensor of its size."""

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from wikiprep.pretrain.luke.embeddings import look_up_tied
from wikiprep.pretrain.luke.token_places import interleave
from wikiprep.pretrain.unpadded_attention import Unpadded


@pytest.mark.parametrize("scored", [True, False])
@pytest.mark.parametrize("count", [0, 12])
def test_gradient_is_that_of_both_uses(scored: bool, count: int) -> None:
    generator = torch.Generator().manual_seed(count)
    table = torch.randn(20, 4, generator=generator, dtype=torch.float64, requires_grad=True)
    ids = torch.randint(5, (count // 4, 4), generator=generator)  # some of them several times
    factors = torch.randn(*ids.shape, 4, generator=generator, dtype=torch.float64)

    def loss(rows: torch.Tensor, whole: torch.Tensor) -> torch.Tensor:
        return (rows * factors).sum() + ((whole**3).sum() if scored else 0)

    found, whole = look_up_tied(table, ids)
    assert torch.equal(found, F.embedding(ids, table)) and torch.equal(whole, table)
    assert whole.data_ptr() == table.data_ptr()  # no copy
    (right,) = torch.autograd.grad(loss(F.embedding(ids, table), table), table)
    (slope,) = torch.autograd.grad(loss(found, whole), table)
    torch.testing.assert_close(slope, right, rtol=1e-13, atol=1e-14)


def test_the_gradient_of_scores_is_not_copied() -> None:
    table = torch.randn(1000, 8, requires_grad=True)
    rows, whole = look_up_tied(table, torch.arange(3))
    seen = []
    whole.register_hook(lambda slope: seen.append(slope.data_ptr()))
    (rows.sum() + (whole * torch.ones(())).sum()).backward()
    assert table.grad is not None and seen == [table.grad.data_ptr()]


def test_a_frozen_table_has_none() -> None:
    rows, whole = look_up_tied(torch.randn(5, 2), torch.tensor([1, 1]))
    assert not rows.requires_grad and not whole.requires_grad


def test_words_and_entities_are_woven_into_tokens() -> None:
    words, entities = (torch.randn(count, 3, dtype=torch.float64, requires_grad=True) for count in (4, 2))
    places = torch.tensor([0, 1, 3, 5]), torch.tensor([2, 4])
    made = interleave(words, entities, Unpadded(torch.tensor([0, 6], dtype=torch.int32), 6, *places))
    assert torch.equal(made[places[0]], words) and torch.equal(made[places[1]], entities)
    assert torch.autograd.gradcheck(
        lambda *parts: interleave(*parts, Unpadded(places[0], 6, *places)), (words, entities)
    )
