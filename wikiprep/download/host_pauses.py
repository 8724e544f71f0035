"""Manners towards hosts: at most two connections to one, and none before the time that it asked to be left alone until.

dumps.wikimedia.org allows three an address (its front page says), and another program here may want one too. How long
one is left alone: growing pauses, and what it asks for itself (RFC 9110, 10.2.3: Retry-After).
"""

import contextlib
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

CONNECTIONS = 2
LONGEST = 300.0  # seconds; what a server asks for may be longer
PATIENCE = 3600.0  # a server that asks for more is not waited for


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


def pause(failures: int, first: float) -> float:
    """Seconds before the next try after `failures` in a row (1, 2, …): twice as long each time, up to five minutes."""
    return min(LONGEST, first * float(2 ** min(failures - 1, 16)))


def retry_after_seconds(header: str | None, now: datetime | None = None) -> float:
    """Seconds that a Retry-After header asks for, as a number or a date; 0 where it says nothing that can be read."""
    text = (header or "").strip()
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return 0.0
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())
