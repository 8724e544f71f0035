"""The guard against pages that crash, hang, and eat memory, and against kills from outside."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import guarded_work
import pytest
from guarded_work import notes, work

from wikiprep.errors import WikiprepError
from wikiprep.guard.child import ChildError, ChildTraceback
from wikiprep.guard.guard import Guard

MEMORY = 300 << 20


@pytest.fixture
def guard() -> Iterator[Guard]:
    with Guard(timeout=30, memory=MEMORY) as made:
        yield made


@pytest.fixture
def quick() -> Iterator[Guard]:
    with Guard(timeout=0.7, memory=MEMORY) as made:
        yield made


class Told:
    """A report that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def progress(self, **line: Any) -> None:
        self.lines.append(line)


def attempts(log: Path) -> list[str]:
    return [line for line in notes(log) if line.startswith("start")]


def test_good_pages(guard: Guard, tmp_path: Path) -> None:
    report = Told()
    result = guard.run(work, (tmp_path, ["a", "b", "c"]), report)
    assert result.value == ["a", "b", "c"]
    assert result.lost == []
    assert len(attempts(tmp_path)) == 1
    assert report.lines[-1] == {"pages": 2, "bytes_done": 20, "rejects": 0, "at": ""}


def test_one_child_for_many_units(guard: Guard, tmp_path: Path) -> None:
    for _ in range(3):
        guard.run(work, (tmp_path, ["a"]))
    assert len({line.split()[1] for line in attempts(tmp_path)}) == 1
    assert int(attempts(tmp_path)[0].split()[1]) != os.getpid()


@pytest.mark.parametrize(
    ("page", "reason", "detail"),
    [
        ("exit 3", "crash", "process ended with exit status 3"),
        ("exit 0", "crash", "process ended with exit status 0"),
        ("sysexit 4", "crash", "process ended with exit status 4"),
        ("segfault", "crash", "process killed by SIGSEGV"),
        ("kill", "crash", "process killed by SIGKILL"),
        ("memory", "memory", "over 300 MiB of private memory"),
        ("memoryerror", "memory", "out of memory (MemoryError)"),
    ],
)
def test_deadly_page_is_given_up(guard: Guard, tmp_path: Path, page: str, reason: str, detail: str) -> None:
    result = guard.run(work, (tmp_path, ["a", page, "b"]))
    assert result.value == ["a", f"rejected: {reason}", "b"]
    (lost,) = result.lost
    assert (lost.ordinal, lost.page_id, lost.title) == (1, 101, "Page 1")
    assert (lost.reason, lost.detail) == (reason, detail)
    assert [line.split(" ", 2)[2] for line in attempts(tmp_path)] == [
        "only=None skip={}",
        "only=1 skip={}",
        f"only=None skip={{1: '{reason}'}}",
    ]
    assert notes(tmp_path).count("published") == 1


@pytest.mark.parametrize("page", ["loop", "regex", "sleep 60", "stop"])
def test_endless_page_is_given_up(quick: Guard, tmp_path: Path, page: str) -> None:
    result = quick.run(work, (tmp_path, ["a", page, "b"]))
    assert result.value == ["a", "rejected: timeout", "b"]
    assert [(p.ordinal, p.reason, p.detail) for p in result.lost] == [(1, "timeout", "no end within 0.7 s")]


def test_several_bad_pages(guard: Guard, tmp_path: Path) -> None:
    result = guard.run(work, (tmp_path, ["exit 1", "a", "kill", "b", "memoryerror"]))
    assert result.value == ["rejected: crash", "a", "rejected: crash", "b", "rejected: memory"]
    assert [p.ordinal for p in result.lost] == [0, 2, 4]


def test_of_pages_worked_on_together_the_one_that_fails_alone_is_given_up(guard: Guard, tmp_path: Path) -> None:
    result = guard.run(guarded_work.work_on_pairs, (tmp_path, ["a", "b", "c", "exit 3", "exit 4", "d"]))
    assert result.value == ["a", "b", "c", "rejected: crash", "rejected: crash", "d"]
    assert [(p.ordinal, p.page_id, p.title) for p in result.lost] == [(3, 103, "Page 3"), (4, 104, "Page 4")]


def test_page_that_survives_alone_is_kept(guard: Guard, tmp_path: Path) -> None:
    result = guard.run(work, (tmp_path, ["a", "kill-first", "b"]))
    assert result.value == ["a", "kill-first", "b"]
    assert result.lost == []
    assert len(attempts(tmp_path)) == 3


