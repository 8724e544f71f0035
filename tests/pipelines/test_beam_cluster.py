"""Beam through Prism's job endpoint and workers of other processes, and what goes wrong there. `pytest -m cluster`."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from beam_cluster import Portable, portable
from building import command, hashes, wikiprep
from engine_build import Local, needs_prism, package
from processes import until
from test_spark_cluster import MISSING, python_with

package("apache-beam", "beam")
pytestmark = [pytest.mark.cluster, needs_prism()]


@pytest.fixture
def on(tmp_path: Path) -> Iterator[Portable]:
    with portable(tmp_path) as made:
        yield made


def start(words: list[str], output: Path, *more: str) -> "subprocess.Popen[bytes]":
    with output.with_suffix(".stderr").open("wb") as errors:
        return subprocess.Popen(command("build-corpus", *words, "-o", output, *more), stderr=errors)


def receipts(output: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in output.glob("_state/*/units/*.json")}


def test_the_same_bytes_from_workers_of_a_pool(on: Portable, local: Local, tmp_path: Path) -> None:
    done = wikiprep("build-corpus", *local.words, "-o", tmp_path / "out", *on.words)
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "out") == local.hashes


@pytest.mark.slow
def test_prism_gives_the_same_bytes_thirty_times(tmp_path: Path) -> None:
    """apache/beam#36563: side inputs on Prism fail now and then; here that would be an error or other bytes."""
    words = ("build-corpus", "--sample", "--quiet", "--range-mb", "0.02", "-o")
    assert wikiprep(*words, tmp_path / "local").returncode == 0
    expected = hashes(tmp_path / "local")
    for i in range(30):
        done = wikiprep(*words, tmp_path / f"run-{i}", "--runner=PrismRunner")
        assert done.returncode == 0, f"run {i}: {done.stderr}"
        assert hashes(tmp_path / f"run-{i}") == expected, f"run {i}"
        shutil.rmtree(tmp_path / f"run-{i}")


def test_a_worker_of_the_pool_that_is_killed(on: Portable, local: Local, tmp_path: Path) -> None:
    output = tmp_path / "out"
    running = start(local.words, output, "--retries=0", *on.words)
    assert until(lambda: bool(list(output.glob("_state/extract/units/*.json")))), running.poll()
    for worker in on.workers():
        os.kill(worker, signal.SIGKILL)
    begun = time.monotonic()
    assert running.wait(300) == 1
    assert time.monotonic() - begun < 120
    said = output.with_suffix(".stderr").read_text()
    assert "wikiprep: PortableRunner: " in said
    assert "the same command goes on" in said
    assert "Traceback" not in said
    finished = receipts(output)
    done = wikiprep("build-corpus", *local.words, "-o", output, *on.words)
    assert done.returncode == 0, done.stderr
    assert {path: receipts(output)[path] for path in finished} == finished
    assert hashes(output) == local.hashes


def test_a_process_of_fn_api_runner_that_is_killed(local: Local, tmp_path: Path) -> None:
    output = tmp_path / "out"
    words = ("--runner=FnApiRunner", "--direct_num_workers=2", "--direct_running_mode=multi_processing")
    running = start(local.words, output, "--retries=0", *words)
    assert until(lambda: bool(list(output.glob("_state/extract/units/*.json")))), running.poll()
    workers = [
        int(path.name)
        for path in Path("/proc").glob("[0-9]*")
        if path.joinpath("cmdline").exists() and _is_worker_of(path, running.pid)
    ]
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    assert running.wait(120) == 1
    said = output.with_suffix(".stderr").read_text()
    assert "wikiprep: FnApiRunner: " in said
    assert "the same command goes on" in said
    finished = receipts(output)
    done = wikiprep("build-corpus", *local.words, "-o", output, *words)
    assert done.returncode == 0, done.stderr
    assert {path: receipts(output)[path] for path in finished} == finished
    assert hashes(output) == local.hashes


def test_a_job_whose_process_is_killed_goes_on_by_itself(local: Local, tmp_path: Path) -> None:
    output = tmp_path / "out"
    words = ("--runner=FnApiRunner", "--direct_num_workers=2", "--direct_running_mode=multi_processing")
    running = start(local.words, output, *words)
    assert until(lambda: bool(list(output.glob("_state/extract/units/*.json")))), running.poll()
    finished = receipts(output)
    for path in Path("/proc").glob("[0-9]*"):
        if path.joinpath("cmdline").exists() and _is_worker_of(path, running.pid):
            os.kill(int(path.name), signal.SIGKILL)
            break
    assert running.wait(300) == 0
    said = output.with_suffix(".stderr").read_text()
    assert "begins again on what is missing (1 of 2)" in said and "Traceback" not in said, said
    assert {path: receipts(output)[path] for path in finished} == finished
    assert hashes(output) == local.hashes


def _is_worker_of(process: Path, parent: int) -> bool:
    """Whether it is one of the Python processes that run units: they are children of a shell of the runner."""
    try:
        command = process.joinpath("cmdline").read_bytes()
        shell = _parent(int(process.name))
        return b"sdk_worker_main" in command and b"/sh" not in command[:8] and parent in (shell, _parent(shell))
    except OSError:
        return False


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


OTHER_RULES = "import wikiprep.runtime.run_log as it; it.all_rules_digest = lambda: '9.9'"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (MISSING, "No module named"),
        (OTHER_RULES, "rules of wikiprep 9.9, not "),
        ("import sys; sys.modules['apache_beam'] = None", "control connection"),
    ],
)
def test_a_worker_without_our_environment(code: str, reason: str, local: Local, tmp_path: Path) -> None:
    python_with(tmp_path, code)
    with portable(tmp_path, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}") as made:
        begun = time.monotonic()
        done = wikiprep("build-corpus", *local.words, "-o", tmp_path / "out", *made.words)
        assert done.returncode == 1
        assert reason in done.stderr, (tmp_path / "pool.log").read_text()
        assert "Traceback" not in done.stderr
        assert time.monotonic() - begun < 120
    assert not list((tmp_path / "out").rglob("*.parquet"))


def test_an_input_that_the_worker_cannot_read(on: Portable, local: Local, tmp_path: Path) -> None:
    # The worker stands in another folder, and sees no more of the disk than is there for it: here the file vanishes.
    dump = tmp_path / "dump.xml"
    dump.write_bytes(Path(local.words[0]).read_bytes())
    begun = time.monotonic()
    running = start([str(dump), *local.words[1:]], tmp_path / "out", *on.words)
    assert until(lambda: (tmp_path / "out" / "_state" / "inputs" / "plan.json").exists()), running.poll()
    dump.unlink()
    assert running.wait(120) == 1
    said = (tmp_path / "out.stderr").read_text()
    assert f"{dump}: no such file" in said
    assert time.monotonic() - begun < 120
