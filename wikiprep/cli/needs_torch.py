"""Commands on models import torch, which an installation of wikiprep alone lacks: said in a line, with the way out."""

from collections.abc import Iterator
from contextlib import contextmanager

from wikiprep.errors import UsageError

OURS = ("torch", "safetensors")


@contextmanager
def needs_torch() -> Iterator[None]:
    """Around the imports of a command. Raises UsageError where one of the packages of `wikiprep[train]` is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in OURS:
            raise
        raise UsageError(f"{package} is not installed", 'pip install "wikiprep[train]"') from error
