"""Spark on a standalone cluster on loopback, and what goes wrong there. `pytest -m cluster`."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import slots_work
from building import command, hashes, wikiprep
from engine_build import Local, needs_java, package
from processes import ROOT, until
from spark_cluster import Cluster, cluster, free_port

package("pyspark", "spark")
pytestmark = [pytest.mark.cluster, needs_java()]
SMALL = ("--conf=spark.executor.memory=512m",)


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


def start(on: Cluster, words: list[str], output: Path, *more: str) -> "subprocess.Popen[bytes]":
    line = command("build-corpus", *words, "-o", output, "--runner=spark", f"--master={on.url}", *SMALL, *more)
    with said(output).open("wb") as errors:
        return subprocess.Popen(line, env={**os.environ, **on.environment}, stderr=errors)


def said(output: Path) -> Path:
    return output.with_suffix(".stderr")


def receipts(output: Path, stage: str) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (output / "_state" / stage / "units").glob("*.json")}


def events(folder: Path) -> list[dict[str, Any]]:
    (log,) = folder.iterdir()
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_the_same_bytes_and_both_workers_work(two_workers: Cluster, local: Local, tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    log = ("--conf=spark.eventLog.enabled=true", f"--conf=spark.eventLog.dir=file://{tmp_path}/log")
    running = start(two_workers, local.words, tmp_path / "out", *log)
    assert running.wait(300) == 0, said(tmp_path / "out").read_text()
    assert hashes(tmp_path / "out") == local.hashes
    tasks = [event for event in events(tmp_path / "log") if event["Event"] == "SparkListenerTaskEnd"]
    hosts = [event["Task Info"]["Host"] for event in tasks]
    assert sorted(set(hosts)) == ["127.0.0.1", "127.0.0.2"]
    assert min(map(hosts.count, set(hosts))) > len(hosts) / 4
    # Writing is divided too: every stage has as many tasks as units (apache/beam#24365).
    units = Counter(path.parts[-3] for path in (local.output / "_state").glob("*/units/*.json"))
    jobs = [event for event in events(tmp_path / "log") if event["Event"] == "SparkListenerJobStart"]
    named = {job["Properties"]["spark.jobGroup.id"]: job["Stage Infos"] for job in jobs}
    assert {name: sum(stage["Number of Tasks"] for stage in named[name]) for name in units} == units
    assert units["records"] > 2


def test_64_units_keep_all_slots_of_two_workers_busy(local: Local, tmp_path: Path) -> None:
    """apache/beam#20444: of 2 x 4 slots all must work, the most loaded at most twice the mean."""
    (tmp_path / "out" / "_state" / "slots").mkdir(parents=True)
    (tmp_path / "out" / "_state" / "slots" / "plan.json").write_text("{}")
    program = [sys.executable, str(Path(slots_work.__file__)), str(tmp_path / "out")]
    with cluster(tmp_path, cores=4) as on:
        paths = os.pathsep.join([str(ROOT), str(Path(slots_work.__file__).parent)])
        line = [*program, f"--master={on.url}", *SMALL, f"--conf=spark.executorEnv.PYTHONPATH={paths}"]
        done = subprocess.run(line, env={**os.environ, **on.environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    slots = Counter(json.loads(done.stdout.splitlines()[-1]))
    assert sum(slots.values()) == 64
    assert len(slots) == 8
    assert max(slots.values()) <= 2 * 64 / 8


def test_an_executor_that_is_killed_costs_repeats(two_workers: Cluster, local: Local, tmp_path: Path) -> None:
    running = start(two_workers, local.words, tmp_path / "out")
    assert until(lambda: bool(receipts(tmp_path / "out", "extract")), 120), said(tmp_path / "out").read_text()
    victim = two_workers.executors()[0]
    os.kill(victim, signal.SIGKILL)
    assert running.wait(300) == 0, said(tmp_path / "out").read_text()
    assert hashes(tmp_path / "out") == local.hashes


def test_a_unit_that_is_run_twice_leaves_one_whole_file(two_workers: Cluster, local: Local, tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    speculation = {"speculation": "true", "interval": "100ms", "quantile": "0.1", "multiplier": "1.1"}
    options = [
        f"--conf=spark.speculation.{name}={value}" for name, value in speculation.items() if name != "speculation"
    ]
    log = ("--conf=spark.eventLog.enabled=true", f"--conf=spark.eventLog.dir=file://{tmp_path}/log")
    words = (*options, "--conf=spark.speculation=true", *log)
    running = start(two_workers, local.words, tmp_path / "out", *words)
    assert until(lambda: bool(receipts(tmp_path / "out", "wikidata_read")), 120), said(tmp_path / "out").read_text()
    slow = two_workers.executors()[0]
    os.kill(slow, signal.SIGSTOP)
    time.sleep(8)  # its tasks are given to the other one meanwhile
    os.kill(slow, signal.SIGCONT)
    assert running.wait(300) == 0, said(tmp_path / "out").read_text()
    twice = [
        e for e in events(tmp_path / "log") if e["Event"] == "SparkListenerTaskStart" and e["Task Info"]["Speculative"]
    ]
    assert twice
    assert hashes(tmp_path / "out") == local.hashes


def python_with(folder: Path, code: str) -> str:
    """A program to be named by PYSPARK_PYTHON: this Python, after `code` has run in it."""
    import sys

    (folder / "sitecustomize.py").write_text(code)
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={folder}:$PYTHONPATH exec {sys.executable} "$@"\n')
    program.chmod(0o755)
    return str(program)


MISSING = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "wikiprep":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Finder())
"""


OTHER_RULES = "import wikiprep.runtime.run_log as it; it.all_rules_digest = lambda: '9.9'"


@pytest.mark.parametrize(
    ("code", "reason", "hint"),
    [
        (MISSING, "No module named", "install wikiprep for the workers' Python"),
        (OTHER_RULES, "rules of wikiprep 9.9, not ", "the driver's environment"),
        (None, "Cannot run program", "PYSPARK_PYTHON"),
    ],
)
def test_a_worker_without_our_environment(
    code: str | None, reason: str, hint: str, two_workers: Cluster, local: Local, tmp_path: Path
) -> None:
    program = python_with(tmp_path, code) if code else "/no/such/python"
    words = ("--runner=spark", f"--master={two_workers.url}", *SMALL)
    begun = time.monotonic()
    done = wikiprep(
        *("build-corpus", *local.words, "-o", tmp_path / "out", *words),
        **{**two_workers.environment, "PYSPARK_PYTHON": program},
    )
    assert done.returncode == 1
    assert reason in done.stderr
    assert hint in done.stderr
    assert "Traceback" not in done.stderr.partition("wikiprep: ")[2]
    assert time.monotonic() - begun < 120
    assert not list((tmp_path / "out").rglob("*.parquet"))


def test_a_master_that_is_not_there(local: Local, tmp_path: Path) -> None:
    begun, url = time.monotonic(), f"spark://127.0.0.1:{free_port()}"
    words = ("--runner=spark", f"--master={url}")
    done = wikiprep("build-corpus", *local.words, "-o", tmp_path / "out", *words, SPARK_LOCAL_IP="127.0.0.1")
    assert done.returncode == 1
    assert url in done.stderr
    assert "is the master running" in done.stderr
    assert time.monotonic() - begun < 120


def test_a_cluster_that_gives_no_executor(two_workers: Cluster, local: Local, tmp_path: Path) -> None:
    words = ("--runner=spark", f"--master={two_workers.url}", "--conf=spark.executor.memory=64g")
    done = wikiprep("build-corpus", *local.words, "-o", tmp_path / "out", *words, **two_workers.environment)
    assert done.returncode == 1
    assert "no executor took a task within" in done.stderr
