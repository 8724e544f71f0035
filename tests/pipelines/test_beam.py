"""Beam's runners on this machine: FnApiRunner in the command's process, Prism as a server of its own."""

import json
from pathlib import Path

import pytest
from building import hashes, wikiprep
from engine_build import Local, damaged_dump, needs_prism, package

from wikiprep.pipelines.failures import MARK

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


@pytest.mark.parametrize("words", [*RUNNERS, "FnApiRunner --direct_running_mode=multi_processing"])
def test_an_error_in_a_worker_is_the_local_drivers_message(words: str, tmp_path: Path) -> None:
    build = ("build-corpus", damaged_dump(tmp_path), "--quiet", "--tokenizer", "train:300")
    here = wikiprep(*build, "-o", tmp_path / "here")
    there = wikiprep(*build, "-o", tmp_path / "there", "--runner", *words.split())
    assert there.returncode == here.returncode == 1
    assert here.stderr.strip() in there.stderr
    assert MARK not in there.stderr  # as in the tracebacks that Beam's workers print
    assert (tmp_path / "there" / "_state" / "extract" / "plan.json").exists()  # it was a worker that met it


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
