"""A child whose parent goes away ends without a word, at whatever step of the start it happens."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from processes import script, until

SCRIPT = Path(__file__).with_name("start_stepped.py")
SIGNALS = ("KILL", "INT", "TERM", "HUP")


def start(side: str, files: str, how: str, at: int, folder: Path) -> tuple[int, bytes]:
    """The parent's return code, and all that stands in stderr when no process of the group is left."""
    parent = script(SCRIPT, side, files, how, at, folder)
    _, told = parent.communicate(timeout=60)  # until whoever holds stderr has ended
    assert until(lambda: not _group_lives(parent.pid))
    return parent.returncode, told


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def go_through(side: str, files: str, how: str, folder: Path, every: int = 1) -> None:
    code, told = start(side, files, how, -1, folder)
    steps = int(told)
    assert (code, steps > 20) == (0, True)
    ends = {"closed": 0, "ended": -signal.SIGKILL}
    expected = ends[how] if how in ends else -signal.Signals[f"SIG{how}"]
    with ThreadPoolExecutor(2) as two:
        found = list(two.map(lambda at: (at, *start(side, files, how, at, folder)), range(0, steps, every)))
    assert [it for it in found if it[2]] == []
    assert [code for _, code, _ in found if code != expected] == []


@pytest.mark.parametrize("how", SIGNALS)
def test_each_step_of_the_parent(tmp_path: Path, how: str) -> None:
    go_through("parent", "ours", how, tmp_path, 2 if how == "KILL" else 7)


@pytest.mark.parametrize("how", ["ended", "closed"])
def test_steps_of_the_child(tmp_path: Path, how: str) -> None:
    go_through("child", "ours", how, tmp_path, 6)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_in_the_middle_of_a_message(tmp_path: Path, number: int) -> None:
    assert start("parent", "ours", "HALF", number, tmp_path) == (-signal.SIGKILL, b"")


@pytest.mark.slow
@pytest.mark.parametrize("how", SIGNALS)
def test_each_step_of_the_parent_in_the_standard_library_too(tmp_path: Path, how: str) -> None:
    go_through("parent", "all", how, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["ended", "closed"])
def test_each_step_of_the_child_in_the_standard_library_too(tmp_path: Path, how: str) -> None:
    go_through("child", "all", how, tmp_path)


def test_what_cannot_be_imported_is_still_told(tmp_path: Path) -> None:
    """Silence is for a parent that is gone."""
    (tmp_path / "broken.py").write_text("def serve(line): raise OSError('of the work')\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import broken, wikiprep.guard.child as it\n"
    code += "import os; made = it.Child('test', broken.serve); print(made.ended())"
    (tmp_path / "run.py").write_text(code)
    done = script(tmp_path / "run.py")
    _, told = done.communicate(timeout=60)
    assert b"OSError: of the work" in told
