"""The local driver's worker processes: fed from a queue of units, replaced when they die.

A worker takes one unit after another from its line and sends back progress and results. Units are given out largest
first, so that the last ones to end are small; results come back in the order of the units, so neither order nor number
of workers shows in the output. A worker that stands still (kill -STOP, a disk that hangs) is shown, not killed: only
the guard inside a unit knows how long something may take.

After an exception in a unit, nothing more is given out and the other workers are killed at once: what they had
finished stays finished by its receipts, what they had not is repeated by the next run.
"""

import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Self

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.guard.child import Child, pack_error, require_importable, unpack_error
from wikiprep.runtime.engine import Run, Runner
from wikiprep.units.observer import Observer
from wikiprep.units.unit import Result, Unit

REPORT_SECONDS = 0.2
REPEATS = 3  # of a unit whose worker died
WAIT_SECONDS = 0.2


class LineReport:
    """A `Report` that sends at most five messages a second, whatever the unit tells."""

    def __init__(self, line: "Connection[Any, Any]") -> None:
        self._line = line
        self._sent = 0.0
        self.last = (0, 0, 0, "")

    def progress(self, *, pages: int, bytes_done: int, rejects: int, at: str = "") -> None:
        """See `Report`."""
        self.last = (pages, bytes_done, rejects, at)
        now = time.monotonic()
        if now - self._sent >= REPORT_SECONDS:
            self._sent = now
            self._line.send(("progress", self.last))


def serve(line: "Connection[Any, Any]", options: RunOptions) -> None:
    """Requests: pickles of (run, unit). Answers: ("progress", totals), then ("result", result, totals) or an error."""
    while True:
        request = line.recv_bytes()
        report = LineReport(line)
        answer: bytes
        try:
            run, unit = pickle.loads(request)
            result = run(unit, report, options)
            answer = pickle.dumps(("result", result, report.last))
        except Exception as error:
            answer = pickle.dumps(pack_error(error))
        line.send_bytes(answer)


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker process, and what it has at hand."""

    child: Child
    unit: int | None = None  # index of the unit under work
    fresh: bool = True  # never had one


@dataclass(slots=True)
class _Stage:
    """The units of one call and how far they are."""

    units: Sequence[Unit]
    run: Run
    observer: Observer
    waiting: list[int] = field(init=False)  # the next one last
    results: dict[int, Result] = field(default_factory=dict)
    deaths: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        order = sorted(range(len(self.units)), key=lambda i: (-self.units[i].weight, i))
        self.waiting = order[::-1]

    @property
    def finished(self) -> bool:
        return len(self.results) == len(self.units)


class Pool:
    """`options.workers` processes, kept across stages; started when there is work for them.

    Leave the `with` block (or call `close`) to end them. They end on their own when this process dies.
    """

    def __init__(self, options: RunOptions) -> None:
        self.runner = Runner()
        self._options = options
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run_units(self, units: Sequence[Unit], run: Run, observer: Observer) -> list[Result]:
        """`run(unit, report, options)` for every unit; the results in the order of `units`.

        `run` must be importable by name. The observer is told about units; the stage's beginning and end, and units
        that need no run, are for the caller to tell. An exception of a unit is raised here, of its own type;
        WikiprepError when a unit's worker dies again and again.
        """
        require_importable(run)
        if not units:
            return []
        stage = _Stage(units, run, observer)
        try:
            while not stage.finished:
                self._assign_units(stage)
                lines = {w.child.line: w for w in self._workers}
                for line in wait(list(lines), WAIT_SECONDS):
                    self._handle_message(lines[line], stage)  # type: ignore[index]
                observer.tick()
        except BaseException:
            self._kill()
            observer.close()
            raise
        return [stage.results[i] for i in range(len(units))]

    def close(self) -> None:
        """Ends the workers; those that do not end by themselves are killed."""
        for process in self._workers:
            process.child.line.close()
        for process in self._workers:
            process.child.close()
        self._workers.clear()

    def _kill(self) -> None:
        for process in self._workers:
            process.child.kill()
        self._workers.clear()

    def _assign_units(self, stage: _Stage) -> None:
        """A unit for every worker without one."""
        while stage.waiting:
            idle = next((w for w in self._workers if w.unit is None), None)
            if idle is None:
                if len(self._workers) >= max(1, self._options.workers):
                    return
                idle = _Worker(Child("wikiprep-worker", serve, (self._options,)))
                self._workers.append(idle)
            index = stage.waiting.pop()
            unit = stage.units[index]
            request = pickle.dumps((stage.run, unit))
            try:
                idle.child.line.send_bytes(request)
            except OSError:
                if idle.fresh:  # cannot even start: must come to an end
                    idle.unit = index
                    self._handle_death(idle, stage)
                else:  # died while it was idle: no unit's fault
                    stage.waiting.append(index)
                    self._remove_worker(idle)
                continue
            idle.unit, idle.fresh = index, False
            stage.observer.unit_started(unit)

    def _handle_message(self, process: _Worker, stage: _Stage) -> None:
        """One message of a worker, or its end."""
        try:
            message = pickle.loads(process.child.line.recv_bytes())
        except (EOFError, OSError):
            self._handle_death(process, stage)
            return
        if message[0] == "error":
            error = unpack_error(*message[1:])
            if process.unit is not None and not isinstance(error, WikiprepError):
                unit = stage.units[process.unit]
                error.add_note(f"in unit {unit.stage}/{unit.name}")
            raise error
        assert process.unit is not None
        unit = stage.units[process.unit]
        if message[0] == "progress":
            stage.observer.unit_progress(unit, *message[1])
            return
        _, result, totals = message
        stage.results[process.unit] = result
        process.unit = None
        stage.observer.unit_progress(unit, *totals)
        stage.observer.unit_finished(unit, result, skipped=False)

    def _handle_death(self, process: _Worker, stage: _Stage) -> None:
        ending = self._remove_worker(process)
        if process.unit is None:
            return
        unit = stage.units[process.unit]
        deaths = stage.deaths[process.unit] = stage.deaths.get(process.unit, 0) + 1
        if deaths > REPEATS:
            raise WikiprepError(
                f"unit {unit.stage}/{unit.name}: its worker process died {deaths} times, last {ending}",
                "look for an out-of-memory killer in the system's log, or use fewer --workers",
            )
        stage.waiting.append(process.unit)
        stage.observer.note(f"worker process {process.child.pid} {ending}; unit {unit.stage}/{unit.name} is repeated")

    def _remove_worker(self, process: _Worker) -> str:
        self._workers.remove(process)
        return process.child.ended()


def run_units(units: Sequence[Unit], run: Run, options: RunOptions, observer: Observer) -> list[Result]:
    """`Pool.run_units` with workers of its own, which end with it."""
    with Pool(options) as pool:
        return pool.run_units(units, run, observer)
