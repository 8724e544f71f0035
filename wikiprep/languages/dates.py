"""What parts of dates are called: short months and days, months of other calendars; as MediaWiki 1.39 has them.

`dates.jsonl` (generate_formats.py) has for each language what the first of those that it falls back on has not. It is
read when the first page asks for it: few do. Months and days in full: `words.Words.calendar`.
"""

import functools
from typing import Any

import orjson

from wikiprep.languages.language import DATA, language


@functools.cache
def _rows() -> dict[str, dict[str, Any]]:
    return {row["code"]: row for row in map(orjson.loads, (DATA / "dates.jsonl").read_bytes().splitlines())}


@functools.cache
def date_names(code: str, kind: str) -> tuple[str, ...]:
    """The names of one kind in a language.

    `short` (January first), `short_days` (Sunday first), `iranian`, `hijri`, `hebrew` and `hebrew_genitives` (14: Adar
    of common years is the sixth, those of leap years the last two).
    """
    own = language(code)
    rows = _rows()
    chain = (rows[c] for c in (code.lower(), own.code, *own.fallback, "en") if c in rows)
    return tuple(next(row[kind] for row in chain if kind in row))
