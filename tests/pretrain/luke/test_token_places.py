"""LUKE of tokens alone, record behind record, is LUKE of padded sequences with a mask; FlashAttention's own kernel is
tried by benchmarks/gpu_check.py, and before its first use by `why_not_flash`."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from luke_batches import SMALL, batch_of, random_record, variants
from test_luke_packing import double

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.token_places import record_order
from wikiprep.pretrain.unpadded_attention import Unpadded, attend_unpadded

PACKED = [0, 0, 0, 1, 2, 2, 2, 2]


@pytest.mark.parametrize(
    "config", [*variants(), replace(SMALL, entities=False)], ids=["plain", "entity-aware", "words alone"]
)
@pytest.mark.parametrize("rows", [PACKED, None], ids=["packed", "padded"])
def test_losses_and_gradients_are_equal(config: LukeConfig, rows: list[int] | None) -> None:
    rng = np.random.default_rng(7)
    batch = batch_of([random_record(rng) for _ in PACKED], rows, entities=config.entities)
    assert not batch["real"].all() and len(batch["order"]) == int(batch["real"].sum())
    assert len(batch["offsets"]) == len(PACKED) + 1
    model = double(config)
    found, states = [], []
    for kind in ("sdpa", "varlen"):
        choose_attention(model, kind)
        model.zero_grad()
        sums = model(batch)
        torch.stack([total for total, _ in sums.values()]).sum().backward()
        gradients = [p.grad.clone() for p in model.parameters() if p.grad is not None]
        found.append([*(total.detach() for total, _ in sums.values()), *gradients])
        states.append(torch.cat(model.encode(batch), dim=1)[batch["real"]].detach())
    for dense, tokens in zip(*found, strict=True):
        assert float((dense - tokens).abs().max()) <= 1e-12 * max(1.0, float(dense.abs().max()))
    torch.testing.assert_close(states[1], states[0], rtol=1e-12, atol=1e-12)


def test_padding_is_not_computed_and_weights_are_dropped() -> None:
    rng = np.random.default_rng(1)
    batch = batch_of([random_record(rng) for _ in range(4)])
    model = double(replace(SMALL, attention_dropout=0.5))
    choose_attention(model, "varlen")
    seen = []
    model.layers[0].up.register_forward_hook(lambda module, inputs, made: seen.append(tuple(made.shape)))
    losses = []
    for _ in range(2):
        torch.manual_seed(len(losses) // 2)
        losses.append(float(model.train()(batch)["mlm"][0].detach()))
    torch.manual_seed(5)
    assert losses[0] == losses[1] != float(model(batch)["mlm"][0].detach())
    assert set(seen) == {(int(batch["real"].sum()), SMALL.intermediate_size)}


@pytest.mark.parametrize(
    "lengths", [[3, 5, 2], [4, 4, 4], [40, *[1] * 20], []], ids=["some", "equal", "one long", "none"]
)
def test_a_cpu_gives_what_each_record_gives_alone(lengths: list[int]) -> None:
    """Padded for SDPA, as they are where none is needed, one by one where it would be most of it."""
    offsets = torch.tensor([0, *np.cumsum(lengths)], dtype=torch.int32)
    qkv = torch.randn(sum(lengths), 3, 2, 8, dtype=torch.float64, requires_grad=True)
    seen = Unpadded(offsets, max(lengths, default=8), offsets[:0], offsets[:0])
    found = attend_unpadded(*qkv.unbind(1), seen, 0.0, 0.3)
    scores = torch.einsum("ihd,jhd->hij", qkv[:, 0], qkv[:, 1]) * 0.3
    record = torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths, dtype=torch.int64))
    weights = scores.masked_fill(record[:, None] != record, -torch.inf).softmax(-1)
    wanted = torch.einsum("hij,jhd->ihd", weights, qkv[:, 2])
    aim = torch.randn_like(wanted)
    slopes = [torch.autograd.grad((it * aim).sum(), qkv, retain_graph=True)[0] for it in (found, wanted)]
    assert found.shape == wanted.shape
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-12)
    torch.testing.assert_close(slopes[0], slopes[1], rtol=0, atol=1e-12)


def test_order_by_hand() -> None:
    segments = np.array([[1, 1, 2, 0, 1, 2], [1, 0, 0, 0, 0, 0]])  # four words and two entities a row
    made = {name: array.tolist() for name, array in record_order(segments, 4).items()}
    assert made == {
        "order": [0, 1, 4, 2, 5, 6],
        "offsets": [0, 3, 5, 6],
        "word_places": [0, 1, 3, 5],
        "entity_places": [2, 4],
    }
