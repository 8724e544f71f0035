"""`wikiprep export-hf` on a run that `wikiprep pretrain` made."""

import shutil
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result
from safetensors import SafetensorError
from transformers import LukeForMaskedLM, LukeTokenizer

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError
from wikiprep.pretrain.checkpoint.load import read_weights


def call(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture(scope="module")
def run(sample_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training") / "run"
    options = ("--set", "data.global_batch=4", "--set", "log.evaluate_every=0", "--max-steps", 1, "--quiet")
    result = call("pretrain", "--corpus", sample_corpus, "--config", "tiny", "--output", folder, *options)
    assert result.exit_code == 0, (result.output, result.exception)
    return folder


def test_a_run_is_exported(run: Path, tmp_path: Path) -> None:
    result = call("export-hf", run, tmp_path / "hf")
    assert result.exit_code == 0, (result.output, result.exception)
    checkpoint = next((run / "checkpoints").iterdir())
    assert str(checkpoint) in result.stderr
    model, found = LukeForMaskedLM.from_pretrained(tmp_path / "hf", output_loading_info=True)
    assert not any(found.values())
    assert len(LukeTokenizer.from_pretrained(tmp_path / "hf")) <= model.config.vocab_size
    trained = read_weights(checkpoint)["words.token.weight"]
    assert torch.equal(model.luke.embeddings.word_embeddings.weight[: len(trained)], trained)
    again = call("export-hf", checkpoint, tmp_path / "hf")
    assert isinstance(again.exception, WikiprepError) and "something already" in str(again.exception)
    assert call("export-hf", checkpoint, tmp_path / "other", "--quiet").stderr == ""


def test_what_is_no_whole_checkpoint(run: Path, tmp_path: Path) -> None:
    def message(given: Path) -> str:
        result = call("export-hf", given, tmp_path / "hf")
        assert isinstance(result.exception, WikiprepError) and not (tmp_path / "hf").exists()
        return str(result.exception)

    assert "neither a run with a checkpoint nor a checkpoint" in message(tmp_path)
    assert "no such folder" in message(tmp_path / "none")
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    checkpoint = next((copy / "checkpoints").iterdir())
    shard = next(checkpoint.glob("*.safetensors"))
    data = bytearray(shard.read_bytes())
    data[-1] ^= 1
    shard.write_bytes(data)
    assert f"{shard}: damaged" in message(copy)
    shard.unlink()
    assert f"{shard}: missing" in message(checkpoint)
    header = checkpoint / "checkpoint.json"
    header.write_text("{")
    assert f"{header}: cannot be read" in message(copy)
    shutil.copytree(next((run / "checkpoints").iterdir()), tmp_path / "alone")
    assert "the folder about of its run is neither in it nor above it" in message(tmp_path / "alone")


def test_the_current_folder_is_not_replaced(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = call("export-hf", run, ".")
    assert isinstance(result.exception, WikiprepError) and "the current folder" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_told_and_nothing_of_the_folder_stays(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")

    monkeypatch.setattr("wikiprep.pretrain.luke.export.save_file", fail)
    done = CliRunner().invoke(cli, ["export-hf", str(run), str(tmp_path / "out")])
    assert isinstance(done.exception, WikiprepError) and "the disk is full" in done.exception.what
    assert list(tmp_path.glob("out*")) == []
