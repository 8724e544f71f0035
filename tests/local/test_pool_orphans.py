"""Nothing of a build is left running when its driver is gone."""

import os
import signal
from pathlib import Path

import pytest
from pool_work import traces
from processes import alive, script, until

SCRIPT = Path(__file__).with_name("driver_pool.py")


def pids(output: Path) -> list[int]:
    """Of workers and their children."""
    return [int(line.split()[2]) for line in traces(output) if line.startswith(("start", "pages"))]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_and_their_children_end_with_the_driver(tmp_path: Path, end: signal.Signals) -> None:
    driver = script(SCRIPT, tmp_path, "guarded loop", "guarded 60")
    assert until(lambda: len(pids(tmp_path)) == 4)
    assert all(alive(pid) for pid in pids(tmp_path))
    os.kill(driver.pid, end)
    driver.communicate(timeout=30)
    assert until(lambda: not any(alive(pid) for pid in pids(tmp_path)))


def test_child_ends_with_its_worker(tmp_path: Path) -> None:
    driver = script(SCRIPT, tmp_path, "guarded loop")
    assert until(lambda: len(pids(tmp_path)) == 2)
    worker, pages = pids(tmp_path)
    os.kill(worker, signal.SIGKILL)
    assert until(lambda: not alive(pages))
    assert until(lambda: len(pids(tmp_path)) == 4)  # the unit is repeated
    driver.kill()
    driver.communicate(timeout=30)


def test_ctrl_c_is_quick_and_shows_one_traceback(tmp_path: Path) -> None:
    driver = script(SCRIPT, tmp_path, "guarded loop", "sleep 600")
    assert until(lambda: len(pids(tmp_path)) == 3)
    os.killpg(driver.pid, signal.SIGINT)  # what Ctrl-C does
    _, told = driver.communicate(timeout=30)
    assert told.count(b"KeyboardInterrupt") == 1
    assert until(lambda: not any(alive(pid) for pid in pids(tmp_path)))


def test_good_end(tmp_path: Path) -> None:
    driver = script(SCRIPT, tmp_path, "guarded 0", "a", "guarded 0.001", "print")
    _, told = driver.communicate(timeout=60)
    assert (driver.returncode, told) == (0, b"to stdout\n")
    assert until(lambda: not any(alive(pid) for pid in pids(tmp_path)))
