"""The weights that a run keeps: a disk that does not take them is one line, and the weights before stay."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")

import torch
from safetensors import SafetensorError

from wikiprep.errors import WikiprepError
from wikiprep.tasks.finetune import best

FULL = SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")


@pytest.mark.parametrize("trouble", [FULL, OSError(28, "No space left on device")])
def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception) -> None:
    folder, tensors = tmp_path / "best", {"weight": torch.ones(3)}
    best.save_best(folder, tensors, 1, 1.0, 50.0, {})

    def fail(*words: object) -> None:
        raise trouble

    monkeypatch.setattr(best, "save_file", fail)
    with pytest.raises(WikiprepError, match=r"best: the best weights could not be written \(.*No space left"):
        best.save_best(folder, tensors, 2, 2.0, 60.0, {})
    kept = best.read_best(folder)
    assert kept is not None and kept.step == 1 and (folder / kept.file).is_file()
