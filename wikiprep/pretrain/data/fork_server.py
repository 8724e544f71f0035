"""The start of the fork server, from which the processes come that read records.

multiprocessing would start it by itself, but open to Ctrl-C while it imports torch; and its tracker of resources warns
of semaphores that a killed rank has left, and removes them: neither is news beside the end of the rank.
"""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, resource_tracker

FIRST = "wikiprep.pretrain.data.in_fork_server"
RANK = "WIKIPREP_RANK"  # whose fork server it is
_SILENT = "ignore:resource_tracker:UserWarning"


def start_fork_server(preload: str) -> None:
    """Let one run, which imports the module `preload`, unless one does. Raises OSError as multiprocessing does."""
    multiprocessing.get_context("forkserver").set_forkserver_preload([FIRST, preload])
    with _quiet():
        resource_tracker.ensure_running()
    with _quiet():  # again: until Python 3.12 the tracker's start leaves SIGINT unblocked behind it
        forkserver.ensure_running()


@contextmanager
def _quiet() -> Iterator[None]:
    """What is started here has SIGINT blocked, and finds our variables in its environment, which then is as it was."""
    previous = {name: os.environ.get(name) for name in (RANK, "PYTHONWARNINGS")}
    signal_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        os.environ[RANK] = str(os.getpid())
        # Of two that fit, the later one counts.
        os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (previous["PYTHONWARNINGS"], _SILENT)))
        yield
    finally:
        for name, value in previous.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        signal.pthread_sigmask(signal.SIG_SETMASK, signal_mask)
