"""The guard's child never outlives its parent, and the guard works wherever it is called from."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest
from guarded_work import notes, work
from processes import alive, script, until

from wikiprep.guard.guard import Guard
from wikiprep.guard.guard_pool import borrowed_guard

SCRIPT = Path(__file__).with_name("driver_guard.py")


def child_of(log: Path) -> int:
    return int([line for line in notes(log) if line.startswith("start")][-1].split()[1])


@pytest.mark.parametrize(
    ("page", "end"),
    [
        *[(page, signal.SIGKILL) for page in ("loop", "regex", "sleep 600", "stop")],
        *[("regex", end) for end in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)],
    ],
)
def test_child_ends_with_its_parent(tmp_path: Path, page: str, end: signal.Signals) -> None:
    parent = script(SCRIPT, tmp_path, "main", "a", page)
    assert until(lambda: any(line.startswith("start") for line in notes(tmp_path)))
    pid = child_of(tmp_path)
    assert alive(pid)
    os.kill(parent.pid, end)
    parent.communicate(timeout=30)
    assert until(lambda: not alive(pid))


def test_interrupt_from_the_terminal_shows_one_traceback(tmp_path: Path) -> None:
    parent = script(SCRIPT, tmp_path, "main", "loop")
    assert until(lambda: any(line.startswith("start") for line in notes(tmp_path)))
    os.killpg(parent.pid, signal.SIGINT)  # what Ctrl-C does
    _, told = parent.communicate(timeout=30)
    assert told.count(b"KeyboardInterrupt") == 1
    assert until(lambda: not alive(child_of(tmp_path)))


@pytest.mark.parametrize("where", ["main", "thread"])
def test_script_without_main_guard(tmp_path: Path, where: str) -> None:
    parent = script(SCRIPT, tmp_path, where, "a", "kill", "b")
    _, told = parent.communicate(timeout=60)
    assert (parent.returncode, told) == (0, b"")
    assert notes(tmp_path).count("script") == 1
    assert notes(tmp_path)[-1] == "value ['a', 'rejected: crash', 'b']"
    assert not alive(child_of(tmp_path))


def _in_engine_worker(log: str) -> list[str]:
    with Guard(30, 1 << 30) as guard:
        return guard.run(work, (Path(log), ["a", "kill", "b"])).value


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_inside_a_daemonic_worker(tmp_path: Path, method: str) -> None:
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(_in_engine_worker, (str(tmp_path),)) == ["a", "rejected: crash", "b"]


def _in_fork(log: str) -> list[str]:
    with borrowed_guard(30, 1 << 30) as guard:
        return guard.run(work, (Path(log), ["a", "b"])).value


def test_fork_does_not_speak_on_its_parents_line(tmp_path: Path) -> None:
    assert _in_fork(str(tmp_path)) == ["a", "b"]
    mine = child_of(tmp_path)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(_in_fork, (str(tmp_path),)) == ["a", "b"]
    assert child_of(tmp_path) != mine
    assert alive(mine)
    assert _in_fork(str(tmp_path)) == ["a", "b"]
    assert child_of(tmp_path) == mine
