"""For tests that start scripts, kill them, and look for what is left running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]


def script(path: Path, *arguments: object) -> "subprocess.Popen[bytes]":
    """Runs a script on this source tree, in a process group of its own, with its stderr in a pipe."""
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, str(path), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,
        stderr=subprocess.PIPE,
        preexec_fn=heeding,
    )


def heeding() -> None:
    """In a child, before its program: signals do what they do by default. Children of `nohup`, and of a shell that put
    the tests into the background, are born with some of them ignored, and no test could end them so."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Waits, patiently, because the machine may be busy; whether the condition came true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
