"""For the fork server of a rank alone, as the first thing that it imports: what it and its workers leave unsaid.

Ctrl-C is the rank's affair; it is blocked until here (`fork_server.py`). And where the rank is gone, half of what it
was about to send is no news: multiprocessing would show the traceback of an EOFError.
"""

import os
import select
import signal
import sys
from types import TracebackType

from wikiprep.pretrain.data.fork_server import RANK

GOING_MILLISECONDS = 1000  # a process's files are closed a moment before it is no more

signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
try:
    _rank: int | None = os.pidfd_open(int(os.environ.pop(RANK)))
except ProcessLookupError:
    _rank = None


def _show_unless_rank_is_gone(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    if _rank is not None:
        poller = select.poll()
        poller.register(_rank, select.POLLIN)  # readable when the process is no more
        if not poller.poll(GOING_MILLISECONDS):
            sys.__excepthook__(kind, error, traceback)


sys.excepthook = _show_unless_rank_is_gone
