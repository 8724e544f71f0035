"""The commands as a user gives them: `wikiprep pretrain` with workers, killed; then torchrun goes on with two ranks."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from building import command
from running import events, steps_done

PATIENCE = 150  # seconds until a machine that does other things too must have got there
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}


def until_gone(pids: set[int]) -> None:
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < end, pids
        time.sleep(0.1)


def children(pid: int) -> set[int]:
    """All processes below one."""
    found = {
        int(word) for task in Path(f"/proc/{pid}/task").iterdir() for word in (task / "children").read_text().split()
    }
    return found.union(*map(children, found)) if found else found


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A short path: the socket of workers lies in it, which may have 107 characters."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


@pytest.mark.slow
def test_killed_with_workers_and_gone_on_with_under_torchrun(
    sample_corpus: Path, tmp_path: Path, temporary: Path
) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    words = ["--corpus", str(sample_corpus), "--config", "tiny", "--output", str(tmp_path / "run")]
    words += ["--set", "data.global_batch=8", "--set", "checkpoints.every=2", "--set", "log.every=1"]
    shared_memory = set(Path("/dev/shm").iterdir())
    with (tmp_path / "said").open("w") as said:
        environment = ENVIRONMENT | {"TMPDIR": str(temporary)}
        run = subprocess.Popen(command("pretrain", *words, "--set", "data.workers=2"), stderr=said, env=environment)
    end = time.monotonic() + PATIENCE
    while steps_done(tmp_path / "run") < 3:
        assert run.poll() is None and time.monotonic() < end, (tmp_path / "said").read_text()
        time.sleep(0.05)
    workers = children(run.pid)
    assert len(workers) >= 3 and list(temporary.glob("pymp-*"))  # the fork server and its two
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    until_gone(workers)
    assert set(Path("/dev/shm").iterdir()) <= shared_memory and not list(temporary.glob("pymp-*"))
    done = steps_done(tmp_path / "run")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--rdzv-backend", "c10d"]
    torchrun += ["--rdzv-endpoint", "127.0.0.1:0", "-m", "wikiprep.pretrain", *words, "--max-steps", str(done + 2)]
    going = subprocess.run(torchrun, capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE, check=False)
    assert going.returncode == 0, going.stderr
    (resumed,) = events(tmp_path / "run", "resumed")
    assert resumed["world"] == 2 and resumed["step"] <= done and resumed["step"] % 2 == 0
    assert [event["step"] for event in events(tmp_path / "run", "train")] == list(range(1, done + 3))
    assert re.search(rf"^step {done + 2} of [0-9,]+  +[0-9]+%  0:[0-9:]+ left  loss ", going.stderr, re.M)


@pytest.mark.slow
def test_streaming_781_killed_and_started_again_ten_times(sample_corpus: Path, tmp_path: Path, temporary: Path) -> None:
    """With 4 workers, by kill -9: no clean-up by hand, and shared memory and temporary folders are as before."""

    def left() -> set[Path]:
        found = {path for folder in (Path("/dev/shm"), temporary) for path in folder.iterdir()}
        return {path for path in found if not path.name.startswith("torchinductor")}  # a cache, once a user

    words = ["--corpus", str(sample_corpus), "--config", "tiny", "--output", str(tmp_path / "run"), "--quiet"]
    words += ["--set", "data.global_batch=2", "--set", "checkpoints.every=2", "--set", "log.every=1"]
    before, workers = left(), set[int]()
    for _ in range(10):
        done, end = steps_done(tmp_path / "run"), time.monotonic() + PATIENCE
        run = subprocess.Popen(
            command("pretrain", *words, "--set", "data.workers=4"),
            env=ENVIRONMENT | {"TMPDIR": str(temporary)},
        )
        while steps_done(tmp_path / "run") < done + 4:
            assert run.poll() is None and time.monotonic() < end
            time.sleep(0.05)
        workers |= children(run.pid)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    until_gone(workers)
    assert left() <= before
    steps = [event["step"] for event in events(tmp_path / "run", "train")]
    assert steps == list(range(1, len(steps) + 1)) and len(steps) > 30


def test_a_temporary_folder_too_deep_for_a_socket_is_told(sample_corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    deep = tmp_path / ("d" * 110)
    deep.mkdir()
    words = ["--corpus", str(sample_corpus), "--config", "tiny", "--output", str(tmp_path / "run"), "--quiet"]
    run = subprocess.run(
        command("pretrain", *words, "--set", "data.workers=1"),
        env=ENVIRONMENT | {"TMPDIR": str(deep)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 1
    assert f"wikiprep: {deep}" in run.stderr and "too long a path" in run.stderr and "set TMPDIR" in run.stderr
    assert "Traceback" not in run.stderr