def test_unit_that_fails_again_and_again(guard: Guard, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError) as caught:
        guard.run(work, (tmp_path, ["a", "kill-in-company"]), unit="extract/part-00007")
    assert "extract/part-00007" in caught.value.what
    assert "'Page 1' (id 101)" in caught.value.what
    assert caught.value.hint
    assert notes(tmp_path).count("published") == 0


def test_death_before_any_page(guard: Guard, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"part-3.*4 times.*before its first page.*exit status 7"):
        guard.run(guarded_work.die_at_start, tmp_path, unit="part-3")
    assert len(notes(tmp_path)) == 4
    (tmp_path / "log.txt").unlink()
    (tmp_path / "alive").touch()
    assert guard.run(guarded_work.die_at_start, tmp_path).value == "alive"


def test_death_after_the_last_page(guard: Guard, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"4 times.*after page 'Only page' \(id 1\).*exit status 8"):
        guard.run(guarded_work.die_at_end, tmp_path)


def test_too_many_bad_pages(guard: Guard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiprep.guard.guard.LOST_PAGES", 2)
    with pytest.raises(WikiprepError, match="more than 2 pages failed, last 'Page 3'"):
        guard.run(work, (tmp_path, ["exit 1", "a", "exit 1", "exit 1", "exit 1"]))


def test_memory_before_any_page_is_named(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="before its first page: over 1 MiB") as caught, Guard(30, 1 << 20) as guard:
        guard.run(guarded_work.slow_start, tmp_path)
    assert "--page-memory" in caught.value.hint


def test_interrupt_kills_the_child(guard: Guard, tmp_path: Path) -> None:
    class Interrupting(Told):
        def progress(self, **line: Any) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guard.run(work, (tmp_path, ["a", "sleep 60"]), Interrupting())
    with pytest.raises(ProcessLookupError):
        os.kill(int(attempts(tmp_path)[0].split()[1]), 0)


def test_close_may_come_twice() -> None:
    guard = Guard(1, MEMORY)
    guard.close()
    guard.close()


def test_time_after_the_last_page_is_not_limited(quick: Guard, tmp_path: Path) -> None:
    assert quick.run(guarded_work.slow_end, tmp_path).value == "published"


def test_exception_travels_with_its_traceback(guard: Guard, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="oops") as caught:
        guard.run(work, (tmp_path, ["raise oops"]))
    assert isinstance(caught.value.__cause__, ChildTraceback)
    assert "guarded_work.py" in str(caught.value.__cause__)
    with pytest.raises(WikiprepError) as mine:
        guard.run(work, (tmp_path, ["wikiprep"]))
    assert (mine.value.what, mine.value.hint) == ("dump.xml: broken", "get another")
    with pytest.raises(ChildError, match="hard"):
        guard.run(work, (tmp_path, ["unpicklable hard"]))
    assert guard.run(work, (tmp_path, ["a"])).value == ["a"]
    assert len({line.split()[1] for line in attempts(tmp_path)}) == 1  # an exception is not a death


def test_work_must_be_importable(guard: Guard) -> None:
    with pytest.raises(TypeError, match="importable"):
        guard.run(lambda *_: None, None)


def test_kills_from_outside_cost_no_page(guard: Guard, tmp_path: Path) -> None:
    pages = ["a"] + ["sleep 0.02"] * 40
    done = threading.Event()

    def killer() -> None:
        killed: set[str] = set()
        while not done.wait(0.3) and len(killed) < 4:
            # Not while a page is tried alone: a page that is hit twice, the second time alone, is given up by rule.
            whole = [line.split()[1] for line in attempts(tmp_path)[-1:] if "only=None" in line]
            if whole and whole[0] not in killed:
                killed.add(whole[0])
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(whole[0]), signal.SIGKILL)

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        result = guard.run(work, (tmp_path, pages))
    finally:
        done.set()
        thread.join()
    assert result.value == pages
    assert result.lost == []
    assert len(attempts(tmp_path)) > 1


def test_child_killed_between_units(guard: Guard, tmp_path: Path) -> None:
    guard.run(work, (tmp_path, ["a"]))
    os.kill(int(attempts(tmp_path)[0].split()[1]), signal.SIGKILL)
    time.sleep(0.05)
    assert guard.run(work, (tmp_path, ["b"])).value == ["b"]


def test_close_ends_the_child(tmp_path: Path) -> None:
    with Guard(30, MEMORY) as guard:
        guard.run(work, (tmp_path, ["a"]))
    with pytest.raises(ProcessLookupError):
        os.kill(int(attempts(tmp_path)[0].split()[1]), 0)
