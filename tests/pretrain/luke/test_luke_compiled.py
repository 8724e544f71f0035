"""Compiled layers stay compiled through all that a run meets: stages, evaluations, batches of one sequence or many."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import torch._dynamo
from luke_cases import SMALL, batch_of, random_record, words

from wikiprep.pretrain.compiling import fuse
from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.luke.config import LukeConfig, Objective
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.parallel import spread
from wikiprep.pretrain.ranks import Ranks

# Records, most words and most entities of each: several and one, with one, several and no targets, in many widths.
SHAPES = ((6, 30, 8), (4, 40, 8), (2, 60, 8), (1, 60, 8), (3, 10, 8), (1, 3, 1), (5, 30, 0), (1, 50, 0), (8, 30, 8))


def one_stage(config: LukeConfig, stage: int) -> None:
    """A run's stage without its optimiser: forward, backward, evaluation."""
    rng = np.random.default_rng(stage)
    family = LukeFamily(config, Objective(), words(), Path("none"))
    bare = family.build_model(0)
    trained = {id(p) for group in family.parameter_groups(bare, stage) for p in group.parameters}
    for parameter in bare.parameters():
        parameter.requires_grad_(id(parameter) in trained)
    model = spread(bare, family, TrainingConfig(compile=True), Ranks(0, 1, torch.device("cpu"))).module
    for packed in (False, True):
        for count, most, entities in SHAPES:
            records = [random_record(rng, most=most, entities=entities) for _ in range(count)]
            batch = batch_of(records, [number // 2 for number in range(count)] if packed else None)
            model.train()
            torch.stack([total for total, _ in model(batch).values()]).sum().backward()
            model.eval()
            with torch.no_grad():
                model(batch, "metrics")


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor")  # Dynamo looks at it
def test_two_stages_come_to_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind PyTorch's own limit of 8 graphs a layer runs uncompiled, without more than a warning."""
    compiled = torch.nn.Module.compile
    monkeypatch.setattr("wikiprep.pretrain.parallel.fuse", lambda on: fuse(on, "eager"))
    monkeypatch.setattr(torch.nn.Module, "compile", lambda *us, **how: compiled(*us, **how, backend="eager"))
    with torch._dynamo.config.patch(recompile_limit=8, fail_on_recompile_limit_hit=True):
        for stage in (1, 2):
            torch._dynamo.utils.counters.clear()
            one_stage(replace(SMALL, layers=3, dropout=0.1), stage)
            graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
            assert 8 < graphs <= 48  # of layers, and of what is one kernel beside them: with room left
    fuse(False)
    torch._dynamo.reset()
