"""Looks after a Beam job from beside: tells how far it is, and ends the wait where no worker starts, or one has died.

A runner whose workers cannot start (no worker pool, a Python without Beam in it) waits for them without a word, and
FnApiRunner at times does so for a worker process that was killed. Some give control back only at the end; so this is a
thread, and an interrupt is its way to end the wait.
"""

import contextlib
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Self

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.pipelines.failures import WorkersLost
from wikiprep.units.observer import Observer

POLL_SECONDS = 1.0
GRACE_SECONDS = 3.0  # for the runner to tell of a dead worker by itself
# What FnApiRunner's thread of a worker says when it dies of SIGKILL, SIGABRT, SIGSEGV, of which a shell may make 137, …
_DIED = re.compile(r"exited with return code (?:-(?:9|6|11)|137|134|139)\b")
# A process that was told to end; connections that were closed while a thread of gRPC's still looked at them.
_OF_NO_INTEREST = re.compile(
    r"exited with return code|^(?:RpcError|_MultiThreadedRendezvous|_InactiveRpcError)|"
    r"Cannot monitor channel state: Channel closed"
)
_NEVER_RAN = re.compile(r"exited with return code (?:1|126|127)\b")  # its Python could not be started, or not import


class OutputWatch:
    """Reads a file of the output that the workers write to: see `graph.py`. `seconds`: for the first to start."""

    def __init__(self, store: Store, witness: str, observer: Observer, runner: str, seconds: float) -> None:
        self.error: WikiprepError | None = None
        self._store, self._witness, self._observer = store, witness, observer
        self._runner, self._seconds = runner, seconds
        self._over = threading.Event()
        self._death: tuple[float, str] | None = None
        self._hook = threading.excepthook
        self._thread = threading.Thread(target=self._poll, name="wikiprep-watch", daemon=True)

    def __enter__(self) -> Self:
        threading.excepthook = self._on_thread_error
        self._previous_handler = signal.signal(signal.SIGUSR1, _interrupt)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # After an interrupt the runner's threads lose their server one by one, until the process ends.
        threading.excepthook = _say_nothing if kind is KeyboardInterrupt else self._hook
        self._over.set()
        self._thread.join()
        signal.signal(signal.SIGUSR1, self._previous_handler)

    def _poll(self) -> None:
        start_time, last_content = time.monotonic(), b""
        while not self._over.wait(POLL_SECONDS):
            content = last_content
            with contextlib.suppress(OSError, WikiprepError):
                content = self._store.read(self._witness)
            if content != last_content:
                last_content = content
                self._observer.note(last_content.decode().strip())
            if not last_content and time.monotonic() - start_time > self._seconds:
                self._end(
                    f"no worker has started within {self._seconds:g} s: the runner has the job, and no unit began",
                    "on a machine that is merely busy --start-timeout SECONDS waits longer; else: can the runner reach "
                    "its workers, and can their Python import apache_beam and wikiprep? The worker pool's own output "
                    "says more (wikiprep docs cluster)",
                )
            elif self._death and time.monotonic() - self._death[0] > GRACE_SECONDS:
                never_ran = _NEVER_RAN.search(self._death[1])
                self._end(
                    f"a worker process died ({self._death[1]})",
                    f"can it be started by a shell? `{sys.executable} -c 'import apache_beam, wikiprep'` (a path with "
                    "spaces cannot: make the environment elsewhere)"
                    if never_ran
                    else "look for an out-of-memory killer in the system's log; the same command goes on, finished "
                    "units are kept",
                    WikiprepError if never_ran else WorkersLost,
                )

    def _end(self, message: str, hint: str, kind: type[WikiprepError] = WikiprepError) -> None:
        self.error = kind(f"{self._runner}: {message}", hint)
        self._over.set()
        os.kill(os.getpid(), signal.SIGUSR1)
        _end_workers()

    def _on_thread_error(self, args: threading.ExceptHookArgs) -> None:
        """An error in one of the runner's threads: it is told at the end, in a line."""
        if _DIED.search(str(args.exc_value)) or _NEVER_RAN.search(str(args.exc_value)):
            self._death = time.monotonic(), str(args.exc_value)
        elif not _OF_NO_INTEREST.search(f"{args.exc_type.__name__}: {args.exc_value}"):
            self._hook(args)


def _say_nothing(args: threading.ExceptHookArgs) -> None:
    pass


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _end_workers() -> None:
    """FnApiRunner waits at exit for its other worker processes, and they for it. Where there is no /proc: not done."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            parent = int(process.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"sdk_worker_main" in process.joinpath("cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
