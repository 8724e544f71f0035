"""The local pool: order, errors, deaths of workers."""

import contextlib
import io
import os
import random
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pool_work import Seen, run, traces, units

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.guard.child import ChildTraceback
from wikiprep.local.pool import Pool, run_units
from wikiprep.terminal.build_display import BuildDisplay
from wikiprep.terminal.screen import Lines
from wikiprep.terminal.streams import SafeStream
from wikiprep.units.observer import Observer

MEMORY = 1024
ONE = RunOptions(workers=1, page_memory=MEMORY)
TWO = RunOptions(workers=2, page_memory=MEMORY)


def started(output: Path) -> list[str]:
    return [line.split()[1] for line in traces(output) if line.startswith("start")]


@pytest.mark.parametrize("options", [ONE, TWO])
def test_results_come_in_the_order_of_units(tmp_path: Path, options: RunOptions) -> None:
    many = units(tmp_path, "sleep 0.3", "a", "b", "sleep 0.1", "c", "d")
    seen: Observer = Seen()
    results = run_units(many, run, options, seen)
    assert [r.unit for r in results] == [u.name for u in many]
    assert [r.facts["work"] for r in results] == [u.work for u in many]
    pids = {line.split()[2] for line in traces(tmp_path) if line.startswith("start")}
    assert len(pids) <= options.workers
    assert str(os.getpid()) not in pids


def test_largest_units_are_given_out_first(tmp_path: Path) -> None:
    run_units(units(tmp_path, "a", "b", "c", "d", weights={2: 99, 0: 50}), run, ONE, Seen())
    assert started(tmp_path) == ["u2", "u0", "u1", "u3"]


def test_observer_sees_every_unit(tmp_path: Path) -> None:
    seen = Seen()
    run_units(units(tmp_path, "a", "b"), run, ONE, seen)
    assert [e for e in seen.events if e[0] != "progress"] == [
        ("started", "u0"),
        ("finished", "u0", "u0", False),
        ("started", "u1"),
        ("finished", "u1", "u1", False),
    ]
    assert ("progress", "u0", 3, 5, 1, "Somewhere") in seen.events


def test_no_units() -> None:
    assert run_units([], run, TWO, Seen()) == []


def test_workers_are_kept_across_stages(tmp_path: Path) -> None:
    with Pool(ONE) as pool:
        for _ in range(3):
            pool.run_units(units(tmp_path, "a", "b"), run, Seen())
    assert len({line.split()[2] for line in traces(tmp_path) if line.startswith("start")}) == 1


@pytest.mark.parametrize("options", [ONE, TWO])
def test_unit_of_a_dead_worker_is_repeated(tmp_path: Path, options: RunOptions) -> None:
    seen = Seen()
    results = run_units(units(tmp_path, "a", "die 3", "b", "die 1"), run, options, seen)
    assert [r.unit for r in results] == ["u0", "u1", "u2", "u3"]
    assert started(tmp_path).count("u1") == 4
    assert len(seen.notes) == 4
    assert all("killed by SIGKILL" in note and "is repeated" in note for note in seen.notes)


def test_unit_that_kills_every_worker(tmp_path: Path) -> None:
    seen = Seen()
    with pytest.raises(WikiprepError, match=r"test/u1.*4 times.*exit status 9"):
        run_units(units(tmp_path, "a", "exit 9"), run, ONE, seen)
    assert seen.closed == 1
    assert "done u0" in traces(tmp_path)


def test_worker_that_dies_idle_costs_nothing(tmp_path: Path) -> None:
    seen = Seen()
    with Pool(ONE) as pool:
        pool.run_units(units(tmp_path, "a"), run, seen)
        os.kill(int(traces(tmp_path)[0].split()[2]), signal.SIGKILL)
        pool.run_units(units(tmp_path, "die 0", "b"), run, seen)


def test_exception_ends_the_stage(tmp_path: Path) -> None:
    seen = Seen()
    with pytest.raises(ValueError, match="oops") as caught, Pool(TWO) as pool:
        pool.run_units(units(tmp_path, "sleep 60", "raise oops", "a", weights={0: 99, 1: 98}), run, seen)
    assert isinstance(caught.value.__cause__, ChildTraceback)
    assert caught.value.__notes__ == ["in unit test/u1"]
    assert "u2" not in started(tmp_path)
    assert seen.closed == 1


def test_errors_keep_their_type(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError) as mine:
        run_units(units(tmp_path, "wikiprep"), run, ONE, Seen())
    assert (mine.value.what, mine.value.hint) == ("part-3: broken", "download it again")
    with pytest.raises(OSError, match="No space left") as full:
        run_units(units(tmp_path, "full"), run, ONE, Seen())
    assert full.value.filename == "/out/file"


def test_pool_can_be_used_after_an_error(tmp_path: Path) -> None:
    with Pool(TWO) as pool:
        with pytest.raises(ValueError, match="oops"):
            pool.run_units(units(tmp_path, "raise oops"), run, Seen())
        assert len(pool.run_units(units(tmp_path, "a", "b"), run, Seen())) == 2


