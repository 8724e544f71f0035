"""Packages of an extra, imported when they are asked for: where one is missing the error says how to get it."""

from collections.abc import Iterator
from contextlib import contextmanager

from wikiprep.errors import UsageError


@contextmanager
def needs_extra(extra: str, *packages: str) -> Iterator[None]:
    """Around an import. Raises UsageError where one of these packages (as they are imported) is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in packages:
            raise
        raise UsageError(f"{package} is not installed", f'pip install "wikiprep[{extra}]"') from error
