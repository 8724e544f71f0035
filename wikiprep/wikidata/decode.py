"""From a line of the dump to the JSON objects on it: one, as in the dump itself, or a whole array.

Brackets and commas between entities are no content: they may stand at either end of a line, or on lines of their own.
"""

from dataclasses import dataclass
from typing import Any

import orjson

_AROUND = b" \t\r\n,"
_BRACKETS = b"[]"
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Undecodable:
    """Why a line is none."""

    reason: str
    detail: str


def core(line: bytes) -> bytes:
    """The entities on a line without the brackets and commas around them; empty for a line of brackets alone.

    Only what can be read as JSON afterwards is taken off, so that a broken line stays broken.
    """
    text = line.strip(_AROUND)
    if text[:1] == b"{" and text[-1:] == b"}":
        return text
    if not text.strip(_AROUND + _BRACKETS):
        return b""
    text = text.lstrip(_AROUND + b"[") if text[:1] == b"[" else text
    # `}` can be followed by `]` of the array alone: an object ends with `}`.
    return text.rstrip(_AROUND + b"]") if text[:1] == b"{" and text[-1:] == b"]" and _ends_array(text) else text


def _ends_array(text: bytes) -> bool:
    return text.rstrip(_AROUND + b"]")[-1:] == b"}"


def decode(text: bytes) -> list[dict[str, Any]] | Undecodable:
    """The objects in what `core` left of a line."""
    if b"\0" in text:
        return Undecodable("NUL byte", f"{text.count(0)} of {len(text):,} bytes are NUL: {_excerpt(text)}")
    if text[:1] != b"{" or text[-1:] != b"}":
        missing = "beginning" if text[:1] != b"{" else "end"
        return Undecodable("cut line", f"its {missing} is missing: {_excerpt(text)}")
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError as error:
        problem = error
    try:
        array = orjson.loads(b"[" + text + b"]")
    except orjson.JSONDecodeError:
        # pos counts characters, of which there are none where the bytes are not UTF-8.
        return Undecodable("not JSON", f"{problem.msg} at character {problem.pos:,}: {_excerpt(text)}")
    if all(isinstance(entity, dict) for entity in array):
        entities: list[dict[str, Any]] = array
        return entities
    return Undecodable("not an object", f"an array with something else than objects: {_excerpt(text)}")


def _excerpt(text: bytes) -> str:
    beginning = text[:_SHOWN].decode("utf-8", "replace").replace("\0", "\ufffd")
    return beginning if len(text) <= _SHOWN else f"{beginning}…"