def test_stdout_stays_the_drivers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run_units(units(tmp_path, "print"), run, ONE, Seen())
    assert capfd.readouterr().out == ""


def test_function_must_be_importable(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="importable"):
        run_units(units(tmp_path, "a"), lambda *_: None, ONE, Seen())


def test_guard_inside_a_worker(tmp_path: Path) -> None:
    options = RunOptions(workers=2, page_timeout=0.7, page_memory=MEMORY)
    results = run_units(units(tmp_path, "guarded 0", "guarded loop", "guarded 0.01"), run, options, Seen())
    assert [r.counts for r in results] == [{"pages": 10, "lost": n} for n in (0, 1, 0)]


class Killer(Seen):
    """Kills, from the driver's loop, a worker or its child at random moments, but each unit once only: a page that is
    hit twice, the second time alone, is given up by rule."""

    def __init__(self, output: Path, seed: int) -> None:
        super().__init__()
        self.output, self.random = output, random.Random(seed)
        self.killed: set[str] = set()

    def unit_progress(self, *_: object) -> None:
        self.maybe_kill()

    def tick(self) -> None:
        self.maybe_kill()

    def maybe_kill(self) -> None:
        if self.random.random() < 0.5:
            return
        lines = [line.split() for line in traces(self.output) if line.startswith(("start", "pages"))]
        _, unit, pid = self.random.choice(lines[-3:] or [["", "", ""]])
        if pid and unit not in self.killed and f"done {unit}" not in traces(self.output):
            self.killed.add(unit)
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


@pytest.mark.parametrize("seed", range(2))
def test_kills_at_random_moments_change_nothing(tmp_path: Path, seed: int) -> None:
    killer = Killer(tmp_path, seed)
    options = RunOptions(workers=2, page_memory=MEMORY)
    results = run_units(units(tmp_path, *["guarded 0.04"] * 5), run, options, killer)
    assert [(r.unit, r.counts) for r in results] == [(f"u{i}", {"pages": 10, "lost": 0}) for i in range(5)]
    assert killer.killed


class Waiting(Seen):
    """Calls `act` once, when the condition holds."""

    def __init__(self, condition: Callable[[], bool], act: Callable[[], None]) -> None:
        super().__init__()
        self.condition, self.act, self.done = condition, act, False

    def tick(self) -> None:
        super().tick()
        if not self.done and self.condition():
            self.done = True
            self.act()


def test_stopped_worker_is_not_killed_but_its_death_is_made_good(tmp_path: Path) -> None:
    def kill() -> None:
        os.kill(int(traces(tmp_path, "u0")[0].split()[2]), signal.SIGKILL)

    seen = Waiting(lambda: seen.ticks > 8 and "done u1" in traces(tmp_path), kill)
    results = run_units(units(tmp_path, "stop", "a"), run, TWO, seen)
    assert [r.unit for r in results] == ["u0", "u1"]
    assert started(tmp_path).count("u0") == 2
    assert len(seen.notes) == 1


class KillsWhatStandsStill(BuildDisplay):
    """A log of lines on a clock that runs a hundred times too fast, and a user who reads it."""

    def __init__(self, output: Path) -> None:
        self.output, self.out, self.done = output, io.StringIO(), False

        def clock() -> float:
            return 100 * time.monotonic()

        super().__init__(Lines(SafeStream(self.out), clock), clock)

    def tick(self) -> None:
        super().tick()
        if not self.done and "at 'Somewhere'" in self.out.getvalue():
            self.done = True
            os.kill(int(traces(self.output, "u0")[0].split()[2]), signal.SIGKILL)


def test_standstill_is_shown_by_name_age_and_page(tmp_path: Path) -> None:
    log = KillsWhatStandsStill(tmp_path)
    log.stage_started("test", 2, 20)
    assert len(run_units(units(tmp_path, "stop", "a"), run, TWO, log)) == 2
    log.stage_finished("test")
    text = log.out.getvalue()
    assert re.search(r"test: u0 stands still: no news for 0:\d\d:\d\d, at 'Somewhere'\n", text)
    assert "killed by SIGKILL; unit test/u0 is repeated" in text


def test_interrupt_ends_all_workers(tmp_path: Path) -> None:
    seen = Waiting(lambda: len(started(tmp_path)) == 2, lambda: os.kill(os.getpid(), signal.SIGINT))
    threads = set(threading.enumerate())  # of tests before, some of which may end meanwhile
    with pytest.raises(KeyboardInterrupt), Pool(TWO) as pool:
        pool.run_units(units(tmp_path, "sleep 60", "sleep 60"), run, seen)
    assert set(threading.enumerate()) <= threads
    for line in traces(tmp_path):
        with pytest.raises(ProcessLookupError):
            os.kill(int(line.split()[2]), 0)
