"""A child process with a line to its parent: what the guard and the local pool both stand on.

Not multiprocessing.Process: that one imports the parent's `__main__` again (a script without its `if __name__` starts
itself over), refuses children of daemons, and forks by default. Here a fresh interpreter runs a function named by
import, and the two talk in pickles over a socket pair. The price is the start-up of an interpreter, some 50 ms and the
imports of the work, so a child is kept as long as it lives.

Its private memory can be read: what it alone holds, memory-mapped tables left out.
"""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikiprep.errors import WikiprepError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor  # only some engines need it

_PAGE = os.sysconf("SC_PAGE_SIZE")
_HAS_STATM = Path("/proc/self/statm").exists()
_PS_SECONDS = 1.0
# sys.path comes over the line, so that whatever the parent can import (a test's folder, a zip) the child can too.
# Whoever closes the line, dead or alive, wants no child any more, and none is to say a word about it. What cannot be
# imported is told, unless the parent is gone and has taken it along (a temporary folder, a zip).
_BOOT = """\
import os, sys
from multiprocessing.connection import Connection
line, parent = Connection(int(sys.argv[1])), int(sys.argv[2])
try:
    path = line.recv()
except (EOFError, OSError):
    os._exit(1)
try:
    sys.path[:] = path
    from wikiprep.guard.child_main import main
except BaseException:
    if os.getppid() != parent:
        os._exit(1)
    raise
main(line, parent)
"""


class MemoryMeter:
    """Reads the private memory of process `pid`.

    Linux: /proc, 20 microseconds a reading. Elsewhere: `ps`, which costs some milliseconds, so at most once a second,
    and gives the whole resident memory with shared pages in it.
    """

    def __init__(self, pid: int) -> None:
        self._statm = f"/proc/{pid}/statm"
        self._pid = pid
        self._last_reading_at = 0.0
        self._last_reading = 0

    def read(self) -> int:
        """Bytes; 0 for a process that is gone."""
        return self._from_proc() if _HAS_STATM else self._from_ps()

    def _from_proc(self) -> int:
        try:
            with open(self._statm, "rb") as file:  # noqa: PTH123 - read 20 times a second
                _, resident, shared, *_ = file.read().split()
        except (OSError, ValueError):
            return 0
        return (int(resident) - int(shared)) * _PAGE

    def _from_ps(self) -> int:
        now = time.monotonic()
        if now - self._last_reading_at >= _PS_SECONDS:
            self._last_reading_at = now
            completed = subprocess.run(["ps", "-o", "rss=", "-p", str(self._pid)], capture_output=True, text=True)
            self._last_reading = int(completed.stdout.strip() or 0) * 1024
        return self._last_reading


class ChildTraceback(Exception):
    """The traceback of an exception that was raised in a child; stands as the cause of the re-raised exception."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f'\n"""\n{self.text}"""'


class ChildError(Exception):
    """An exception of a child that could not travel as itself."""


class Child:
    """A process that runs `serve(line, *args)`; both must be picklable, `serve` a function of an importable module.

    `fds` stay open in the child under the same numbers. `name` is what `ps` shows. The child ends when this end of the
    line closes or when its parent dies (see `tether`); on Linux also when the THREAD that made it ends.
    """

    def __init__(
        self, name: str, serve: Callable[..., None], args: Sequence[Any] = (), fds: Sequence[int] = ()
    ) -> None:
        require_importable(serve)
        if not sys.executable:
            raise WikiprepError("cannot start a worker process: this Python does not know its own executable")
        self.line, child_end = Pipe()
        try:
            with _hold_interrupts():
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _BOOT, str(child_end.fileno()), str(os.getpid()), name],
                    stdin=subprocess.DEVNULL,
                    pass_fds=(child_end.fileno(), *fds),
                )
                self.pid = self._process.pid
                # A child that nobody closed must not outlive its owner, nor warn at exit.
                self._finalizer = weakref.finalize(self, _end, self._process, self.line)
        finally:
            child_end.close()
        with contextlib.suppress(OSError):  # it died at once; whoever listens sees the line's end
            self.line.send([os.path.abspath(p) for p in sys.path])  # noqa: PTH100 - links stay as they are
            self.line.send_bytes(pickle.dumps((serve, tuple(args))))

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> str:
        """Ends the process, if it has not ended itself, and says how it ended."""
        # The line closes as a process dies, a moment before its exit status can be had: do not kill what ends itself.
        if self.running:
            self._process.kill()
        status = self._process.wait()
        self.line.close()
        return how_ended(status)

    def ended(self) -> str:
        """Waits for a process whose line has closed, kills it if it goes on without, and says how it ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        return self.kill()

    def close(self, grace: float = 1.0) -> None:
        """Lets an idle child end by closing its line; kills it after `grace` seconds."""
        self.line.close()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_starter: "ThreadPoolExecutor | None" = None  # of one thread


def lasting_child(name: str, serve: Callable[..., None], args: Sequence[Any] = (), fds: Sequence[int] = ()) -> Child:
    """A child for whichever thread comes: made by a thread that lives as long as this process."""
    global _starter
    if threading.current_thread() is threading.main_thread():
        return Child(name, serve, args, fds)
    if _starter is None:
        from concurrent.futures import ThreadPoolExecutor

        _starter = ThreadPoolExecutor(1, "wikiprep-starter")
    return _starter.submit(Child, name, serve, args, fds).result()


def _forget() -> None:
    global _starter
    _starter = None  # a fork has none of its parent's threads


os.register_at_fork(after_in_child=_forget)


def how_ended(status: int) -> str:
    """`subprocess` return code -> words."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"killed by {name}"


def require_importable(function: Callable[..., Any]) -> None:
    """Raises TypeError for a function that a child could not import."""
    name, module = getattr(function, "__qualname__", ""), getattr(function, "__module__", None)
    if module == "__main__" or "<" in name:
        raise TypeError(f"{module}.{name} cannot be run in a worker process: it must stand in an importable module")


def pack_error(error: BaseException) -> tuple[str, bytes | None, str]:
    """An exception as a message: ("error", pickle or None, traceback)."""
    text = "".join(traceback.format_exception(error))
    try:
        data = pickle.dumps(error)
        pickle.loads(data)  # some exceptions pickle but do not come back
    except Exception:
        return "error", None, text
    return "error", data, text


def unpack_error(data: bytes | None, text: str) -> BaseException:
    """The exception to raise in the parent: of its own type, the child's traceback as its cause."""
    error: BaseException | None = None
    if data is not None:
        try:
            error = pickle.loads(data)
        except Exception:
            error = None
    if error is None:
        error = ChildError(text.strip().rpartition("\n")[2])
    if not isinstance(error, WikiprepError):
        error.__cause__ = ChildTraceback(text)
    return error


class _hold_interrupts:  # noqa: N801 - used as a function
    """Starts a child with SIGINT blocked until it ignores it: Ctrl-C is the parent's affair.

    The child stays in the terminal's process group, so that Ctrl-Z and a hang-up still reach it.
    """

    def __enter__(self) -> None:
        self._previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    def __exit__(self, *_: object) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self._previous_mask)


def _end(process: "subprocess.Popen[bytes]", line: "Connection[Any, Any]") -> None:
    if process.poll() is None:
        process.kill()
        process.wait()
    line.close()
