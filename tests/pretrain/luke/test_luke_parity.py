"""Our LUKE is transformers' LukeForMaskedLM on the same weights: scores, losses and gradients."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from luke_cases import SMALL, batch_of, ours, random_record, their_inputs, theirs, words
from torch import Tensor

from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.config import LukeConfig, config_of_size
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_names import to_hugging_face


@st.composite
def configs(draw: st.DrawFn) -> LukeConfig:
    heads = draw(st.integers(1, 4))
    hidden = heads * draw(st.sampled_from([4, 10, 16]))
    return replace(
        SMALL,
        hidden_size=hidden,
        entity_size=draw(st.sampled_from([hidden, 6, 20])),
        layers=draw(st.integers(1, 3)),
        heads=heads,
        intermediate_size=draw(st.integers(5, 60)),
        max_positions=draw(st.integers(44, 80)),
        type_rows=draw(st.integers(1, 2)),
        norm_eps=draw(st.sampled_from([1e-12, 1e-5])),
        entity_aware_attention=draw(st.booleans()),
    )


def scores(model: Luke, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """All scores at the masked positions, which the model itself never holds."""
    assert model.entities is not None and model.entity_head is not None
    words, entities = model.encode(batch)
    word = model.word_head(at_places(words, batch["word_targets"])) @ model.words.token.weight.T
    entity = model.entity_head(at_places(entities, batch["entity_targets"])) @ model.entities.entity.weight.T
    return word + model.word_head.bias, entity + model.entity_head.bias


def greatest_differences(config: LukeConfig, batch: dict[str, Tensor], dtype: torch.dtype, std: float) -> list[float]:
    """Of the scores at masked positions, the losses and all gradients, as shares of the greatest of each."""
    other = theirs(config, seed=1, std=std).to(dtype)
    model = ours(config, other)
    output = other(**their_inputs(batch))
    output.loss.backward()
    sums = model(batch)
    losses = {name: total / count for name, (total, count) in sums.items()}
    sum(losses.values()).backward()
    mine = scores(model, batch)
    found = [
        share(mine[0], at_places(output.logits, batch["word_targets"])),
        share(mine[1], at_places(output.entity_logits, batch["entity_targets"])),
        share(losses["mlm"], output.mlm_loss),
        share(losses["entity"], output.mep_loss),
    ]
    their_gradients = {name: p.grad for name, p in other.named_parameters() if p.grad is not None}
    our_gradients = to_hugging_face({name: p.grad for name, p in model.named_parameters() if p.grad is not None})
    assert our_gradients.keys() == their_gradients.keys()
    greatest = max(float(g.abs().max()) for g in their_gradients.values())
    apart = max(float((our_gradients[name] - g).abs().max()) for name, g in their_gradients.items())
    return [*found, apart / greatest]


def share(mine: Tensor, other: Tensor) -> float:
    return float((mine - other).detach().abs().max() / other.detach().abs().max())


def random_batch(config: LukeConfig, seed: int, most: int = 40, entities: int = 8) -> dict[str, Tensor]:
    """Three records, of which at least one has an entity (transformers' mean of no loss is NaN)."""
    rng = np.random.default_rng(seed)
    records = [random_record(rng, config, most, entities) for _ in range(3)]
    while not sum(len(record.entity_ids) for record in records):
        records[0] = random_record(rng, config, most, entities)
    return batch_of(records, vocabulary=words(config.vocab_size))


@settings(max_examples=25, deadline=None)
@given(configs(), st.integers(0, 1000))
def test_equal_in_double_precision(config: LukeConfig, seed: int) -> None:
    assert max(greatest_differences(config, random_batch(config, seed), torch.float64, std=0.2)) < 1e-9


@settings(max_examples=15, deadline=None)
@given(configs(), st.integers(0, 1000))
def test_equal_in_single_precision(config: LukeConfig, seed: int) -> None:
    assert max(greatest_differences(config, random_batch(config, seed), torch.float32, std=0.2)) < 1e-5


@pytest.mark.parametrize("entity_aware", [False, True])
@pytest.mark.parametrize(("dtype", "most"), [(torch.float64, 1e-9), (torch.float32, 1e-5)])
@pytest.mark.slow
def test_equal_at_base_size(entity_aware: bool, dtype: torch.dtype, most: float) -> None:
    config = replace(config_of_size("luke-base", 5003, 2003), dropout=0.0, attention_dropout=0.0)
    config = replace(config, entity_aware_attention=entity_aware)
    batch = random_batch(config, 5, most=200, entities=30)
    assert max(greatest_differences(config, batch, dtype, std=0.02)) < most
