"""Units for the pool's tests: `unit.work` says what happens, `unit.output` is a folder for traces."""

import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.guard.guard_pool import borrowed_guard
from wikiprep.guard.shared_memory import Watch
from wikiprep.units.unit import Report, Result, Unit


def units(output: Path, *works: Any, weights: Mapping[int, int] | None = None) -> list[Unit]:
    """A unit for each of `works`."""
    weights = weights or {}
    return [Unit("test", f"u{i}", "f", str(output), work, weights.get(i, 10)) for i, work in enumerate(works)]


def trace(unit: Unit, line: str) -> None:
    """Appends a line, whole, to the unit's own file and to the common one."""
    for name in (unit.name, "all"):
        with (Path(unit.output) / name).open("a") as file:
            file.write(line + "\n")


def traces(output: Path, name: str = "all") -> list[str]:
    """What was appended."""
    file = output / name
    return file.read_text().splitlines() if file.exists() else []


def run(unit: Unit, report: Report, options: RunOptions) -> Result:
    """Does what `unit.work` says."""
    trace(unit, f"start {unit.name} {os.getpid()}")
    what, _, argument = str(unit.work).partition(" ")
    report.progress(pages=3, bytes_done=5, rejects=1, at="Somewhere")
    match what:
        case "sleep":
            time.sleep(float(argument))
        case "die":  # as often as said
            if len(traces(Path(unit.output), unit.name)) <= int(argument):
                os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            os._exit(int(argument))
        case "stop":
            if len(traces(Path(unit.output), unit.name)) == 1:
                os.kill(os.getpid(), signal.SIGSTOP)
        case "raise":
            raise ValueError(argument)
        case "full":
            raise OSError(28, "No space left on device", "/out/file")
        case "wikiprep":
            raise WikiprepError("part-3: broken", "download it again")
        case "print":
            print("to stdout")
            sys.stdout.flush()
        case "guarded":
            with borrowed_guard(options.page_timeout, options.page_bytes) as guard:
                shared = guard.run(pages, (unit, argument), report, unit.name)
            trace(unit, f"done {unit.name}")
            return Result(unit.name, counts={"pages": shared.value, "lost": len(shared.lost)})
    trace(unit, f"done {unit.name}")
    return Result(unit.name, counts={"worked": 1}, facts={"work": unit.work})


def pages(payload: tuple[Unit, str], watch: Watch, skip: Mapping[int, str], only: int | None) -> int:
    """The guard's side of a unit: "loop", or pages of a few milliseconds."""
    unit, what = payload
    trace(unit, f"pages {unit.name} {os.getpid()}")
    for ordinal in range(10):
        watch.begin(ordinal, ordinal, f"P{ordinal}", ordinal, ordinal, 0)
        if ordinal == 5 and what == "loop" and ordinal not in skip:
            while True:
                pass
        time.sleep(float(what) if what != "loop" else 0)
    watch.end()
    return 10


class Seen:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []
        self.notes: list[str] = []
        self.ticks = 0
        self.closed = 0

    def stage_started(self, stage: str, units: int, weight: int) -> None:
        self.events.append(("stage", stage, units, weight))

    def unit_started(self, unit: Unit) -> None:
        self.events.append(("started", unit.name))

    def unit_progress(self, unit: Unit, pages: int, bytes_done: int, rejects: int, at: str) -> None:
        self.events.append(("progress", unit.name, pages, bytes_done, rejects, at))

    def unit_finished(self, unit: Unit, result: Result, skipped: bool) -> None:
        self.events.append(("finished", unit.name, result.unit, skipped))

    def stage_finished(self, stage: str) -> None:
        self.events.append(("stage finished", stage))

    def note(self, text: str) -> None:
        self.notes.append(text)

    def tick(self) -> None:
        self.ticks += 1

    def close(self) -> None:
        self.closed += 1

    def __enter__(self) -> "Seen":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
