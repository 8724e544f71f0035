"""The one rule for outputs: "-" is standard output where a command can write there and refused elsewhere, never a file
of that name; "~" is the home folder also where no shell has opened it (--output=~/corpus)."""

from pathlib import Path
from typing import Any

import click

STREAM = "-"


class Output(click.Path):
    """A file or folder to write; `what` it is, for people. `stream`: "-" is standard output; else it is a misuse."""

    def __init__(self, what: str, *, stream: bool = False, file_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay)
        self._what, self._stream = what, stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, with the home folder for "~"."""
        text = str(value)
        if text == STREAM and not self._stream:
            self.fail(f"a {self._what} is written, not standard output (one of that name is ./-)", param, ctx)
        if text == "~" or text.startswith("~/"):
            value = str(Path(text).expanduser())
        return super().convert(value, param, ctx)


FOLDER, FILE = Output("folder", file_okay=False), Output("file")
FILE_OR_STREAM = Output("file", stream=True)
PLACE = Output("folder")  # or an address such as s3://bucket/corpus; the build itself says what is wrong with a file
