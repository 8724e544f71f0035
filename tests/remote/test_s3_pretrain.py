"""Training on a corpus that lies on S3: shards are copied to local disk once, and the run is that of a local one."""

import json
from pathlib import Path

import pytest
from local_s3 import S3

from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.pretrain.evaluation.run import evaluate_checkpoint
from wikiprep.pretrain.start import Command, pretrain

SETTINGS = ("data.global_batch=4", "log.every=1", "log.evaluate_every=0", "objective.entity_weights=degree")


def losses(run: Path) -> list[float]:
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [line["loss"] for line in lines if line["event"] == "train"]


def test_as_a_local_corpus(s3: S3, sample_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With weights by degree too, for which the triples must come."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    store = Store(f"{s3.url}/corpus", str(tmp_path / "scratch"))
    for path in sorted(sample_corpus.rglob("*")):
        if path.is_file() and "_state" not in path.parts:
            store.write(path.relative_to(sample_corpus).as_posix(), path.read_bytes())
    there = store.list()
    for name, url, steps in (("local", str(sample_corpus), 4), ("remote", store.url, 2), ("remote", store.url, 4)):
        pretrain(Command((url,), "tiny", str(tmp_path / name), SETTINGS, max_steps=steps, quiet=True))
    assert losses(tmp_path / "remote") == losses(tmp_path / "local")
    assert store.list() == there
    found = evaluate_checkpoint(str(tmp_path / "remote"), [store.url], 9, None)
    assert found.rows == evaluate_checkpoint(str(tmp_path / "local"), [str(sample_corpus)], 9, None).rows
    with pytest.raises(UsageError, match="a run is written to a disk"):
        pretrain(Command((store.url,), "tiny", f"{store.url}/run"))
