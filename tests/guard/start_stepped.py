"""The start of a child process, one step after another: at step AT its parent is ended, or closes the child's line.

As a script it is the parent: `start_stepped.py SIDE FILES HOW AT FOLDER`. SIDE, parent or child: whose steps. A step is
a line about to be run in FILES: `ours`, or `all` with those of the standard library around it. HOW, for a parent: KILL,
or the end of a SIGNAL to the whole process group, as a terminal sends it; HALF, killed in the middle of the message AT;
for a child: ended or closed. With AT = -1 nothing happens, and stderr says how many steps there are.
"""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from wikiprep.guard import child

PARENT_SIDE = {
    "ours": ("guard/child.py",),
    "all": ("guard/child.py", "multiprocessing/connection.py", "/subprocess.py"),
}
CHILD_SIDE = {
    "ours": ("<boot>", "guard/child_main.py", "start_stepped.py"),
    "all": ("<boot>", "guard/child_main.py", "start_stepped.py", "multiprocessing/connection.py"),
}
# In place of the interpreter: traces the boot as the child runs it, `python -P -c BOOT FD PARENT NAME`.
WRAPPER = """#!{python} -P
import sys
sys.path[:0] = [{tests!r}, {root!r}]
import start_stepped
start_stepped.step_child(sys.argv[3], sys.argv[4:], {files!r}, {how!r}, {at})
"""


def serve(line: Any) -> None:
    """Answers until the line ends."""
    while True:
        line.send_bytes(line.recv_bytes())


def stepped(files: tuple[str, ...], at: int, act: Callable[[], None]) -> list[int]:
    """From here on, `act` comes before the line number `at` that is run in `files`; how many there were so far."""
    count = [0]

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.endswith(files):
            return None
        if event == "line":
            if count[0] == at:
                count[0] += 1  # before, as it may raise
                act()
            else:
                count[0] += 1
        return trace

    sys.settrace(trace)
    return count


def step_child(boot: str, arguments: list[str], files: str, how: str, at: int) -> None:
    """The child's side."""
    fd, parent = int(arguments[0]), int(arguments[1])

    def ended() -> None:
        os.kill(parent, signal.SIGKILL)
        while os.getppid() == parent:
            time.sleep(0.001)

    def closed() -> None:
        os.kill(parent, signal.SIGUSR1)
        with contextlib.suppress(OSError):
            look = select.poll()
            look.register(fd, select.POLLRDHUP)
            look.poll()

    sys.argv = ["-c", *arguments]
    code = compile(boot, "<boot>", "exec")
    count = stepped(CHILD_SIDE[files], at, ended if how == "ended" else closed)
    try:
        exec(code, {"__name__": "__main__"})
    finally:
        if at < 0:
            print(count[0], flush=True, file=sys.__stderr__)


def half_of_message(number: int) -> None:
    """This process is killed in the middle of the message `number` that it sends."""
    sent = 0
    whole = Connection._send_bytes  # type: ignore[attr-defined]

    def send(line: Any, data: Any) -> None:
        nonlocal sent
        sent += 1
        if sent > number:
            os.write(line.fileno(), len(data).to_bytes(4, "big") + bytes(data[: len(data) // 2]))
            os.kill(os.getpid(), signal.SIGKILL)
        whole(line, data)

    Connection._send_bytes = send  # type: ignore[attr-defined]


def main(side: str, files: str, how: str, at: int, folder: str) -> None:
    """The parent. What it says of its own end is not looked at: all that stands in stderr is the child's."""
    if at >= 0:
        sys.excepthook = lambda *_: None
    if side == "child":
        with_stepped_child(files, how, at, Path(folder))
        return

    def act() -> None:
        os.kill(os.getpid(), signal.SIGKILL) if how == "KILL" else os.killpg(0, signal.Signals[f"SIG{how}"])

    if how == "HALF":
        half_of_message(at)
    count = stepped(PARENT_SIDE[files], -1 if how == "HALF" else at, act)
    it = child.Child("test", serve)
    sys.settrace(None)
    if at < 0:
        print(count[0], file=sys.stderr)
    it.line.send_bytes(b"request")
    it.line.recv_bytes()
    it.close()


def with_stepped_child(files: str, how: str, at: int, folder: Path) -> None:
    """Starts a child that goes by steps, and waits for its end."""
    wrapper = folder / f"python-{files}-{how}-{at}"
    tests, root = str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])
    wrapper.write_text(WRAPPER.format(python=sys.executable, tests=tests, root=root, files=files, how=how, at=at))
    wrapper.chmod(0o700)
    sys.executable = str(wrapper)
    made: list[child.Child] = []

    def close(*_: object) -> None:
        made[0].line.close()

    signal.signal(signal.SIGUSR1, close)
    made.append(child.Child("test", serve))
    with contextlib.suppress(EOFError, OSError):
        made[0].line.send_bytes(b"request")
        made[0].line.recv_bytes()
        if at >= 0:
            made[0].line.recv_bytes()  # nothing comes
    made[0].line.close()
    made[0]._process.wait()


if __name__ == "__main__":
    import start_stepped  # a child imports `serve` by name

    start_stepped.main(*sys.argv[1:4], int(sys.argv[4]), sys.argv[5])
