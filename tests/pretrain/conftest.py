"""Tests of pretraining run beside others on few cores: one thread each."""

from contextlib import suppress
from pathlib import Path

import pytest

with suppress(ModuleNotFoundError):  # its tests are skipped then
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory, sample_corpus: Path) -> Path:
    """A run of some steps on the sample, evaluated at its end. To be read only."""
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    from wikiprep.pretrain.start import Command, pretrain

    folder = tmp_path_factory.mktemp("seen") / "run"
    settings = ("data.held_out=0.2", "log.evaluate_every=6", "data.global_batch=8")
    pretrain(Command((str(sample_corpus),), "tiny", str(folder), settings, max_steps=6, quiet=True))
    return folder


@pytest.fixture(scope="session")
def spot_run(tmp_path_factory: pytest.TempPathFactory, sample_spot: Path) -> Path:
    """A run of SPOT of some steps on the sample, whole facts held out, evaluated at its end. To be read only."""
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    from wikiprep.pretrain.start import Command, pretrain

    folder = tmp_path_factory.mktemp("spot") / "run"
    settings = ("data.held_out=0.3", "data.held_out_by=pair", "log.evaluate_every=6", "data.global_batch=8")
    pretrain(Command((str(sample_spot),), "spot-tiny", str(folder), settings, max_steps=6, quiet=True))
    return folder
