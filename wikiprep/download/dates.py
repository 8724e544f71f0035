"""Dates of dumps: as a user writes them, as folders are named after them, and which of several is meant."""

import re
from collections.abc import Iterable
from datetime import date

from wikiprep.errors import UsageError

LATEST = "latest"


def parse_date(text: str) -> str:
    """`latest`, or the day as YYYY-MM-DD. Raises UsageError for what is no day."""
    if text == LATEST:
        return LATEST
    day = as_day(text)
    if day is None:
        raise UsageError(f"--date {text}: is no date", "give YYYYMMDD, such as 20261101, or latest")
    return day


def as_day(name: str) -> str | None:
    """A folder's name, 20261101 or 2026-11-01, as YYYY-MM-DD; None for what is no day of the calendar."""
    match = re.fullmatch(r"(\d{4})(-?)(\d\d)\2(\d\d)", name)
    if not match:
        return None
    try:
        return date(int(match[1]), int(match[3]), int(match[4])).isoformat()
    except ValueError:
        return None


def days(names: Iterable[str]) -> list[str]:
    """The days among names of folders, newest first."""
    return sorted({day for name in names if (day := as_day(name))}, reverse=True)


def compact(day: str) -> str:
    """YYYYMMDD."""
    return day.replace("-", "")


def nearest(wanted_date: str, there: Iterable[str]) -> list[str]:
    """Days by how near they are to `wanted_date`, the nearest first; of two as near, the later, which knows all."""
    middle = date.fromisoformat(wanted_date).toordinal()
    return sorted(there, key=lambda day: (abs(date.fromisoformat(day).toordinal() - middle), day < wanted_date, day))
