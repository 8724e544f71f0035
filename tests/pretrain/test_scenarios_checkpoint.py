"""What went wrong for others when they resumed (the report's number is in each name).

More of them: allennlp#2129 in test_run_resume.py; lightning#5325 and NeMo Speech#11481 in test_scenarios_loader.py.
"""

from pathlib import Path

import numpy as np
import pytest
from own_corpus import own_corpus
from running import events, run
from safetensors.numpy import load_file

from wikiprep.pretrain.checkpoint.folder import checkpoints_of, read_header


@pytest.mark.slow
def test_lightning_19764_one_epoch_of_10_000_steps_stopped_at_3_777(tmp_path: Path) -> None:
    """Step, position, learning rate, masks (in the loss), dropout, parameters and moments: all as without the break.

    There is no loss scaler: bf16 needs none.
    """
    corpus = own_corpus(tmp_path, [1] * 10_000)
    settings = ("data.global_batch=1", "data.held_out=0.0", "model.dropout=0.3", "log.every=10", "log.evaluate_every=0")
    settings += ("checkpoints.every=100000", "training.probe=false")
    run(tmp_path / "whole" / "run", corpus, *settings, seconds=900, stage=10_000)
    for steps in (3777, 10_000):
        run(tmp_path / "run", corpus, *settings, seconds=900, stage=10_000, max_steps=steps)
    folders = tmp_path / "whole" / "run", tmp_path / "run"
    figures = ("step", "position", "epoch", "learning_rate", "loss", "gradient_norm")
    there, here = ([[event[name] for name in figures] for event in events(folder, "train")] for folder in folders)
    assert [row for row in here if row[0] != 3777] == there and len(there) == 1000
    assert there[-1][:3] == [10_000, 10_000, 1.0]
    newest = [checkpoints_of(folder / "checkpoints")[0] for folder in folders]
    assert read_header(newest[0])[0] == read_header(newest[1])[0]
    tensors, others = (load_file(next(path.glob("*.safetensors"))) for path in newest)
    assert tensors.keys() == others.keys() and any(name.endswith("exp_avg_sq") for name in tensors)
    assert all(np.array_equal(tensors[name], others[name]) for name in tensors)
