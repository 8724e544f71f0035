"""What a run says: log.jsonl (every number, one event a line), the terminal, and boards if asked for.

Only rank 0 writes. When a run goes on from a checkpoint, lines of steps behind it are taken out, so that the file
holds each step once, as if there had been no break; an event says where the break was.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from rich.console import Group, RenderableType
from rich.text import Text

from wikiprep.files import whole_file
from wikiprep.pretrain.metric_boards import boards_of
from wikiprep.terminal.screen import screen_for
from wikiprep.terminal.wording import clock

LOG = "log.jsonl"


class RunLog:
    """The log of a run that has done `step` steps."""

    def __init__(
        self, folder: Path, step: int, total: int, *, tensorboard: bool = False, wandb: str = "", quiet: bool = False
    ) -> None:
        self._screen = screen_for(quiet, redirect=True)
        self._first_step, self._total_steps, self._start_time = step, total, time.monotonic()
        self._boards = boards_of(folder, step, tensorboard=tensorboard, wandb=wandb)
        if (folder / LOG).exists():
            _cut(folder / LOG, step)
        self._file: IO[str] = (folder / LOG).open("a", encoding="utf-8")
        self._screen.begin(_State(self._progress(step), ""))

    def event(self, name: str, step: int, **values: Any) -> None:
        """Write an event."""
        self._file.write(json.dumps({"event": name, "step": step, **values}) + "\n")
        self._file.flush()
        numbers = {
            key: value
            for key, value in values.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }
        for board in self._boards:
            board.add(name, numbers, step)

    def show(self, step: int, text: str) -> None:
        """Show where the run stands, and the time left at the pace of this command so far, with all that it did.

        (rich's own column looks at the last half minute alone, in which few steps may be logged, or none.)
        """
        seconds_left = (
            (time.monotonic() - self._start_time) / max(1, step - self._first_step) * (self._total_steps - step)
        )
        progress = f"{self._progress(step)}  {clock(seconds_left)} left"
        self._screen.show(_State(progress, text))

    def _progress(self, step: int) -> str:
        return f"step {step:,} of {self._total_steps:,}  {step / max(1, self._total_steps):.0%}"

    def say(self, text: str) -> None:
        """Show a line that stays."""
        self._screen.note(text)

    def close(self) -> None:
        """Give the terminal back and close the files."""
        self._screen.keep()
        for board in self._boards:
            board.close()
        self._file.close()


class _State:
    """A `State` (terminal/screen.py): where a run stands, and what was logged last."""

    def __init__(self, progress: str, text: str) -> None:
        self._progress, self._text = progress, text

    def line(self) -> str:
        """See `State`."""
        return f"{self._progress}  {self._text}"

    def more(self) -> list[str]:
        """See `State`: nothing."""
        return []

    def picture(self, width: int) -> RenderableType:
        """What matters most on a line of its own, that a narrow terminal shows whole; losses below, folded."""
        return Group(Text(self._progress, no_wrap=True, overflow="crop"), Text(self._text))


def figures_in_words(figures: dict[str, float]) -> str:
    """A step's figures, as the log has them, in a line for the terminal."""
    parts = [f"{name.removeprefix('loss.')} {value:.4f}" for name, value in figures.items() if name.startswith("loss")]
    parts += [f"lr {figures['learning_rate']:.2e}", f"{figures['tokens_per_second']:,.0f} tokens/s"]
    parts += [f"({figures['padded_tokens_per_second']:,.0f} padded)"]
    parts += [f"wait {figures['data_wait']:.0%}"] + ([f"MFU {figures['mfu']:.0%}"] if "mfu" in figures else [])
    return "  ".join(parts)


def note_plainly(text: str) -> None:
    """A note before there is a log."""
    print(f"wikiprep: {text}", file=sys.stderr, flush=True)


def silent(text: str) -> None:
    """What ranks but the first do with notes."""


Note = Callable[[str], None]


def events_of(folder: Path, name: str) -> list[dict[str, Any]]:
    """The events of a run's log that have this name, in order; none where there is no log."""
    if not (folder / LOG).exists():
        return []
    lines = (json.loads(line) for line in (folder / LOG).read_text(encoding="utf-8").splitlines())
    return [event for event in lines if event["event"] == name]


def _cut(path: Path, step: int) -> None:
    """Take out lines of steps behind `step`, and a last line that a kill cut in half."""
    kept_lines = []
    for line in path.read_bytes().splitlines():
        try:
            if json.loads(line)["step"] <= step:
                kept_lines.append(line + b"\n")
        except (ValueError, KeyError, TypeError):
            continue
    with whole_file(path) as file:
        file.writelines(kept_lines)
