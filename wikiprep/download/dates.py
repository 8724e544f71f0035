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
    found = as_day(text)
    if found is None:
        raise UsageError(f"--date {text}: is no date", "give YYYYMMDD, such as 20261101, or latest")
    return found


def as_day(name: str) -> str | None:
    """A folder's name, 20261101 or 2026-11-01, as YYYY-MM-DD; None for what is no day of the calendar."""
    found = re.fullmatch(r"(\d{4})(-?)(\d\d)\2(\d\d)", name)
    if not found:
        return None
    try:
        return date(int(found[1]), int(found[3]), int(found[4])).isoformat()
    except ValueError:
        return None


def days(names: Iterable[str]) -> list[str]:
    """The days among names of folders, newest first."""
    return sorted({day for name in names if (day := as_day(name))}, reverse=True)


def compact(day: str) -> str:
    """YYYYMMDD."""
    return day.replace("-", "")


def nearest(wanted: str, there: Iterable[str]) -> list[str]:
    """Days by how near they are to `wanted`, the nearest first; of two as near, the later, which knows all of it."""
    middle = date.fromisoformat(wanted).toordinal()
    return sorted(there, key=lambda day: (abs(date.fromisoformat(day).toordinal() - middle), day < wanted, day))
