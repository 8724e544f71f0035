"""Training on a corpus that lies on S3: shards are fetched as they are read, and the run is that of a local one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from local_s3 import S3

from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.inference.evaluation.run import evaluate_checkpoint
from wikiprep.pretrain.start_training import Command, pretrain

SETTINGS = ("data.global_batch=4", "log.every=1", "log.evaluate_every=0", "objective.entity_weights=degree")


def losses(run: Path) -> list[float]:
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [line["loss"] for line in lines if line["event"] == "train"]


def put(s3: S3, corpus: Path, scratch: Path) -> Store:
    """A copy of a corpus in the bucket."""
    store = Store(f"{s3.url}/corpus", str(scratch))
    for path in sorted(corpus.rglob("*")):
        if path.is_file() and "_state" not in path.parts:
            store.write(path.relative_to(corpus).as_posix(), path.read_bytes())
    return store


def train(url: str, run: Path, settings: tuple[str, ...], steps: int) -> None:
    """In a process of its own: those that read records are started by one that has the variables of when it began."""
    words = ["--corpus", url, "--config", "tiny", "--output", str(run), "--quiet", "--max-steps", str(steps)]
    words += [word for setting in settings for word in ("--set", setting)]
    ended = subprocess.run([sys.executable, "-m", "wikiprep", "pretrain", *words], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_through_a_small_cache_as_a_local_corpus(
    s3: S3,
    sample_corpus: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two workers, shards that fail for a moment, a run that is broken off and goes on, a cache of a part of it all."""
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("t")))  # short: sockets of the readers lie there
    store = put(s3, sample_corpus, tmp_path / "scratch")
    sizes = sorted(path.stat().st_size for path in (sample_corpus / "records").iterdir())
    cache = tmp_path / "cache"
    limit = f"data.cache_gb={(2 * sizes[-1] + 100) / 1e9}"
    far = (f"data.cache_folder={cache}", limit, "data.workers=2")
    settings = (*SETTINGS[:2], "data.shuffle_shards=1", "data.held_out=0.1", "log.evaluate_every=3")
    s3.faults(("records/part-00002", 2, 503))
    for name, url, steps, more in (
        ("local", str(sample_corpus), 6, ("data.workers=0",)),
        ("far", store.url, 2, far),
        ("far", store.url, 6, far),
    ):
        train(url, tmp_path / name, (*settings, *more), steps)
    assert losses(tmp_path / "far") == losses(tmp_path / "local") and len(losses(tmp_path / "far")) == 6
    logs = [(tmp_path / name / "log.jsonl").read_text().splitlines() for name in ("far", "local")]
    far_seen, local_seen = ([e for e in map(json.loads, log) if e["event"] == "evaluate"] for log in logs)
    assert [e["loss.entity"] for e in far_seen][-1] == [e["loss.entity"] for e in local_seen][-1]
    assert s3.met()
    kept = [path for path in cache.iterdir() if path.suffix in (".arrow", ".part")]
    assert 0 < sum(path.stat().st_size for path in kept) <= 2 * sizes[-1] + 100 < sum(sizes)
    found = evaluate_checkpoint(str(tmp_path / "far"), [store.url], 9, None)
    assert found.rows == evaluate_checkpoint(str(tmp_path / "local"), [str(sample_corpus)], 9, None).rows
    with pytest.raises(UsageError, match=r"(?s)all shards are mixed at a time.*data.shuffle_shards = 1 or less"):
        pretrain(
            Command(
                corpora=(store.url,),
                config="tiny",
                output=str(tmp_path / "whole"),
                settings=(*SETTINGS, *far),
                max_steps=1,
                quiet=True,
            )
        )


def test_as_a_local_corpus(s3: S3, sample_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With weights by degree too, for which the triples must come."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    store = put(s3, sample_corpus, tmp_path / "scratch")
    there = store.list()
    for name, url, steps in (("local", str(sample_corpus), 4), ("remote", store.url, 2), ("remote", store.url, 4)):
        pretrain(
            Command(
                corpora=(url,),
                config="tiny",
                output=str(tmp_path / name),
                settings=SETTINGS,
                max_steps=steps,
                quiet=True,
            )
        )
    assert losses(tmp_path / "remote") == losses(tmp_path / "local")
    assert store.list() == there
    found = evaluate_checkpoint(str(tmp_path / "remote"), [store.url], 9, None)
    assert found.rows == evaluate_checkpoint(str(tmp_path / "local"), [str(sample_corpus)], 9, None).rows
    with pytest.raises(UsageError, match="a run is written to a disk"):
        pretrain(Command(corpora=(store.url,), config="tiny", output=f"{store.url}/run"))
