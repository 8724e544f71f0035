"""Work on pages in a child process, so that no page can take its unit, its worker or the build with it.

Before each page the child notes it on a board (`shared_memory.py`). If the child dies, or a page takes longer or more
memory than allowed, the child is killed, the page under suspicion is run alone in a fresh child, and the unit is
repeated whole. Only a page that fails alone too is given up; so a `kill -9` from outside costs a repeat, never a page.
Work that takes several pages at once notes the first of them; asked for that one alone, it goes through them one by
one, and the page it fails at is the one to blame.

The trade: a unit with a bad page is worked on twice, one with n bad pages n + 1 times. They are rare (the limits on
content come first), and in exchange a unit is always made by one process in one go: nothing half-done is kept.
"""

import contextlib
import os
import pickle
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from wikiprep.errors import WikiprepError
from wikiprep.guard import guard_child
from wikiprep.guard.child import Child, MemoryMeter, lasting_child, require_importable, unpack_error
from wikiprep.guard.shared_memory import Board, BoardReading, Watch
from wikiprep.units.stage_rules import rules_digest
from wikiprep.units.unit import NoReport, Report

T = TypeVar("T")
__all__ = ["Guard", "GuardResult", "LostPage", "Watch"]

Reason = Literal["timeout", "memory", "crash"]
Work = Callable[[Any, Watch, Mapping[int, str], int | None], T]

POLL_SECONDS = 0.05
REPORT_SECONDS = 0.25
STARTS = 4  # tries of a unit in which no page can be blamed
REPEATS = 5  # repeats of a unit without a page given up
LOST_PAGES = 100  # of one unit: more are no accident


@dataclass(frozen=True, slots=True)
class LostPage:
    """A page that failed with others and alone. `ordinal`: its place in the unit's stream."""

    ordinal: int
    page_id: int | None
    title: str
    reason: Reason
    detail: str

    @property
    def row(self) -> list[Any]:
        """As receipts and the manifest list it."""
        return [self.page_id, self.title, self.reason, self.detail]


@dataclass(frozen=True, slots=True)
class GuardResult(Generic[T]):
    """What the work returned, and the pages it had to leave out, by ordinal."""

    value: T
    lost: list[LostPage]


@dataclass(frozen=True, slots=True)
class _Done:
    """An attempt that gave a value."""

    value: Any


