"""Wikitext that a person gives: one page as a file or standard input, or many as JSON lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from shlex import quote
from typing import Any

import orjson

from wikiprep.addresses import is_web
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.terminal.streams import standard_input
from wikiprep.textlines import PACKED, WIDE, compressed_suffix, read_lines

STDIN = "-"
LINES = (".jsonl", ".ndjson")
_FORM = 'a line is {"title": "…", "text": "…", "lang": "de"}; "text" must be there'


@dataclass(frozen=True, slots=True)
class PageIn:
    """A page as it was given; what its line does not say is "". `place` names file and line."""

    title: str
    text: str
    language: str
    place: str
    timestamp: str = ""


def holds_lines(path: str) -> bool:
    """Whether the name says that the file holds JSON lines: `.jsonl` or `.ndjson`, packed or not."""
    name = PurePosixPath(path)
    return (PurePosixPath(name.stem) if name.suffix.lower() in PACKED else name).suffix.lower() in LINES


def read_one(path: str) -> str:
    """The wikitext of a UTF-8 file, or of standard input for "-". Raises WikiprepError for what is no wikitext."""
    source_name = _source_name(path)
    if is_web(path):
        address = quote(f"{path}{'&' if '?' in path else '?'}action=raw")
        raise UsageError(f"{path}: is not read over the network", f"curl -sL {address} | wikiprep wikitext --lang en")
    try:
        raw = standard_input().read() if path == STDIN else Path(path).read_bytes()
    except (FileNotFoundError, IsADirectoryError) as error:
        raise UsageError(f"{source_name}: cannot be read ({error.strerror})", "check the path") from error
    except OSError as error:
        raise WikiprepError(f"{source_name}: cannot be read ({error.strerror})", "check the path") from error
    if raw[:200].lstrip(b"\xef\xbb\xbf \r\n").startswith((b"<mediawiki", b"<?xml")):
        hint = "for its pages: `wikiprep extract`, then `wikiprep inspect --page TITLE`"
        raise WikiprepError(f"{source_name}: is XML, not wikitext", hint)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(source_name, raw, error.start) from error


def read_pages(path: str) -> Iterator[PageIn]:
    """The pages of JSON lines, one at a time.

    Raises WikiprepError that names file and line; fields of other names are left alone.
    """
    source_name = _source_name(path)
    lines = enumerate(standard_input(), 1) if path == STDIN else read_lines(path)
    for number, raw in lines:
        if raw.strip():
            yield _parse_page(raw, f"{source_name}, line {number}")


def time_of(text: str) -> str:
    """A revision's time as a dump writes it, "" for "". Raises ValueError for what is no time."""
    if not text:
        return ""
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is no time such as 2026-11-02T10:00:00Z") from error


def _parse_page(raw: bytes, place: str) -> PageIn:
    try:
        raw.decode()
        fields = orjson.loads(raw)
    except UnicodeDecodeError as error:
        raise _not_utf8(place, raw, error.start) from error
    except orjson.JSONDecodeError as error:
        raise WikiprepError(f"{place}: not JSON ({error})", _FORM) from error
    if not isinstance(fields, dict):
        raise WikiprepError(f"{place}: not an object", _FORM)
    if "text" not in fields:
        raise WikiprepError(f'{place}: no "text" (fields found: {", ".join(fields) or "none"})', _FORM)
    title, text, lang, timestamp = (
        _string_field(fields, name, place) for name in ("title", "text", "lang", "timestamp")
    )
    try:
        return PageIn(title, text, lang, place, time_of(timestamp))
    except ValueError as error:
        raise WikiprepError(f"{place}: timestamp {error}", _FORM) from error


def _not_utf8(place: str, raw: bytes, at: int) -> WikiprepError:
    """What bytes are that are no UTF-8, as far as they show it themselves."""
    if kind := compressed_suffix(raw):
        hint = "unpack it first; a dump is not for this command: `wikiprep extract`, then `wikiprep inspect`"
        return WikiprepError(f"{place}: is packed ({kind}), not wikitext", hint)
    if raw.startswith(WIDE):
        return WikiprepError(f"{place}: is UTF-16, not UTF-8", "convert it: iconv -f UTF-16 -t UTF-8")
    hint = "save it as UTF-8; from Latin-1, for example: iconv -f LATIN1 -t UTF-8"
    return WikiprepError(f"{place}: not UTF-8 at byte {at}", hint)


def _string_field(fields: dict[str, Any], name: str, place: str) -> str:
    value = fields.get(name)
    if value is None and name != "text":
        return ""
    if not isinstance(value, str):
        raise WikiprepError(f"{place}: {name} is {orjson.dumps(value).decode()[:40]}, not a string", _FORM)
    return value


def _source_name(path: str) -> str:
    return "standard input" if path == STDIN else path
