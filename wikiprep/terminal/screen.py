"""One way to show how far something is, for builds, downloads, trainings and other commands.

What differs between a terminal, a notebook and a log is here and in `bar.py`, what is shown is a `State`.

Where nothing else is asked for: a bar that is drawn anew on a terminal; one line that is written over in a notebook,
which knows no way up the screen; lines, now and then, in logs and pipes.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import IO, TYPE_CHECKING, Protocol

from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint
from wikiprep.terminal.streams import SafeStream
from wikiprep.terminal.wording import printable
from wikiprep.verbosity import Verbosity, verbosity

if TYPE_CHECKING:
    from rich.console import RenderableType

VARIABLE = "WIKIPREP_PROGRESS"
_AUTO = "auto"
# What jupyter_client gives a kernel, and so all that it starts; `!wikiprep` has a terminal that is none (pexpect's).
_KERNEL = "JPY_PARENT_PID"
Clock = Callable[[], float]
LINE_SECONDS, REWRITE_SECONDS = 10.0, 2.0  # a notebook run without anybody keeps every state of its line in its file


class Mode(StrEnum):
    """By the name that the variable takes."""

    BAR = "bar"
    NOTEBOOK = "notebook"
    LINES = "lines"
    NONE = "none"


def mode_of(stream: SafeStream, environment: Mapping[str, str] | None = None) -> Mode:
    """The mode for `stream`, unless --quiet. Raises UsageError where the environment asks for one that is none."""
    environment = os.environ if environment is None else environment
    name = environment.get(VARIABLE) or _AUTO
    if name != _AUTO:
        if name not in _NAMES:
            raise UsageError(f"{VARIABLE}={name}: no such way to show progress", names_hint("ways", name, _NAMES))
        return Mode(name)
    if verbosity() is Verbosity.VERBOSE:  # lines can be kept, and read later
        return Mode.LINES
    if stream.of_kernel:
        return Mode.NOTEBOOK
    if not stream.isatty() or environment.get("TERM", "") in ("", "dumb", "unknown"):
        return Mode.LINES
    return Mode.NOTEBOOK if _KERNEL in environment else Mode.BAR


_NAMES = (_AUTO, *(mode.value for mode in Mode))


class State(Protocol):
    """How far something is, asked when it is time to show it."""

    def line(self) -> str:
        """In one line."""

    def more(self) -> Sequence[str]:
        """Lines on what needs a look."""

    def picture(self, width: int) -> "RenderableType":
        """For a terminal of `width` columns; rich takes long to import, and a log does not need it."""


class Screen:
    """Shows nothing at all: --quiet. `note` may be called from any thread, the others from one."""

    seconds = LINE_SECONDS  # between states
    at_once = False  # whether the first state is shown at the first `tick`

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._last_shown = clock()

    def note(self, text: str) -> None:
        """A line, or lines, that stay."""

    def finished(self, text: str) -> None:
        """A line that stays, of something that is done: of interest where progress is."""

    def begin(self, state: State) -> None:
        """Something of its own begins."""
        self._last_shown = self._clock() - (self.seconds if self.at_once else 0.0)

    def tick(self, state: State) -> None:
        """Shows the state, if the last one is old enough."""
        now = self._clock()
        if now - self._last_shown >= self.seconds:
            self._last_shown = now
            self.show(state)

    def show(self, state: State) -> None:
        """Shows the state now."""

    def clear(self) -> None:
        """Takes the state away and leaves the terminal as it was. May come twice."""

    def keep(self) -> None:
        """The last state stays; nothing follows."""
        self.clear()


class Notes(Screen):
    """What must be read, and no progress."""

    def __init__(self, stream: SafeStream, clock: Clock = time.monotonic) -> None:
        super().__init__(clock)
        self._stream = stream
        self._lock = threading.Lock()

    def note(self, text: str) -> None:
        """See `Screen`."""
        with self._lock:
            self._stream.write(printable(text) + "\n")
            self._stream.flush()


class Lines(Notes):
    """Lines now and then, for logs and pipes; no control characters."""

    def finished(self, text: str) -> None:
        """See `Screen`."""
        self.note(text)

    def show(self, state: State) -> None:
        """See `Screen`."""
        for line in (state.line(), *state.more()):
            self.note(line)


class OneLine(Lines):
    """One line that is written over, for notebooks: a carriage return is all that they know of a terminal."""

    at_once = True

    def __init__(self, stream: SafeStream, clock: Clock = time.monotonic) -> None:
        super().__init__(stream, clock)
        self.seconds = REWRITE_SECONDS
        self._line = RewrittenLine(stream)

    def note(self, text: str) -> None:
        """See `Screen`."""
        with self._lock:
            self._line.note(text)

    def show(self, state: State) -> None:
        """See `Screen`; of what needs a look the first."""
        with self._lock:
            self._line.write("; ".join([state.line(), *state.more()[:1]]))

    def clear(self) -> None:
        """See `Screen`."""
        with self._lock:
            self._line.clear()

    def keep(self) -> None:
        """See `Screen`."""
        with self._lock:
            self._line.end()


def screen_for(quiet: bool, stream: IO[str] | None = None, *, redirect: bool = False) -> Screen:
    """The screen for `stream` (default: stderr), by `mode_of`. `redirect`: what libraries print stands above a bar."""
    stream = stream or sys.stderr
    if quiet or stream is None:  # without any stderr, too
        return Screen()
    safe = SafeStream(stream)
    mode = mode_of(safe)
    if mode is Mode.BAR:
        from wikiprep.terminal.bar import Bar

        return Bar(safe, redirect=redirect)
    kinds: dict[Mode, type[Notes]] = {Mode.NOTEBOOK: OneLine, Mode.LINES: Lines, Mode.NONE: Notes}
    return kinds[mode](safe)


class RewrittenLine:
    """The last line of a stream, written over: `write` takes the place of what stands there, `note` stays above it."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream
        self._width = 0  # characters that stand there

    def write(self, text: str) -> None:
        """Without control characters, which would leave the line."""
        text = printable(text).replace("\n", " ")
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def note(self, text: str) -> None:
        """A line, or lines, in its place; the next state comes below."""
        start = f"\r{' ' * self._width}\r" if self._width else ""
        self._stream.write(f"{start}{printable(text)}\n")
        self._stream.flush()
        self._width = 0

    def end(self) -> None:
        """End the line, which stays."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0

    def clear(self) -> None:
        """Erase the line."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0
