"""Child processes and what travels on their line."""

import mmap
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from processes import until

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.guard.child import Child, ChildError, ChildTraceback, MemoryMeter, how_ended, pack_error, unpack_error

SIZE = 64 << 20


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "ended with exit status 0"),
        (3, "ended with exit status 3"),
        (-9, "killed by SIGKILL"),
        (-11, "killed by SIGSEGV"),
        (-50, "killed by signal 50"),
    ],
)
def test_how_ended(status: int, words: str) -> None:
    assert how_ended(status) == words


def test_errors_travel() -> None:
    try:
        {}["key"]
    except KeyError as error:
        kind, data, text = pack_error(error)
    assert kind == "error"
    back = unpack_error(data, text)
    assert isinstance(back, KeyError)
    assert isinstance(back.__cause__, ChildTraceback)
    assert "test_child.py" in str(back.__cause__)
    usage = unpack_error(*pack_error(UsageError("what", "hint"))[1:])
    assert isinstance(usage, UsageError)
    assert usage.__cause__ is None
    broken = unpack_error(b"no pickle", "Traceback\nValueError: last line\n")
    assert isinstance(broken, ChildError)
    assert str(broken) == "ValueError: last line"


def test_child_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(WikiprepError, match="does not know its own executable"):
        Child("test", how_ended)


def test_child_without_owner_is_ended() -> None:
    child = Child("test", _never, ())
    pid = child.pid
    del child
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def _never(line: object) -> None:
    signal.pause()


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="Linux only")
def test_child_is_the_first_to_go_when_memory_runs_out() -> None:
    own = int(Path("/proc/self/oom_score_adj").read_text())
    child = Child("test", _never, ())
    theirs = Path(f"/proc/{child.pid}/oom_score_adj")
    try:
        assert until(lambda: int(theirs.read_text()) == min(1000, own + 300))
    finally:
        child.kill()


def test_command_line_needs_no_engine() -> None:
    """A child's start must be cheap: nothing heavy is imported before the work is."""
    code = "import wikiprep.guard.guard_child, wikiprep.local.pool, sys; print(*sys.modules)"
    root = Path(__file__).parents[2]
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout
    assert not {"torch", "pyarrow", "rich", "numpy", "mwparserfromhell", "tokenizers"} & set(loaded.split())


def count_threads(line: "Connection[int, None]") -> None:
    """The threads of a child once it has numpy."""
    import numpy

    line.send(len(list(Path("/proc/self/task").iterdir())) if numpy.zeros(1).sum() == 0 else 0)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux only")
def test_numpy_starts_no_threads_in_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    child = Child("test", count_threads)
    try:
        assert child.line.recv() == 2  # its own and the one that watches its parent
    finally:
        child.kill()


def test_own_memory_counts_and_mapped_files_do_not(tmp_path: Path) -> None:
    meter = MemoryMeter(os.getpid())
    before = meter.read()
    assert before > 1 << 20
    block = bytearray(os.urandom(1 << 20) * (SIZE >> 20))
    assert meter.read() - before > SIZE * 0.8
    file = tmp_path / "table"
    file.write_bytes(block)
    del block
    with file.open("rb") as handle, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        low = meter.read()
        assert sum(mapped[:: mmap.PAGESIZE]) > 0
        assert meter.read() - low < SIZE // 4


def test_process_that_is_gone() -> None:
    assert MemoryMeter(2**22 + 1).read() == 0


def test_without_proc() -> None:
    meter = MemoryMeter(os.getpid())
    assert meter._from_ps() > 1 << 20