@dataclass(frozen=True, slots=True)
class _Raised:
    """An attempt that ended in an error of the work's own."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class _Failed:
    """An attempt that had to be ended. `at`: the last reading; None if death cut off the writing of it."""

    reason: Reason
    detail: str
    at: BoardReading | None

    @property
    def suspect(self) -> BoardReading | None:
        """The page that was under work."""
        return self.at if self.at is not None and self.at.ordinal is not None else None

    @property
    def place(self) -> str:
        """Where a failure outside of pages happened."""
        return f"after page {_name(self.at)}" if self.at is not None and self.at.sequence else "before its first page"


class Guard:
    """Runs work in a child that lives across units. `timeout`: seconds a page may take; `memory`: private bytes.

    For one thread at a time; `close` (or leaving the `with` block) ends the child.
    """

    def __init__(self, timeout: float, memory: int) -> None:
        self.timeout = timeout
        self.memory = memory
        self.owner = os.getpid()
        self._board = Board()
        self._child: Child | None = None

    def __enter__(self) -> "Guard":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child. May come twice; the guard cannot be used again."""
        if self._child is not None:
            self._child.close()
            self._child = None
        self._board.close()

    def run(self, work: Work[T], payload: Any, report: Report | None = None, unit: str = "unit") -> GuardResult[T]:
        """`work(payload, watch, skip, only)` in the child, as often as it takes. `work` must be importable by name.

        `skip`: ordinal -> reason of pages that must be rejected unseen. `only`: work on this page alone (on each of the
        pages that it was noted for, alone) and publish nothing (the value is ignored). An exception of the work is
        raised here, of its own type. Raises WikiprepError when the unit cannot be finished.
        """
        require_importable(work)
        report = report or NoReport()
        lost_pages: dict[int, LostPage] = {}
        unexplained = repeats = 0
        while True:
            skip: dict[int, str] = {ordinal: page.reason for ordinal, page in sorted(lost_pages.items())}
            outcome = self._attempt(work, payload, skip, None, report)
            if isinstance(outcome, _Done):
                return GuardResult(outcome.value, [lost_pages[ordinal] for ordinal in sorted(lost_pages)])
            suspect = outcome.suspect
            if suspect is None:
                unexplained += 1
                if unexplained >= STARTS:
                    raise WikiprepError(
                        f"{unit}: failed {unexplained} times, last {outcome.place}: {outcome.detail}", _hint(outcome)
                    )
                continue
            page = self._run_alone(work, payload, skip, suspect)
            if page is None:
                repeats += 1
                if repeats > REPEATS:
                    raise WikiprepError(
                        f"{unit}: failed {repeats} times, last at page {_name(suspect)}, which is harmless alone: "
                        f"{outcome.detail}",
                        _hint(outcome),
                    )
                continue
            lost_pages[page.ordinal] = page
            unexplained = repeats = 0
            if len(lost_pages) > LOST_PAGES:
                raise WikiprepError(
                    f"{unit}: more than {LOST_PAGES} pages failed, last {_name(suspect)}: {page.detail}",
                    _hint(outcome),
                )

    def _run_alone(
        self, work: Work[Any], payload: Any, skip: Mapping[int, str], suspect: BoardReading
    ) -> LostPage | None:
        """Runs the suspected page, or those it stands for, alone in a fresh child; None if they survive."""
        assert suspect.ordinal is not None
        for _ in range(STARTS):
            outcome = self._attempt(work, payload, skip, suspect.ordinal, NoReport())
            if isinstance(outcome, _Done):
                self._drop_child()  # the unit is repeated in a child without a past
                return None
            if (failed_page := outcome.suspect) is not None and failed_page.ordinal is not None:
                return LostPage(
                    failed_page.ordinal, failed_page.page_id, failed_page.title, outcome.reason, outcome.detail
                )
        return None  # dies before it comes to the page: not the page's fault

    def _attempt(
        self, work: Work[Any], payload: Any, skip: Mapping[int, str], only: int | None, report: Report
    ) -> _Done | _Failed:
        request = pickle.dumps((work, payload, skip, only, rules_digest(work.__module__)))
        child = self._ensure_child()
        self._board.clear()
        try:
            outcome = self._follow(child, request, report)
        except BaseException:
            # Ctrl-C, or a report that cannot be delivered: the child is in the middle of something.
            self._drop_child()
            raise
        if isinstance(outcome, _Raised):
            raise outcome.error
        return outcome

    def _follow(self, child: Child, request: bytes, report: Report) -> _Done | _Failed | _Raised:
        meter = MemoryMeter(child.pid)
        age, last_look, reported_at, reported_sequence = 0.0, time.monotonic(), 0.0, 0
        sequence = 0
        with contextlib.suppress(OSError):  # dead already: the line says so at once
            child.line.send_bytes(request)
        while not child.line.poll(POLL_SECONDS):
            now, at = time.monotonic(), self._board.read()
            # Time in which this process itself stood still (Ctrl-Z, an overloaded machine) is not the page's.
            age, last_look = age + min(now - last_look, 1.0), now
            if at is not None and at.sequence != sequence:
                sequence, age = at.sequence, 0.0
            if at is not None and at.ordinal is not None and age > self.timeout:
                return self._kill("timeout", f"no end within {self.timeout:g} s")
            if meter.read() > self.memory:
                return self._kill("memory", f"over {self.memory / (1 << 20):g} MiB of private memory")
            if at is not None and sequence != reported_sequence and now - reported_at >= REPORT_SECONDS:
                reported_sequence, reported_at = sequence, now
                _tell(report, at)
        try:
            answer = pickle.loads(child.line.recv_bytes())
        except (EOFError, OSError):
            return _Failed("crash", f"process {child.ended()}", self._board.read())
        return self._read_answer(answer, report)

    def _read_answer(self, answer: Any, report: Report) -> _Done | _Failed | _Raised:
        if answer[0] == "memory":
            return self._kill("memory", "out of memory (MemoryError)")
        if answer[0] == "error":
            return _Raised(unpack_error(*answer[1:]))
        at = self._board.read()
        if at is not None:
            _tell(report, at)
        return _Done(answer[1])

    def _kill(self, reason: Reason, detail: str) -> _Failed:
        self._drop_child()
        return _Failed(reason, detail, self._board.read())

    def _ensure_child(self) -> Child:
        if self._child is not None and (
            not self._child.running or MemoryMeter(self._child.pid).read() > self.memory // 2
        ):
            self._drop_child()  # what earlier units left behind must not count against the pages of this one
        if self._child is None:
            self._child = lasting_child("wikiprep-pages", guard_child.serve, (self._board.fd,), (self._board.fd,))
        return self._child

    def _drop_child(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None


def _hint(failure: _Failed) -> str:
    if failure.reason == "timeout":
        return "raise --page-timeout, or look for a disk or machine that is overloaded"
    if failure.reason == "memory":
        return "raise --page-memory, or use fewer --workers"
    return "look for an out-of-memory killer in the system's log, or use fewer --workers"


def _tell(report: Report, at: BoardReading) -> None:
    title = at.title if at.ordinal is not None else ""
    report.progress(pages=at.pages, bytes_done=at.bytes_done, rejects=at.rejects, at=title)


def _name(at: BoardReading) -> str:
    return f"{at.title!r} (id {at.page_id})" if at.page_id is not None else repr(at.title)
