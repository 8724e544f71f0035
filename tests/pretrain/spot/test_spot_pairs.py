"""The pair encoder is the equations of docs/spot-model.md, written as plain loops."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from wikiprep.errors import UsageError
from wikiprep.pretrain.spot.pair_encoder import Layout, PairEncoder, PairOptions, ordered_pairs

D, SIZE = 6, 5
OPTIONS = PairOptions(D, SIZE, layers=2, heads=2, dropout=0.0)


def encoder_of(options: PairOptions = OPTIONS, seed: int = 0) -> PairEncoder:
    torch.manual_seed(seed)
    made = PairEncoder(options).double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return made


def norm(x: Tensor, of: torch.nn.LayerNorm) -> Tensor:
    return (x - x.mean()) / torch.sqrt(((x - x.mean()) ** 2).mean() + of.eps) * of.weight + of.bias


def attended(encoder: PairEncoder, spans: list[Tensor]) -> list[Tensor]:
    """The spans of ONE sentence, through all layers: head by head, span by span."""
    inner, heads = encoder.options.inner, encoder.options.heads
    size = inner // heads
    for layer in encoder.layers:
        qkv = [layer.qkv.weight @ span + layer.qkv.bias for span in spans]
        made = []
        for asks in range(len(spans)):
            mixed = []
            for head in range(heads):
                at = slice(head * size, (head + 1) * size)
                query = qkv[asks][:inner][at]
                weights = [torch.exp(query @ q[inner : 2 * inner][at] / math.sqrt(size)) for q in qkv]
                total = sum(weights)
                mixed.append(sum(w / total * q[2 * inner :][at] for w, q in zip(weights, qkv, strict=True)))
            made.append(norm(spans[asks] + layer.out.weight @ torch.cat(mixed) + layer.out.bias, layer.norm))
        spans = made
    return spans


def naive(encoder: PairEncoder, spans: Tensor, counts: list[int], pairs: list[tuple[int, int]]) -> Tensor:
    rows: list[Tensor] = []
    for count in counts:
        rows += attended(encoder, list(spans[len(rows) : len(rows) + count]))
    weight = torch.cat([encoder.head.weight, encoder.tail.weight], dim=1)
    made = []
    for i, j in pairs:
        x = weight @ torch.cat([rows[i], rows[j]]) + encoder.head.bias
        made.append(norm(torch.stack([v * 0.5 * (1 + torch.erf(v / math.sqrt(2))) for v in x]), encoder.norm))
    return torch.stack(made) if made else spans.new_zeros(0, SIZE)


def check(encoder: PairEncoder, counts: list[int], pairs: list[tuple[int, int]]) -> None:
    spans = torch.randn(sum(counts), D, dtype=torch.float64, requires_grad=True)
    places = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2)
    found = encoder(spans, Layout.of(counts), places[:, 0], places[:, 1])
    expected = naive(encoder, spans, counts, pairs)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)
    if not pairs:
        return
    weights = torch.randn(expected.shape, dtype=torch.float64)
    inputs = [spans, *encoder.parameters()]
    ours = torch.autograd.grad((found * weights).sum(), inputs)
    plain = torch.autograd.grad((expected * weights).sum(), inputs)
    for one, other in zip(ours, plain, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "options",
    [
        OPTIONS,
        replace(OPTIONS, span_attention=False),
        replace(OPTIONS, layers=1, inner_size=6),
        replace(OPTIONS, heads=1),
    ],
    ids=["two-layers", "no-attention", "narrow", "one-head"],
)
def test_pairs_equal_a_plain_loop(options: PairOptions) -> None:
    """Sentences of several spans, of one, of none; a pair, its reverse, the same twice (several properties)."""
    check(encoder_of(options), [3, 0, 1, 2], [(0, 2), (2, 0), (0, 2), (3, 3), (4, 5)])


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_pairs_equal_a_plain_loop(data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(0, 4), max_size=4))
    pairs = ordered_pairs(counts, data.draw(st.integers(0, 7)), np.random.default_rng(data.draw(st.integers(0, 9))))
    check(encoder_of(), counts, list(zip(pairs.heads.tolist(), pairs.tails.tolist(), strict=True)))


@pytest.mark.parametrize("counts", [[], [0], [3], [1, 0]])
def test_without_a_pair_every_parameter_is_reached(counts: list[int]) -> None:
    encoder, nothing = encoder_of(), torch.zeros(0, dtype=torch.long)
    made = encoder(torch.randn(sum(counts), D, dtype=torch.float64), Layout.of(counts), nothing, nothing)
    assert made.shape == (0, SIZE)
    made.sum().backward()
    assert all(p.grad is not None and not p.grad.any() for p in encoder.parameters())


def test_a_sentence_beside_others_has_the_vectors_that_it_has_alone() -> None:
    encoder, spans = encoder_of(), torch.randn(9, D, dtype=torch.float64)
    every = ordered_pairs([4, 1, 4])
    together = encoder(spans, Layout.of([4, 1, 4]), torch.tensor(every.heads), torch.tensor(every.tails))
    own = ordered_pairs([4])
    heads, tails = torch.tensor(own.heads), torch.tensor(own.tails)
    for first, rows in ((0, slice(0, 12)), (5, slice(12, 24))):
        alone = encoder(spans[first : first + 4], Layout.of([4]), heads, tails)
        torch.testing.assert_close(together[rows], alone, rtol=1e-12, atol=1e-12)


def test_the_order_of_spans_does_not_matter_and_that_of_a_pair_does() -> None:
    """There are no positions."""
    encoder, spans = encoder_of(), torch.randn(3, D, dtype=torch.float64)
    layout, zero, two = Layout.of([3]), torch.tensor([0]), torch.tensor([2])
    forth = encoder(spans, layout, zero, two)
    torch.testing.assert_close(encoder(spans.flip(0), layout, two, zero), forth, rtol=1e-12, atol=1e-12)
    assert (encoder(spans, layout, two, zero) - forth).abs().max() > 0.01


def test_ordered_pairs_are_all_of_each_sentence() -> None:
    found = ordered_pairs([2, 0, 1, 3])
    pairs = list(zip(found.heads.tolist(), found.tails.tolist(), strict=True))
    assert pairs == [(0, 1), (1, 0), (3, 4), (3, 5), (4, 3), (4, 5), (5, 3), (5, 4)]
    assert found.left_out == 0


def test_pairs_are_bounded_and_what_is_left_out_is_counted() -> None:
    every = ordered_pairs([5, 3, 2])
    rng = np.random.default_rng(0)
    found = ordered_pairs([5, 3, 2], 6, rng)
    assert found.left_out == 20 - 6
    pairs = list(zip(found.heads.tolist(), found.tails.tolist(), strict=True))
    assert len(pairs) == len({*pairs}) == 6 + 6 + 2
    assert {*pairs} < {*zip(every.heads.tolist(), every.tails.tolist(), strict=True)}
    first = ordered_pairs([5], 6)
    assert list(zip(first.heads.tolist(), first.tails.tolist(), strict=True)) == [
        (0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 2)
    ]  # fmt: skip


def test_bounded_pairs_are_drawn_evenly() -> None:
    rng, times = np.random.default_rng(1), np.zeros((4, 4))
    for _ in range(3000):
        found = ordered_pairs([4], 3, rng)
        times[found.heads, found.tails] += 1
    shares = times[~np.eye(4, dtype=bool)] / 3000
    assert np.abs(shares - 3 / 12).max() < 0.035  # four standard errors


def test_options_that_make_no_module_are_refused() -> None:
    with pytest.raises(UsageError, match="inner size of 10 for 4 heads"):
        PairOptions(8, 8, heads=4, inner_size=10)
    with pytest.raises(UsageError, match="layers = 0"):
        PairOptions(8, 8, layers=0)
    with pytest.raises(UsageError, match="dropout"):
        PairOptions(8, 8, dropout=1.0)


def test_sizes_of_the_published_width() -> None:
    """Two layers of width 1,024 and the network of pairs: 8.4 M and 2.1 M, as the specification counts."""
    with torch.device("meta"):
        encoder = PairEncoder(PairOptions(1024, 1024))
    of_layers = sum(p.numel() for p in encoder.layers.parameters())
    assert of_layers == 2 * (4 * 1024 * 1024 + 6 * 1024)
    assert sum(p.numel() for p in encoder.parameters()) - of_layers == 2 * 1024 * 1024 + 3 * 1024
