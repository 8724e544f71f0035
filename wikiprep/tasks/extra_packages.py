"""Packages of an extra, imported when they are asked for: where one is missing the error says how to get it."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

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


def must_have(extra: str, *packages: str) -> None:
    """Raises UsageError where one of these is not installed: before long work, without a long import."""
    missing = next((package for package in packages if find_spec(package) is None), None)
    if missing is not None:
        raise UsageError(f"{missing} is not installed", f'pip install "wikiprep[{extra}]"')
