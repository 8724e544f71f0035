"""A state that is drawn in place on a terminal. Nothing runs in a thread: whoever has a state draws it."""

import atexit
import time
from typing import IO, cast

from rich.console import Console
from rich.live import Live
from rich.text import Text

from wikiprep.terminal.screen import Clock, Screen, State
from wikiprep.terminal.streams import SafeStream
from wikiprep.terminal.wording import printable

DRAW_SECONDS = 0.25


class Bar(Screen):
    """A `Screen` that draws."""

    seconds = DRAW_SECONDS

    def __init__(self, stream: SafeStream, clock: Clock = time.monotonic, *, redirect: bool = False) -> None:
        super().__init__(clock)
        self.console = Console(file=cast(IO[str], stream), highlight=False, force_jupyter=False)
        if self.console.width < 1:  # COLUMNS=0
            self.console.width = 80
        self._redirect = redirect
        self._live: Live | None = None
        atexit.register(self.clear)  # whatever ends the command, the cursor comes back

    def note(self, text: str) -> None:
        """See `Screen`; above the drawing."""
        self.console.print(Text(printable(text)), soft_wrap=True)  # the terminal wraps; a log of it does not

    def finished(self, text: str) -> None:
        """See `Screen`."""
        self.note(text)

    def begin(self, state: State) -> None:
        """See `Screen`."""
        super().begin(state)
        self.show(state)

    def show(self, state: State) -> None:
        """See `Screen`."""
        picture = state.picture(self.console.width)
        if self._live is not None:
            self._live.update(picture, refresh=True)
            return
        self._live = Live(
            picture,
            console=self.console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=self._redirect,
            redirect_stderr=self._redirect,
            vertical_overflow="crop",
        )
        self._live.start(refresh=True)

    def clear(self) -> None:
        """See `Screen`; shows the cursor again."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def keep(self) -> None:
        """See `Screen`."""
        if self._live is not None:
            self._live.transient = False
        self.clear()
