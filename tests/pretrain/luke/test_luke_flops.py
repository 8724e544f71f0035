"""Operations of a step are those that torch counts, less what its kernels compute beside: to the last one.

What is beside, in a batch without padding: positions are looked up by a product with the whole table, and entity-aware
attention has heads of double width and a query of words that entities do not use.
"""

from pathlib import Path

import numpy as np
import pytest
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.make_family import make
from wikiprep.records.record import Record

WORDS, ENTITIES, ROWS = 30, 8, 3  # 30 and <s>, </s>: widths that need no padding
TINY = {"size": "tiny", "dropout": 0.0, "attention_dropout": 0.0}


def record(seed: int) -> Record:
    rng = np.random.default_rng(seed)
    starts = np.arange(ENTITIES, dtype=np.int16) * 3
    return Record(
        1, 1, seed, rng.integers(10, 200, WORDS).astype(np.int32), rng.integers(4, 40, ENTITIES).astype(np.int32),
        starts, (starts + 2).astype(np.int16), np.zeros(ENTITIES, np.int8), np.zeros(1, np.int16),
    )  # fmt: skip


def beside(config: LukeConfig, stage: int) -> float:
    hidden, tokens = config.hidden_size, WORDS + 2 + ENTITIES
    # The table of entity positions is new, so it is trained in both stages; it is multiplied with no parameter.
    made = 2.0 * ROWS * ENTITIES * config.max_positions * hidden * 2
    if config.entity_aware_attention:
        unused = 2.0 * ROWS * ENTITIES * hidden**2 * (3 if stage == 2 else 2)
        made += config.layers * (unused + 2.0 * 2 * hidden * ROWS * tokens**2 * 3)
    return made


@pytest.mark.parametrize("stage", [1, 2])
@pytest.mark.parametrize("aware", [False, True])
@pytest.mark.parametrize("head", ["released", "paper"])
def test_as_torch_counts(sample_corpus: Path, stage: int, aware: bool, head: str) -> None:
    options = {**TINY, "entity_aware_attention": aware, "entity_head": head}
    family = make({"model": options, "objective": {"entity_share": 0.5}}, sample_corpus)
    batch = family.collate([record(n) for n in range(ROWS)], [np.random.default_rng(n) for n in range(ROWS)])
    model = family.build_model(0)
    trained = {id(p) for group in family.parameter_groups(model, stage) for p in group.parameters}
    for parameter in model.parameters():
        parameter.requires_grad_(id(parameter) in trained)
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counted:
        sum(loss for loss, _ in family.loss_sums(model, batch).values()).backward()
    assert family.flops(batch, stage) == counted.get_total_flops() - beside(family.config, stage)
    assert family.flops(batch, 1) < 0.75 * family.flops(batch, 2)


def test_a_model_without_new_parameters_trains_all_in_every_stage(sample_corpus: Path) -> None:
    family = make({"model": {**TINY, "entities": False}}, sample_corpus)
    batch = family.collate([record(0)], [np.random.default_rng(0)])
    assert family.flops(batch, 1) == family.flops(batch, 2)


def test_a_frozen_entity_table_has_no_gradient(sample_corpus: Path) -> None:
    models = [make({"model": {**TINY, "freeze_entity_table": frozen}}, sample_corpus) for frozen in (False, True)]
    batch = models[0].collate([record(0)], [np.random.default_rng(0)])
    config, targets = models[0].config, len(batch["entity_labels"])
    saved = 2.0 * config.entity_size * (targets * config.entity_vocab_size + ENTITIES * config.hidden_size)
    assert models[0].flops(batch, 2) - models[1].flops(batch, 2) == saved
