"""Commands on models import torch, which an installation of wikiprep alone lacks: said in a line, with the way out."""

from collections.abc import Iterator
from contextlib import contextmanager

from wikiprep.errors import UsageError
from wikiprep.thread_waiting import wait_asleep

OURS = ("torch", "safetensors", "pykeen")


@contextmanager
def needs_torch(extra: str = "train") -> Iterator[None]:
    """Around the imports of a command. Raises UsageError where one of the packages of `wikiprep[EXTRA]` is missing."""
    wait_asleep()
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in OURS:
            raise
        raise UsageError(f"{package} is not installed", f'pip install "wikiprep[{extra}]"') from error
