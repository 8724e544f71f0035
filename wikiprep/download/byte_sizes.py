"""Bytes for people: 46.4 GB."""

_UNITS = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))


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
