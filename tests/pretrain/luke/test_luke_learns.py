"""A tiny LUKE really learns: in a plain loop it comes to know the masked entities of a hundred records."""

from pathlib import Path

import numpy as np
import pytest
import torch
from corpus_records import records_of
from inline import build

from wikiprep.pretrain.luke.make_family import make
from wikiprep.sample import dump_path

RECORDS, STEPS, BATCH, RATE = 100, 300, 20, 3e-3
MODEL = {"size": "tiny", "dropout": 0.0, "attention_dropout": 0.0, "init_std": 0.1}


@pytest.fixture(scope="module")
def short_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample cut into records of 24 tokens at most."""
    output = tmp_path_factory.mktemp("short") / "corpus"
    build(output, dump_path(), sections={"records": {"max_seq_length": 26}})
    return output


def test_overfits_a_hundred_records(short_records: Path) -> None:
    # Half of the entities masked at a time, so that each is a target often; other masks in every step.
    family = make({"model": MODEL, "objective": {"entity_share": 0.5}}, short_records)
    records = records_of(short_records)[:RECORDS]
    assert len(records) == RECORDS
    model = family.build_model(seed=1)
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98))
    rng = np.random.default_rng(0)
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 30) * (1 - step / STEPS)
        chosen = rng.choice(len(records), BATCH, replace=False)
        batch = family.collate([records[n] for n in chosen], [np.random.default_rng([step, n]) for n in chosen])
        loss = sum((total / count for total, count in family.loss_sums(model, batch).values()), torch.zeros(()))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    model.eval()
    with torch.no_grad():
        batch = family.collate(records, [np.random.default_rng([STEPS, n]) for n in range(len(records))])
        right, count = family.metrics(model, batch)["entity_top1"]
    assert count > 50
    assert right / count > 0.95
