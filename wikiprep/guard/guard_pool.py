"""The guards of this process, lent to a unit at a time.

Not one a thread: an engine may give every unit to another thread (Beam's workers pass them around), and each guard's
child costs its imports, its tables and its warm tokenizer anew. So there are as many guards as units were ever worked
on at once here.
"""

import contextlib
import os
import threading
from collections.abc import Iterator

from wikiprep.guard.guard import Guard

_free: list[Guard] = []
_lock = threading.Lock()


@contextlib.contextmanager
def borrowed_guard(timeout: float, memory: int) -> Iterator[Guard]:
    """A guard that nobody else has meanwhile: the one given back last, whose child is the warmest, or a new one."""
    with _lock:
        guard = _free.pop() if _free else Guard(timeout, memory)
    guard.timeout, guard.memory = timeout, memory
    try:
        yield guard
    finally:
        with _lock:
            _free.append(guard)


def _forget() -> None:
    """A fork must not speak on its parent's lines, nor wait for a lock that some other thread of it held."""
    global _free, _lock
    _free, _lock = [], threading.Lock()


os.register_at_fork(after_in_child=_forget)
