"""Several records in one sequence are what they are apart, and padding changes nothing."""

from dataclasses import fields, replace

import numpy as np
import pytest
import torch
from luke_cases import SMALL, batch_of, random_record, variants

from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.model import Luke
from wikiprep.records.record import Record

SEEDS = range(4)
NAMES = [field.name for field in fields(Record)]
MENTIONS = {"entity_ids", "entity_starts", "entity_ends", "entity_sources"}


def double(config: LukeConfig) -> Luke:
    """A model whose parameters are all large enough to matter (biases and norms as well)."""
    model = Luke(config, seed=3).double()
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return model


@pytest.mark.parametrize("config", variants(), ids=["plain", "entity-aware"])
@pytest.mark.parametrize("seed", SEEDS)
def test_packed_records_are_the_records(config: LukeConfig, seed: int) -> None:
    rng = np.random.default_rng(seed)
    records = [random_record(rng) for _ in range(7)]
    model = double(config)
    packed = batch_of(records, rows=[0, 0, 0, 1, 2, 2, 2])
    apart = batch_of(records)
    assert "segments" in packed and "segments" not in apart
    one, other = model(packed), model(apart)
    gradients = []
    for sums in (one, other):
        model.zero_grad()
        sum(total for total, _ in sums.values()).backward()
        gradients.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
    for name in one:
        assert int(one[name][1]) == int(other[name][1])
        torch.testing.assert_close(one[name][0], other[name][0], rtol=1e-12, atol=1e-12)
    for mine, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-10, atol=1e-11)


def test_a_record_does_not_see_its_neighbour() -> None:
    """The same, as a figure: change one record of a row, and the hidden states of the other stay as they were."""
    rng = np.random.default_rng(9)
    first, second, third = (random_record(rng, most=12) for _ in range(3))
    model = double(SMALL)
    with torch.no_grad():
        words, _ = model.encode(batch_of([first, second], rows=[0, 0]))
        others, _ = model.encode(batch_of([first, third], rows=[0, 0]))
    here = len(first.word_ids) + 2
    torch.testing.assert_close(words[:, :here], others[:, :here], rtol=1e-12, atol=1e-12)
    assert (words[:, here : here + 3] - others[:, here : here + 3]).abs().max() > 1e-3


@pytest.mark.parametrize("config", variants(), ids=["plain", "entity-aware"])
def test_padding_changes_nothing(config: LukeConfig) -> None:
    rng = np.random.default_rng(2)
    short, long = random_record(rng, most=5, entities=4), random_record(rng, most=60, entities=8)
    model = double(config)
    assert len(short.entity_ids)
    for entities in (len(short.entity_ids), 0):
        one = Record(*(getattr(short, name)[:entities] if name in MENTIONS else getattr(short, name) for name in NAMES))
        with torch.no_grad():
            alone = model.encode(batch_of([one]))
            beside = model.encode(batch_of([one, long]))
        for mine, wide, size in zip(alone, beside, (len(one.word_ids) + 2, entities), strict=True):
            torch.testing.assert_close(mine[0, :size], wide[0, :size], rtol=1e-12, atol=1e-12)


def test_without_entities_or_targets_all_parameters_are_reached() -> None:
    rng = np.random.default_rng(5)
    bare = random_record(rng, entities=0)
    model = Luke(SMALL)
    sums = model(batch_of([bare]))
    assert int(sums["entity"][1]) == 0 and float(sums["entity"][0].detach()) == 0.0
    sum(total for total, _ in sums.values()).backward()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in model.parameters())


def test_words_alone_have_no_entity_parameters() -> None:
    rng = np.random.default_rng(6)
    model = Luke(replace(SMALL, entities=False))
    assert not any(name.startswith("entit") for name, _ in model.named_parameters())
    assert model(batch_of([random_record(rng)], entities=False)).keys() == {"mlm"}


@pytest.mark.parametrize("config", variants(), ids=["plain", "entity-aware"])
def test_half_precision_computes_nearly_the_same_and_sums_in_single(config: LukeConfig) -> None:
    rng = np.random.default_rng(8)
    batch = batch_of([random_record(rng) for _ in range(5)], rows=[0, 0, 1, 2, 2])
    model = double(config).float()
    exact = model(batch)
    with torch.autocast("cpu", torch.bfloat16):
        half = model(batch)
    for name, (total, count) in half.items():
        assert total.dtype == torch.float32 and count > 0
        torch.testing.assert_close(total, exact[name][0], rtol=0.05, atol=0.5)
    sum(total for total, _ in half.values()).backward()
    assert all(p.grad is not None and p.grad.dtype == torch.float32 for p in model.parameters())
