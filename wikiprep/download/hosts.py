"""Manners towards hosts: at most two connections to one, and none before the time that it asked to be left alone until.

dumps.wikimedia.org allows three an address (its front page says), and another program here may want one too.
"""

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

CONNECTIONS = 2


class Hosts:
    """Of one command; threads share it. `wait` sleeps so many seconds, and raises where the command ends."""

    def __init__(self, wait: Callable[[float], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._wait = wait
        self._clock = clock
        self._lock = threading.Lock()
        self._slots: defaultdict[str, threading.Semaphore] = defaultdict(lambda: threading.Semaphore(CONNECTIONS))
        self._not_before: dict[str, float] = {}

    @contextlib.contextmanager
    def connection(self, host: str) -> Iterator[None]:
        """Hold one of the host's connections: from the request to the last byte of its answer."""
        with self._lock:
            slot = self._slots[host]
        while not slot.acquire(timeout=0.2):
            self._wait(0.0)
        try:
            while (remaining := self._not_before.get(host, 0.0) - self._clock()) > 0:
                self._wait(remaining)
            yield
        finally:
            slot.release()

    def leave_alone(self, host: str, seconds: float) -> None:
        """Ask nothing of the host for so long, on neither connection."""
        with self._lock:
            self._not_before[host] = max(self._not_before.get(host, 0.0), self._clock() + seconds)
