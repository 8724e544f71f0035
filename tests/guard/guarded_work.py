"""Work for the guard's tests: functions that a child can import, on "pages" that are strings saying what to do.

The payload is (log, pages): `log` a folder in which each attempt leaves a line, `pages` what happens at each ordinal.
"""

import ctypes
import os
import re
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.guard.shared_memory import Watch

EVIL = re.compile(r"(a+)+$")


def note(log: Path, line: str) -> None:
    """Appends a line, whole, whoever writes at the same time."""
    with (log / "log.txt").open("a") as file:
        file.write(line + "\n")


def notes(log: Path) -> list[str]:
    """What was noted so far."""
    file = log / "log.txt"
    return file.read_text().splitlines() if file.exists() else []


def work(payload: tuple[Path, list[str]], watch: Watch, skip: Mapping[int, str], only: int | None) -> list[str]:
    """Does what each page says; returns page or reject for each."""
    log, pages = payload
    note(log, f"start {os.getpid()} only={only} skip={dict(skip)}")
    out = []
    for ordinal, page in enumerate(pages):
        if only is not None and ordinal != only:
            continue
        if ordinal in skip:
            out.append(f"rejected: {skip[ordinal]}")
            continue
        watch.begin(ordinal, ordinal + 100, f"Page {ordinal}", ordinal, 10 * ordinal, len(skip))
        act(page, log, ordinal, only)
        out.append(page)
    watch.end()
    if only is None:
        note(log, "published")
    return out


def work_on_pairs(
    payload: tuple[Path, list[str]], watch: Watch, skip: Mapping[int, str], only: int | None
) -> list[str]:
    """Two pages at once, announced by the first; one by one where `only` asks for the pair that begins there."""
    log, pages = payload
    note(log, f"start {os.getpid()} only={only} skip={dict(skip)}")
    out = []
    for first in range(0, len(pages), 2):
        if only is None:
            watch.begin(first, first + 100, f"Page {first}")
        for ordinal in range(first, min(first + 2, len(pages))) if only in (None, first) else ():
            if only is not None:
                watch.begin(ordinal, ordinal + 100, f"Page {ordinal}")
            if ordinal not in skip:
                act(pages[ordinal], log, ordinal, only)
            out.append(f"rejected: {skip[ordinal]}" if ordinal in skip else pages[ordinal])
        watch.end()
    return out


def act(page: str, log: Path, ordinal: int, only: int | None) -> None:
    """The misdeeds."""
    what, _, argument = page.partition(" ")
    match what:
        case "loop":
            while True:
                pass
        case "regex":
            EVIL.match("a" * 64 + "b")  # centuries, in C, and the interpreter lock is not given back
        case "memory":
            hog = []
            while True:
                hog.append(b"x" * (8 << 20))
                time.sleep(0.002)
        case "memoryerror":
            raise MemoryError
        case "exit":
            os._exit(int(argument))
        case "sysexit":
            sys.exit(int(argument))
        case "segfault":
            ctypes.string_at(0)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "kill-first":  # dies the first time it is met, as if killed from outside
            flag = log / f"met-{ordinal}"
            if not flag.exists():
                flag.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        case "kill-in-company":
            if only is None:
                os.kill(os.getpid(), signal.SIGKILL)
        case "sleep":
            time.sleep(float(argument))
        case "raise":
            raise ValueError(argument)
        case "wikiprep":
            raise WikiprepError("dump.xml: broken", "get another")
        case "unpicklable":
            raise _Stubborn(argument, 1)


class _Stubborn(Exception):
    """Pickles, but does not come back."""

    def __init__(self, what: str, number: int) -> None:
        super().__init__(what)


def die_at_start(payload: Path, watch: Watch, skip: Mapping[int, str], only: int | None) -> str:
    """Dies before any page, as often as the folder has no file `alive-N`."""
    note(payload, "start")
    if len(notes(payload)) < 3 or not (payload / "alive").exists():
        os._exit(7)
    return "alive"


def die_at_end(payload: Path, watch: Watch, skip: Mapping[int, str], only: int | None) -> str:
    """Dies when the pages are done."""
    watch.begin(0, 1, "Only page", 0, 0, 0)
    watch.end()
    os._exit(8)


def slow_start(payload: Path, watch: Watch, skip: Mapping[int, str], only: int | None) -> str:
    """Reads for long before its first page."""
    time.sleep(60)
    return "never"


def slow_end(payload: Path, watch: Watch, skip: Mapping[int, str], only: int | None) -> str:
    """Needs long after the last page: that is nobody's fault."""
    watch.begin(0, 1, "Only page", 0, 0, 0)
    watch.end()
    time.sleep(1.5)
    return "published"
