"""The date in the name of a dump's file."""

import re


def dump_date(name: str) -> str | None:
    """The date in a dump's file name (enwiki-20260901-…), as YYYY-MM-DD; None where there is none."""
    match = re.search(r"(?:^|-)(\d{4})-?(\d{2})-?(\d{2})-", name)
    return "-".join(match.groups()) if match else None
