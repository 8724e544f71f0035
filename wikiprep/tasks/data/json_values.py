"""JSON that people bring along: each value knows its place, so that an error names it ("dev.json: data[3].qas[0]").

A place that ends in ":" is a file or a line of it, any other is within.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from wikiprep.errors import WikiprepError
from wikiprep.tasks.examples import Span
from wikiprep.textlines import read_lines, read_whole


class Value:
    """A JSON value and its place. `form` is the hint of every error: how the file must be."""

    __slots__ = ("form", "place", "raw")

    def __init__(self, raw: Any, place: str, form: str) -> None:
        self.raw, self.place, self.form = raw, place, form

    def bad(self, what: str) -> WikiprepError:
        """An error at this place, to be raised."""
        return WikiprepError(f"{self.place.removesuffix(':')}: {what}", self.form)

    def has(self, name: str) -> bool:
        """Whether it is an object with this field, not null."""
        return isinstance(self.raw, dict) and self.raw.get(name) is not None

    def text(self, name: str) -> str:
        """A field that is a text."""
        value: str = self._typed_field(name, str, "text")
        return value

    def number(self, name: str) -> int:
        """A field that is a whole number."""
        value: int = self._typed_field(name, int, "whole number")
        return value

    def object(self, name: str) -> "Value":
        """A field that is an object."""
        return Value(self._typed_field(name, dict, "object"), self._inside(name), self.form)

    def list(self, name: str) -> "Value":
        """A field that is a list."""
        return Value(self._typed_field(name, list, "list"), self._inside(name), self.form)

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts."""
        values = self.list(name)
        for number, item in enumerate(values.raw):
            if not isinstance(item, str):
                raise Value(item, values._nth(number), self.form).bad("is not a text")
        return tuple(values.raw)

    def items(self) -> Iterator["Value"]:
        """The items of a list."""
        if not isinstance(self.raw, list):
            raise self.bad("is not a list")
        for number, item in enumerate(self.raw):
            yield Value(item, self._nth(number), self.form)

    def span(self, start: int, end: int, length: int, of: str) -> Span:
        """[start, end) of something of this length. Raises where it is empty or outside."""
        if not 0 <= start < end <= length:
            raise self.bad(f"[{start}, {end}) is no span of {of} of length {length}")
        return start, end

    def _typed_field(self, name: str, kind: type, kind_name: str) -> Any:
        value = self.raw.get(name) if isinstance(self.raw, dict) else None
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.bad(f'has no {kind_name} "{name}"')
        return value

    def _inside(self, name: str) -> str:
        return f"{self.place} {name}" if self.place.endswith(":") else f"{self.place}.{name}"

    def _nth(self, number: int) -> str:
        return f"{self.place} [{number}]" if self.place.endswith(":") else f"{self.place}[{number}]"


def read_json(path: Path, form: str) -> Value:
    """A whole file. Raises WikiprepError with the place where it is not JSON."""
    try:
        return Value(orjson.loads(read_whole(path)), f"{path}:", form)
    except orjson.JSONDecodeError as error:
        raise WikiprepError(f"{path}: not JSON ({error})", form) from error


def read_json_lines(path: Path, form: str) -> Iterator[Value]:
    """An object a line, at "file:line"."""
    for number, line in read_lines(path):
        try:
            value = Value(orjson.loads(line), f"{path}:{number}:", form)
        except orjson.JSONDecodeError as error:
            raise WikiprepError(f"{path}:{number}: not JSON ({error})", form) from error
        if not isinstance(value.raw, dict):
            raise value.bad("is not an object")
        yield value
