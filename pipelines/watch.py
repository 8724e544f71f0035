"""Looks after a Beam job from beside: tells how far it is, and ends the wait where no worker ever starts.

A runner whose workers cannot start (no worker pool, a Python without Beam in it) waits for them without a word, and
some give control back only at the end; so this is a thread, and an interrupt is its way to end the wait.
"""

import contextlib
import os
import signal
import threading
import time
from typing import Self

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.local.observer import Observer

POLL_SECONDS = 1.0


class Watch:
    """Reads a file of the output that the workers write to: see `graph.py`. `seconds`: for the first to start."""

    def __init__(self, store: Store, witness: str, observer: Observer, runner: str, seconds: float) -> None:
        self.error: WikiprepError | None = None
        self._store, self._witness, self._observer = store, witness, observer
        self._runner, self._seconds = runner, seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="wikiprep-watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        begun, told = time.monotonic(), b""
        while not self._over.wait(POLL_SECONDS):
            now = told
            with contextlib.suppress(OSError, WikiprepError):
                now = self._store.read(self._witness)
            if now != told:
                told = now
                self._observer.note(told.decode().strip())
            if not told and time.monotonic() - begun > self._seconds:
                self.error = WikiprepError(
                    f"{self._runner}: no worker has started within {self._seconds:g} s",
                    "can the runner reach its workers, and can their Python import apache_beam and wikiprep? "
                    "The worker pool's own output says more (docs/cluster.md)",
                )
                os.kill(os.getpid(), signal.SIGINT)
                return
