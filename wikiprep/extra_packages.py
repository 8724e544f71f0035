"""Packages of an extra, imported when they are asked for: where one is missing the error says how to get it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from wikiprep.errors import UsageError

OURS = ("torch", "safetensors", "pykeen")  # that commands on models import
# Whoever has set one of these has decided.
DECIDED = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


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


@contextmanager
def needs_torch(extra: str = "train") -> Iterator[None]:
    """Around the imports of a command. Raises UsageError where one of the packages of `wikiprep[EXTRA]` is missing."""
    wait_asleep()
    with needs_extra(extra, *OURS):
        yield


def wait_asleep() -> None:
    """Threads of torch wait for each other asleep, so that a busy machine computes instead. A user's own choice stays.

    To be called before torch is imported: its OpenMP reads the environment once. Threads of one operation meet at its
    end. GNU's OpenMP, which PyTorch for Linux uses, lets those that are early spin: on an idle machine that is the
    quicker. Where other processes want the cores too, the one that all wait for is not running, and its core is spent
    on spinning: an encoder layer of width 64 then took 2.9 times the CPU time and 2.2 times the wall time of one
    thread; asleep, 1.07 times both (benchmarks/waiting_threads.py, two cores with other load).
    """
    if not any(name in os.environ for name in DECIDED):
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
