"""Beam's runners on this machine: FnApiRunner in the command's process, Prism as a server of its own."""

import json
from pathlib import Path

import pytest
from building import hashes, wikiprep
from engine_build import Local, damaged_dump, needs_prism, package
from inline import job_of

from pipelines.options import build
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.stages.job import Job
from wikiprep.stages.settle import Policy
from wikiprep.stages.unit import RunOptions

VERSION = package("apache-beam", "beam")
RUNNERS = ["FnApiRunner", pytest.param("PrismRunner", marks=needs_prism())]


@pytest.mark.parametrize("runner", RUNNERS)
def test_the_same_bytes_as_the_local_driver(runner: str, local: Local, tmp_path: Path) -> None:
    done = wikiprep("build-corpus", *local.words, "-o", tmp_path / "out", "--runner", runner)
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "out") == local.hashes
    (run,) = json.loads((tmp_path / "out" / "run.json").read_bytes())["runs"]
    assert (run["runner"], run["runner_version"]) == (runner, VERSION)
    assert run["command"][1] == "build-corpus"


@pytest.mark.parametrize("runner", RUNNERS)
def test_an_error_in_a_worker_is_the_local_drivers_message(runner: str, tmp_path: Path) -> None:
    words = ("build-corpus", damaged_dump(tmp_path), "--quiet", "--tokenizer", "train:300")
    here = wikiprep(*words, "-o", tmp_path / "here")
    there = wikiprep(*words, "-o", tmp_path / "there", "--runner", runner)
    assert there.returncode == here.returncode == 1
    assert here.stderr.strip() in there.stderr
    assert "Traceback" not in there.stderr


def test_what_is_finished_is_not_done_again(local: Local, tmp_path: Path) -> None:
    words = ("build-corpus", *local.words, "-o", tmp_path / "out", "--runner=FnApiRunner")
    assert wikiprep(*words).returncode == 0
    receipts = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("_state/*/units/*.json")}
    gone = next(path for path in receipts if "links" in path.parts)
    gone.unlink()
    assert wikiprep(*words).returncode == 0
    again = {path: path.stat().st_mtime_ns for path in receipts}
    assert [path for path in receipts if again[path] != receipts[path]] == [gone]
    assert hashes(tmp_path / "out") == local.hashes


@pytest.mark.parametrize(
    ("runner", "option", "message"),
    [
        ("FnApiRunner", "--vocab-sise=5", "--vocab-sise=5: neither wikiprep nor Beam knows this option"),
        ("FnApiRunner", "--direct_num_workers=two", "invalid int value: 'two'"),
        ("PortableRunner", "--environment_type=EXTERNAL", "needs a job server"),
        ("FlinkRunner", "--flink_master=localhost:8081", "FlinkRunner needs a job server"),
        ("SparkRunner", "--environment_type=EXTERNAL", "SparkRunner needs a job server"),
        ("PortableRunner", "--job_endpoint=localhost:1", "no job server answers there"),
        ("PortableRunner", "--job_endpoint=localhost", "is no address"),
        ("FnApiRunner", "--dry_run=true", "only DataflowRunner has --dry_run"),
        ("DataflowRunner", "--project=wiki-prep", "needs --region"),
    ],
)
def test_what_cannot_work_is_refused_at_once(
    runner: str, option: str, message: str, local: Local, tmp_path: Path
) -> None:
    with pytest.raises(WikiprepError) as caught:
        build_on(runner, [option], job_of(tmp_path / "out", Path(local.words[0])))
    assert message in caught.value.what
    assert caught.value.hint
    assert not (tmp_path / "out").exists()


def test_without_prism_there_is_a_way_to_get_it(local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKIPREP_PRISM", str(tmp_path / "prism"))
    with pytest.raises(UsageError, match="no Prism at") as caught:
        build_on("PrismRunner", [], job_of(tmp_path / "out", Path(local.words[0])))
    assert "docs/cluster.md" in caught.value.hint


def build_on(runner: str, arguments: list[str], job: Job) -> None:
    build(runner, arguments, job, RunOptions(quiet=True), Policy.REFUSE, "luke")
