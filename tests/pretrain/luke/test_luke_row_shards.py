"""LUKE with its entity table spread over four ranks is LUKE on one: losses, metrics and gradients, in float64.

Ranks have batches of their own, one of them without an entity; rows do not divide by the ranks, and one may have none.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import running
import torch
import torch.distributed as dist
from luke_batches import SMALL, batch_of, random_record, words
from torch.distributed.tensor import DTensor

from wikiprep.pretrain.luke.config import LukeConfig, Objective
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.ranks import Ranks

WORLD = 4


def batches(config: LukeConfig) -> list[dict[str, torch.Tensor]]:
    rng = np.random.default_rng(1)
    return [
        batch_of([random_record(rng, config, entities=0 if rank == 2 else 8) for _ in range(rank + 1)])
        for rank in range(WORLD)
    ]


def model_of(config: LukeConfig) -> Luke:
    model = Luke(config, seed=3).double()
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return model


def _rank(rank: int, config: LukeConfig, said: str) -> None:
    model = model_of(config)
    names = LukeFamily(config, Objective(), words(), Path("none")).shard_tables(
        model, Ranks(rank, WORLD, torch.device("cpu"))
    )
    batch = batches(config)[rank]
    losses = model(batch)
    total = torch.stack([loss for loss, _ in losses.values()]).sum() * WORLD  # as the trainer does
    total.backward()
    found: dict[str, Any] = {}
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        if name in names:
            assert isinstance(gradient, DTensor) and len(gradient.to_local()) <= -(-config.entity_vocab_size // WORLD)
            found[name] = gradient.full_tensor()
        else:
            assert gradient is not None
            dist.all_reduce(gradient)
            found[name] = gradient / WORLD
    with torch.no_grad():
        sums = {**losses, **model(batch, "metrics")}
    for name, (value, count) in sums.items():
        both = torch.stack([value.detach().double(), count.double()])
        dist.all_reduce(both)
        found[f"sum {name}"] = both
    if rank == 0:
        torch.save(found, said)


@pytest.mark.parametrize("entities", [61, 5], ids=["uneven", "a rank without rows"])
def test_four_ranks_are_one(entities: int, tmp_path: Path) -> None:
    config = replace(SMALL, entity_vocab_size=entities)
    running.on_ranks(_rank, WORLD, config, str(tmp_path / "found"))
    found = torch.load(tmp_path / "found")
    model, sums = model_of(config), {}
    for batch in batches(config):
        losses = model(batch)
        torch.stack([loss for loss, _ in losses.values()]).sum().backward()
        with torch.no_grad():
            metrics = model(batch, "metrics")
        for name, (value, count) in {**losses, **metrics}.items():
            sums[name] = sums.get(name, 0) + torch.stack([value.detach().double(), count.double()])
    expected = {f"sum {name}": both for name, both in sums.items()}
    expected |= {name: parameter.grad for name, parameter in model.named_parameters()}
    assert found.keys() == expected.keys() and expected["sum entity"][1] > 5
    for name, tensor in expected.items():
        torch.testing.assert_close(found[name], tensor, rtol=1e-10, atol=1e-11, msg=name)
