"""The formula of a step's memory against a measured step of a few layers, and the published size by it."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))

from spot_batch import batch_of, sentence, sizes
from spot_memory import measure_step

from wikiprep.pretrain.spot.model import Spot
from wikiprep.pretrain.spot.step_memory import Load, step_memory


@pytest.mark.parametrize("bf16", [False, True])
def test_the_formula_is_within_a_tenth_of_a_measured_step(bf16: bool) -> None:
    """On tensors without numbers, which take the bytes of real ones."""
    text, config = sizes("luke-base", 20_000, 50)
    text = replace(text, layers=3, attention_dropout=0.0)
    batch = batch_of([sentence(number, 126, 8, 16, 20_000, 50) for number in range(8)], config)
    parameters, kept, grown = measure_step(text, config, batch, bf16=bf16, real=False)
    ours = step_memory(parameters, text, config, Load.of(batch), bf16=bf16, fused=False)
    assert ours.parameters == ours.gradients == 4 * parameters and ours.moments == 8 * parameters
    assert ours.activations == pytest.approx(kept, rel=0.1)
    assert ours.total == pytest.approx(grown, rel=0.1)


def test_the_published_size_fits_in_32_gb() -> None:
    text, config = sizes("luke-large", 1_000_000, 1_002)
    with torch.device("meta"):
        parameters = sum(tensor.numel() for tensor in Spot(text, config, None).parameters())
    batch = batch_of([sentence(number, 254, 8, 16, 1_000_000, 1_002) for number in range(96)], config)
    load = Load.of(batch)
    found = step_memory(parameters, text, config, load, bf16=True)
    assert parameters == 391_641_551  # docs/spot-model.md
    assert found.total == pytest.approx(31.5e9, rel=0.005) and found.total < 32e9
    third = Load.of(batch_of([sentence(number, 254, 8, 16, 1_000_000, 1_002) for number in range(32)], config))
    assert step_memory(parameters, text, config, third, bf16=True).total == pytest.approx(15.3e9, rel=0.01)
    wide = step_memory(parameters, text, config, load, bf16=False)
    assert wide.activations > 1.6 * found.activations and wide.parameters == found.parameters
