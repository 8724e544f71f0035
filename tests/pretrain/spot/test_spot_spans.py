"""The span encoder is the equations of docs/spot-model.md, written as plain loops."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from wikiprep.errors import UsageError
from wikiprep.pretrain.spot.span_encoder import ATTENTION, ENDPOINT, KINDS, MAX, SpanEncoder, SpanOptions

D, SIZE, WIDTH = 6, 5, 4
COMBINATIONS = [kinds for count in (1, 2, 3) for kinds in itertools.combinations(KINDS, count)]


def encoder_of(kinds: tuple[str, ...], seed: int = 0) -> SpanEncoder:
    torch.manual_seed(seed)
    made = SpanEncoder(SpanOptions(D, SIZE, kinds, WIDTH, width_size=3, attention_hidden=7)).double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made


def naive(encoder: SpanEncoder, words: Tensor, spans: list[tuple[int, int, int]]) -> Tensor:
    """One span after the other, one token after the other, from the equations."""
    made = []
    for row, start, end in spans:
        end = min(end, start + WIDTH)
        parts = []
        for kind in encoder.options.kinds:
            if kind == ENDPOINT:
                parts += [words[row, start], words[row, end - 1], encoder.width.weight[end - start - 1]]
            elif kind == ATTENTION:
                first, _, last = encoder.score
                scores = []
                for token in range(start, end):
                    hidden = first.weight @ words[row, token] + first.bias
                    hidden = torch.stack([x * 0.5 * (1 + torch.erf(x / math.sqrt(2))) for x in hidden])
                    scores.append(torch.exp((last.weight @ hidden)[0]))
                total = sum(scores)
                parts.append(sum(s / total * words[row, start + k] for k, s in enumerate(scores)))
            else:
                parts.append(torch.stack([max(words[row, token, d] for token in range(start, end)) for d in range(D)]))
        out = encoder.project.weight @ torch.cat(parts) + encoder.project.bias
        out = (out - out.mean()) / torch.sqrt(((out - out.mean()) ** 2).mean() + encoder.norm.eps)
        made.append(out * encoder.norm.weight + encoder.norm.bias)
    return torch.stack(made) if made else words.new_zeros(0, SIZE)


def columns(spans: list[tuple[int, int, int]]) -> tuple[Tensor, ...]:
    return (
        tuple(torch.tensor(column, dtype=torch.long) for column in zip(*spans, strict=True))
        or (torch.zeros(0, dtype=torch.long),) * 3
    )


def check(encoder: SpanEncoder, words: Tensor, spans: list[tuple[int, int, int]]) -> None:
    words = words.requires_grad_()
    found, expected = encoder(words, *columns(spans)), naive(encoder, words, spans)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)
    weights = torch.randn(expected.shape, dtype=torch.float64)
    inputs = [words, *encoder.parameters()]
    ours = torch.autograd.grad((found * weights).sum(), inputs)
    plain = torch.autograd.grad((expected * weights).sum(), inputs)
    for one, other in zip(ours, plain, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kinds", COMBINATIONS, ids="+".join)
def test_all_kinds_equal_a_plain_loop(kinds: tuple[str, ...]) -> None:
    """One token, several, the last of a row, as wide as the cut, wider, the same twice, overlapping ones."""
    spans = [(0, 0, 1), (0, 2, 5), (1, 8, 9), (1, 1, 5), (0, 1, 8), (1, 5, 9), (0, 2, 5), (0, 3, 6)]
    check(encoder_of(kinds), torch.randn(2, 9, D, dtype=torch.float64), spans)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_spans_equal_a_plain_loop(data: st.DataObject) -> None:
    rows, width = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 12))
    span = st.tuples(st.integers(0, rows - 1), st.integers(0, width - 1), st.integers(1, 9))
    spans = [
        (row, start, min(width, start + size)) for row, start, size in data.draw(st.lists(span, min_size=1, max_size=5))
    ]
    generator = torch.Generator().manual_seed(data.draw(st.integers(0, 99)))
    words = torch.randn(rows, width, D, generator=generator, dtype=torch.float64)
    check(encoder_of(data.draw(st.sampled_from(COMBINATIONS))), words, spans)


@pytest.mark.parametrize("kinds", COMBINATIONS, ids="+".join)
def test_without_a_span_every_parameter_is_reached(kinds: tuple[str, ...]) -> None:
    encoder = encoder_of(kinds)
    made = encoder(torch.randn(2, 9, D, dtype=torch.float64), *columns([]))
    assert made.shape == (0, SIZE)
    made.sum().backward()
    assert all(p.grad is not None and not p.grad.any() for p in encoder.parameters())


@pytest.mark.parametrize("kinds", COMBINATIONS, ids="+".join)
def test_words_outside_a_span_do_not_reach_it(kinds: tuple[str, ...]) -> None:
    """Padding and the other records of a row, and tokens behind the cut."""
    encoder, words = encoder_of(kinds), torch.randn(2, 9, D, dtype=torch.float64)
    spans = [(0, 2, 4), (1, 0, 9)]
    before = encoder(words, *columns(spans))
    spoiled = torch.full_like(words, 1e6)
    spoiled[0, 2:4], spoiled[1, :WIDTH] = words[0, 2:4], words[1, :WIDTH]
    assert torch.equal(encoder(spoiled, *columns(spans)), before)


def test_span_vectors_under_autocast_are_near_those_without() -> None:
    torch.manual_seed(0)
    encoder = SpanEncoder(SpanOptions(32, 16))
    words, spans = torch.randn(2, 9, 32), columns([(0, 0, 1), (1, 2, 9)])
    plain = encoder(words, *spans)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch.testing.assert_close(encoder(words, *spans).float(), plain, rtol=0.1, atol=0.05)


def test_sizes_and_options() -> None:
    options = SpanOptions(1024, 1024)
    assert options.parts_size == 3 * 1024 + 64
    assert SpanOptions(8, 8, (MAX,)).parts_size == 8
    for kinds in ((), ("mean",), (MAX, MAX)):
        with pytest.raises(UsageError, match="span kinds"):
            SpanOptions(8, 8, kinds)
    with pytest.raises(UsageError, match="max_width = 0"):
        SpanOptions(8, 8, max_width=0)
