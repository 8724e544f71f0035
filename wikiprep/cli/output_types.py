"""The one rule for outputs.

"-" is standard output where a command can write there and refused elsewhere, never a file of that name; a name that
ends as another form does (out.csv, out.jsonl.gz) is refused; "~" is the home folder also where no shell has opened it
(--output=~/corpus).
"""

from pathlib import Path, PurePath
from typing import Any

import click

STREAM = "-"
# What the end of a name promises. A name without one, or with another (a date, a version), promises nothing.
_COMPRESSED = (".bz2", ".gz", ".xz", ".zip", ".zst")
_SUFFIXES = (
    *(".arrow", ".csv", ".db", ".htm", ".html", ".json", ".jsonl", ".npy", ".parquet", ".pdf", ".png", ".sqlite"),
    *(".sqlite3", ".svg", ".toml", ".tsv", ".xml", *_COMPRESSED),
)


def wrong_suffix(name: str, ends: tuple[str, ...]) -> tuple[str, str] | None:
    """Of a name that promises another form than `ends` do: what is wrong with it, and the right name."""
    suffix = PurePath(name).suffix
    lower_suffix = suffix.lower()
    if lower_suffix not in _SUFFIXES or lower_suffix in ends:
        return None
    bare = name.removesuffix(suffix)
    return f"what is written is no {lower_suffix.removeprefix('.')}", bare if bare.endswith(
        ends
    ) else f"{bare}{ends[0]}"


class Output(click.Path):
    """A file or folder to write; `what` it is, for people. `stream`: "-" is standard output; else it is a misuse.

    `ends`: of a name whose file has one form; without any the command itself looks at the name.
    """

    def __init__(self, what: str, *, stream: bool = False, file_okay: bool = True, ends: tuple[str, ...] = ()) -> None:
        super().__init__(file_okay=file_okay)
        self._what, self._stream, self._suffixes = what, stream, ends

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, with the home folder for "~"."""
        text = str(value)
        if text == STREAM and not self._stream:
            self.fail(f"a {self._what} is written, not standard output (one of that name is ./-)", param, ctx)
        if self._suffixes and (wrong := wrong_suffix(text, self._suffixes)):
            self.fail(": call it ".join(wrong), param, ctx)
        if text == "~" or text.startswith("~/"):
            value = str(Path(text).expanduser())
        return super().convert(value, param, ctx)


FOLDER, FILE = Output("folder", file_okay=False), Output("file")
FILE_OR_STREAM = Output("file", stream=True)
LINES = Output("file", stream=True, ends=(".jsonl", ".json"))
JSON = Output("file", stream=True, ends=(".json",))
HTML, ARROW, PNG = (Output("file", ends=ends) for ends in ((".html", ".htm"), (".arrow",), (".png",)))
PLACE = Output("folder")  # or an address such as s3://bucket/corpus; the build itself says what is wrong with a file
