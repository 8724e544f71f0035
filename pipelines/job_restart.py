"""A job whose engine lost processes begins again on what is missing: finished units are known by their receipts.

In a process of its own: an engine that was cut off leaves threads, servers and connections behind that the next one
would meet.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.pipelines.failures import WorkersLost
from wikiprep.pipelines.runners import SPARK
from wikiprep.runtime.reconcile import Policy
from wikiprep.units.job import Job
from wikiprep.verbosity import Verbosity, set_verbosity, verbosity

_BOOT = "from wikiprep.pipelines.job_restart import main; main()"


@dataclass(frozen=True)
class Attempt:
    """All that another process needs. The first decided what changed options redo."""

    runner: str
    arguments: tuple[str, ...]
    job: Job
    options: RunOptions
    preset: str
    command: tuple[str, ...] = field(default_factory=lambda: tuple(sys.argv))
    verbosity: Verbosity = field(default_factory=verbosity)


def go_on(
    workers_lost: WorkersLost, attempt: Attempt, once: "Callable[[Attempt], WikiprepError | None] | None" = None
) -> None:
    """Begin the job again, as often as `attempt.options.retries` says. Raises the last error. `once`: for tests."""
    for number in range(1, attempt.options.retries + 1):
        print(
            f"wikiprep: {workers_lost.what}; begins again on what is missing ({number} of {attempt.options.retries})",
            file=sys.stderr,
            flush=True,
        )
        error = (once or _run_attempt)(attempt)
        if error is None:
            return
        if not isinstance(error, WorkersLost):
            raise error
        workers_lost = error
    raise workers_lost


def _run_attempt(attempt: Attempt) -> WikiprepError | None:
    reader, writer = os.pipe()
    command = [sys.executable, "-c", _BOOT, str(writer)]
    with os.fdopen(reader, "rb") as line:
        try:
            path = os.pathsep.join(filter(None, sys.path))
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, pass_fds=(writer,), env=os.environ | {"PYTHONPATH": path}
            )
        finally:
            os.close(writer)
        with process:
            try:
                process.communicate(pickle.dumps(attempt))
                reply = line.read()
            except BaseException:
                process.terminate()
                raise
    if reply:
        error: WikiprepError | None = pickle.loads(reply)
        return error
    return WorkersLost(f"{attempt.runner}: the process that began again ended with {process.returncode}")


def main() -> None:
    """In the other process: build, and say how it ended."""
    attempt: Attempt = pickle.load(sys.stdin.buffer)
    sys.argv[1:], line = attempt.command[1:], int(sys.argv[1])
    set_verbosity(attempt.verbosity)
    error: Any = None
    try:
        engine = import_module("wikiprep.pipelines.spark" if attempt.runner == SPARK else "wikiprep.pipelines.beam")
        engine.build(attempt.runner, attempt.arguments, attempt.job, attempt.options, Policy.REFUSE, attempt.preset)
    except WikiprepError as caught:
        error = caught
    with os.fdopen(line, "wb") as pipe:
        pipe.write(pickle.dumps(error))
