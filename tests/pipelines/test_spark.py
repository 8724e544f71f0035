"""Spark in local mode: a JVM, and Python workers of its own, on this machine. The cluster: test_spark_cluster.py."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from building import command, hashes, wikiprep
from engine_build import Local, damaged_dump, needs_java, package, same_tables

VERSION = package("pyspark", "spark")
pytestmark = needs_java()


@pytest.fixture(scope="module")
def built(local: Local, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """The output, and the events of Spark's log."""
    folder = tmp_path_factory.mktemp("spark")
    (folder / "log").mkdir()
    log = ("--conf=spark.eventLog.enabled=true", f"--conf=spark.eventLog.dir=file://{folder}/log")
    done = wikiprep("build-corpus", *local.words, "-o", folder / "out", "--runner", "spark", "--workers=2", *log)
    assert done.returncode == 0, done.stderr
    (events,) = (folder / "log").iterdir()
    return folder / "out", [json.loads(line) for line in events.read_text().splitlines()]


def test_the_same_bytes_as_the_local_driver(local: Local, built: tuple[Path, Any]) -> None:
    assert hashes(built[0]) == local.hashes


def test_links_across_scripts_are_the_local_drivers(two_scripts: Local, tmp_path: Path) -> None:
    counts = same_tables(two_scripts, tmp_path / "out", "spark")
    assert counts["links"]["links.article.variant"] == 20


def test_a_snapshot_of_html_is_the_local_drivers(html_wiki: Local, tmp_path: Path) -> None:
    counts = same_tables(html_wiki, tmp_path / "out", "spark")
    assert counts["extract"]["pages.article"] == 9


def test_run_json_names_what_really_ran(built: tuple[Path, Any]) -> None:
    (run,) = json.loads((built[0] / "run.json").read_bytes())["runs"]
    assert (run["runner"], run["runner_version"]) == ("spark", VERSION)
    assert run["runner_details"]["master"] == "local[2]"


def test_a_stage_is_a_job_with_a_task_a_unit(local: Local, built: tuple[Path, Any]) -> None:
    units = Counter(path.parts[-3] for path in (local.output / "_state").glob("*/units/*.json"))
    jobs = [event for event in built[1] if event["Event"] == "SparkListenerJobStart"]
    tasks = {
        job["Properties"]["spark.jobGroup.id"]: sum(stage["Number of Tasks"] for stage in job["Stage Infos"])
        for job in jobs
    }
    assert len(jobs) == len(units) + 1  # and the look at the workers
    assert {name: n for name, n in tasks.items() if name != "workers"} == units
    assert max(units.values()) > 2
    named = {job["Properties"]["spark.jobGroup.id"]: job["Properties"]["spark.job.description"] for job in jobs}
    assert named["extract"] == f"wikiprep extract: {units['extract']} units"


def test_an_error_in_a_worker_is_the_local_drivers_message(tmp_path: Path) -> None:
    words = ("build-corpus", damaged_dump(tmp_path), "--quiet")
    here = wikiprep(*words, "-o", tmp_path / "here", "--tokenizer", "train:300")
    there = wikiprep(*words, "-o", tmp_path / "there", "--tokenizer", "train:300", "--runner", "spark")
    assert there.returncode == here.returncode == 1
    assert here.stderr.strip() in there.stderr
    assert "Traceback" not in there.stderr
    # It was a worker that met it: the first stage that reads pages.
    assert (tmp_path / "there" / "_state" / "template_pages" / "plan.json").exists()


def test_an_option_that_spark_does_not_have(local: Local, tmp_path: Path) -> None:
    done = wikiprep("build-corpus", *local.words, "-o", tmp_path / "out", "--runner", "spark", "--job_endpoint=x:1")
    assert (done.returncode, "--job_endpoint=x:1: no such option of --runner spark" in done.stderr) == (2, True)


def test_a_java_process_that_is_killed_costs_a_line_and_the_command_goes_on(local: Local, tmp_path: Path) -> None:
    """On any engine: here it goes on without one."""
    words = command("build-corpus", *local.words, "-o", tmp_path / "out", "--runner", "spark", "--retries=0")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None and not (tmp_path / "out" / "_state" / "extract").exists():
            time.sleep(0.05)
        kill_java_of(running.pid)
        said = running.communicate()[1]
    assert running.returncode == 1 and len(said.splitlines()) == 2, said
    what, hint = said.splitlines()
    assert what.startswith("wikiprep: Spark at local") and what.endswith("its Java process has ended")
    assert "spark.driver.memory" in hint and "the same command goes on" in hint
    assert wikiprep("build-corpus", *local.words, "-o", tmp_path / "out").returncode == 0
    assert hashes(tmp_path / "out") == local.hashes


def kill_java_of(parent: int) -> None:
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            after = process.joinpath("stat").read_text().rpartition(")")[2].split()
            if int(after[1]) == parent and b"java" in process.joinpath("cmdline").read_bytes().partition(b"\0")[0]:
                os.kill(int(process.name), signal.SIGKILL)
