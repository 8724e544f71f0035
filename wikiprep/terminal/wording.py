"""How a tally, a time and bytes read: the same words on a terminal and in a log. ASCII only, but for titles."""

from wikiprep.progress import BYTES
from wikiprep.terminal.tally import StalledUnit, Tally

MB = 1e6
# Of a download, decimal as disks and dumps.wikimedia.org have them: 46.4 GB.
_UNITS = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))


def clock(seconds: float) -> str:
    """1:02:03 of seconds."""
    whole = int(seconds + 0.5)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def plural(number: int, word: str) -> str:
    """1 unit, 2 units."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def size(done: int, total: int | None = None) -> str:
    """1.2 MB, or 1.2 of 3.4 MB; kB where the whole is under a megabyte."""
    unit, name = (MB, "MB") if (done if total is None else total) >= MB else (MB / 1000, "kB")
    return f"{done / unit:,.1f} {name}" if total is None else f"{done / unit:,.1f} of {total / unit:,.1f} {name}"


def counts(tally: Tally) -> str:
    """Pages, MB, rate, rejects and units of a running stage; what is unknown or nothing is left out."""
    parts = []
    if tally.measure not in ("", BYTES):
        pace = f", {tally.rate:,.0f}/s" if tally.new_bytes and tally.elapsed >= 1 else ""
        latest = f", {printable(tally.latest)}" if tally.latest else ""
        done = f"{tally.bytes_done:,} of {plural(tally.weight, tally.measure)}"
        return f"{done if tally.weight else plural(tally.bytes_done, tally.measure)}{pace}{latest}"
    if tally.pages:
        parts.append(plural(tally.pages, "page"))
    if tally.weight:
        parts.append(size(tally.bytes_done, tally.weight))
    if tally.new_bytes and tally.elapsed >= 1:
        parts.append(f"{tally.rate / MB:,.2f} MB/s")
    if tally.rejects:
        parts.append(plural(tally.rejects, "reject"))
    if tally.latest:
        parts.append(printable(tally.latest))
    if not tally.measure:
        parts.append(f"{tally.done:,} of {plural(tally.units, 'unit')}")
    return ", ".join(parts)


def line(tally: Tally) -> str:
    """All of it, for a log."""
    return ": ".join(part for part in (name(tally), time_left_text(tally), counts(tally)) if part)


def name(tally: Tally) -> str:
    """The stage, and which of how many it is."""
    return f"{tally.stage} ({tally.number} of {len(tally.stages)})" if tally.number else tally.stage


def time_left_text(tally: Tally) -> str:
    """Percentage and time left, of the stage and, roughly, of all; nothing of a command whose work has no known end."""
    if is_endless(tally):
        return ""
    seconds, whole = tally.time_left, tally.whole_left
    parts = [f"{100 * tally.fraction:.0f} %"] + ([f"{clock(seconds)} left"] if seconds is not None else [])
    return ", ".join(parts + ([f"about {clock(whole)} of the whole build"] if whole is not None else []))


def is_endless(tally: Tally) -> bool:
    """Whether it is of a command whose work has no known end."""
    return bool(tally.measure) and not tally.weight


def stalled_line(it: StalledUnit) -> str:
    """The line about a unit that stands still."""
    place = f", at {printable(it.at)!r}" if it.at else ""
    return f"{it.unit} stands still: no news for {clock(it.age)}{place}"


def finished_line(tally: Tally) -> str:
    """The line that stays when a stage is done."""
    parts = [plural(tally.units, "unit") + (f" ({tally.skipped:,} from an earlier run)" if tally.skipped else "")]
    if tally.pages:
        parts.append(plural(tally.pages, "page"))
    if tally.new_bytes:
        parts.append(size(tally.new_bytes))
        if tally.elapsed >= 1:
            parts.append(f"{tally.rate / MB:,.2f} MB/s")
    if tally.rejects:
        parts.append(plural(tally.rejects, "reject"))
    return f"{name(tally)}: {', '.join(parts)}, in {clock(tally.elapsed)}"


def printable(text: str) -> str:
    """Without control characters, which could move a terminal's cursor; line breaks stay."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def amount(count: float) -> str:
    """Decimal units, as disks and dumps.wikimedia.org have them."""
    name, unit = _unit(count)
    return f"{count / unit:.1f} {name}" if unit > 1 else f"{int(count)} bytes"


def share(part: float, whole: float) -> str:
    """12.3 of 46.4 GB."""
    name, unit = _unit(whole)
    return f"{part / unit:.1f} of {whole / unit:.1f} {name}" if unit > 1 else f"{int(part)} of {int(whole)} bytes"


def _unit(count: float) -> tuple[str, float]:
    return next(((name, unit) for name, unit in _UNITS if count >= unit), ("bytes", 1))
