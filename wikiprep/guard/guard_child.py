"""The guard's child: runs one request after another, until its line ends."""

import gc
import os
import pickle
from multiprocessing.connection import Connection
from typing import Any

from wikiprep.guard.child import pack_error
from wikiprep.guard.shared_memory import Board
from wikiprep.units.stage_rules import check_unchanged

# New objects before the garbage collector looks at them. Articles wait for their row group as many small objects, none
# in a cycle: with Python's own 700 the looking took a sixth of the time of a unit.
_COLLECT_AFTER = 100_000


def serve(line: "Connection[Any, Any]", board_fd: int) -> None:
    """Requests are pickles of (work, payload, skip, only, rules of the work).

    Answers are pickles of ("value", value), ("memory",) or `pack_error`.
    """
    os.set_inheritable(board_fd, False)
    board = Board(board_fd)
    gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])
    while True:
        request = line.recv_bytes()
        answer: bytes
        try:
            work, payload, skip, only, rules = pickle.loads(request)
            check_unchanged(work.__module__, rules)  # a child may begin long after its parent
            answer = pickle.dumps(("value", work(payload, board, skip, only)))
        except MemoryError:
            # A limit of the system (ulimit, an allocator) spoke before the guard did: the same case.
            answer = pickle.dumps(("memory",))
        except Exception as error:
            answer = pickle.dumps(pack_error(error))
        line.send_bytes(answer)
