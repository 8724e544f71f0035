"""How long to leave a server alone: growing pauses, and what it asks for itself (RFC 9110, 10.2.3: Retry-After)."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 300.0  # seconds; what a server asks for may be longer
PATIENCE = 3600.0  # a server that asks for more is not waited for


def pause(failures: int, first: float) -> float:
    """Seconds before the next try after `failures` in a row (1, 2, …): twice as long each time, up to five minutes."""
    return min(LONGEST, first * float(2 ** min(failures - 1, 16)))


def retry_after_seconds(header: str | None, now: datetime | None = None) -> float:
    """Seconds that a Retry-After header asks for, as a number or a date; 0 where it says nothing that can be read."""
    text = (header or "").strip()
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return 0.0
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())
