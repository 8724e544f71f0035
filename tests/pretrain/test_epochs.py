"""Epochs and shares in the place of steps."""

import pytest

from wikiprep.errors import UsageError
from wikiprep.pretrain.config import PretrainConfig, StageConfig, apply_tables, with_steps
from wikiprep.pretrain.config_toml import load_config


def config(**stage: object) -> PretrainConfig:
    return apply_tables(PretrainConfig(), {"data": {"global_batch": 10}, "stages": [stage]}, "here")


def test_epochs_become_steps_for_the_records_there_are() -> None:
    made = with_steps(config(epochs=3.0, warmup_ratio=0.06, learning_rate=1e-5), 101)
    assert made.stages == (StageConfig(steps=30, warmup_steps=1, learning_rate=1e-5),)
    assert with_steps(made, 5_000) == made  # what a run writes as its own says steps


def test_half_an_epoch_and_an_epoch_of_less_than_a_batch() -> None:
    assert with_steps(config(epochs=0.5), 100).steps == 5
    assert with_steps(config(epochs=1.0), 3).steps == 1


def test_steps_hold_where_no_epochs_are_given() -> None:
    assert with_steps(config(steps=7, warmup_steps=2), 1_000).stages[0].warmup_steps == 2


def test_a_setting_of_stages_is_for_each() -> None:
    two = apply_tables(PretrainConfig(), {"stages": [{"steps": 5}, {"steps": 6, "learning_rate": 0.1}]}, "here")
    made = apply_tables(two, {"stages": {"epochs": 2.0}}, "--set")
    assert [(stage.epochs, stage.steps) for stage in made.stages] == [(2.0, 5), (2.0, 6)]
    with pytest.raises(UsageError, match="epoch"):
        apply_tables(two, {"stages": {"epoch": 2.0}}, "--set")


def test_a_whole_number_is_as_good_as_one_with_a_point() -> None:
    """torch takes no beta2 = 0 beside a float."""
    config = load_config("tiny", ("optimizer.beta2=0", "stages.epochs=2", "data.held_out=1"))
    for value in (config.optimizer.beta2, config.stages[0].epochs, config.data.held_out):
        assert isinstance(value, float)
