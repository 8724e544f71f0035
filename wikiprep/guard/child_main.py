"""The first steps of a child process: tie it to its parent, then serve.

What ends a child whose parent is gone, from the first that works:
- Linux: the kernel's parent-death signal, whatever the child is doing (also in C code that holds the interpreter lock);
- everywhere: the end of its line, when it waits for work; and a thread that looks once a second whether the parent is
  still the same. On macOS a child in C code that never gives the lock back lives until it does.
"""

import contextlib
import ctypes
import os
import pickle
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from wikiprep.process import leave_pandas_out

PR_SET_PDEATHSIG = 1
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # malloc.h of glibc
KEPT_BYTES = 1 << 26
WATCH_SECONDS = 1.0
GOING_SECONDS = 0.25


def main(line: "Connection[Any, Any]", parent: int) -> None:
    """Reads (function, arguments) from the line of the process `parent` and runs the function until the line ends."""
    try:
        tether(parent)
        leave_pandas_out()
        # numpy's BLAS starts a thread for each core as it is imported, in every worker; nothing multiplies matrices.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        _keep_memory()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.set_inheritable(line.fileno(), False)  # children of this process must not keep the line open
        serve, args = pickle.loads(line.recv_bytes())
        _offer_to_oom_killer()
        # Output of the work goes to stderr: stdout may be somebody's data, or the protocol of an engine's worker.
        if _is_open(2):
            os.dup2(2, 1)
        serve(line, *args)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the parent closed the line or is gone
    except BaseException:
        # Half a message is an OSError like others. And what a parent that is gone took along with it, nobody misses.
        if not _is_parent_ending(parent):
            raise


def _is_parent_ending(parent: int) -> bool:
    """Whether the parent is gone, or ends now: its files are closed a moment before it is no more."""
    end = time.monotonic() + GOING_SECONDS
    while os.getppid() == parent:
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def _keep_memory() -> None:
    """Keep what a page frees for the next one.

    Else the kernel clears the same memory again for each, a twentieth of the time. Arrow's own pool would hold a second
    store of free memory, a quarter of a child's size.
    """
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # another libc than glibc
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(M_MMAP_THRESHOLD, KEPT_BYTES // 2)  # the largest that is allowed
            mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)


def tether(parent: int) -> None:
    """Makes this process end when its parent, of pid `parent`, ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # it died before the signal was ordered
        os._exit(1)
    threading.Thread(target=_watch, args=(parent,), name="tether", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)


def _offer_to_oom_killer() -> None:
    """Say whom the kernel should end when the machine runs out of memory: whose work can be repeated.

    A page's child before a worker, a worker before the driver.
    """
    path = Path("/proc/self/oom_score_adj")
    with contextlib.suppress(OSError, ValueError):
        path.write_text(str(min(1000, int(path.read_text()) + 300)))


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
