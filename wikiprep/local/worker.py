"""A worker process of the local pool: takes one unit after another from its line, sends back progress and results."""

import pickle
import time
from multiprocessing.connection import Connection
from typing import Any

from wikiprep.guard.child import pack_error
from wikiprep.units.run_options import RunOptions

REPORT_SECONDS = 0.2


class LineReport:
    """A `Report` that sends at most five messages a second, whatever the unit tells."""

    def __init__(self, line: "Connection[Any, Any]") -> None:
        self._line = line
        self._sent = 0.0
        self.last = (0, 0, 0, "")

    def progress(self, *, pages: int, bytes_done: int, rejects: int, at: str = "") -> None:
        """See `Report`."""
        self.last = (pages, bytes_done, rejects, at)
        now = time.monotonic()
        if now - self._sent >= REPORT_SECONDS:
            self._sent = now
            self._line.send(("progress", self.last))


def serve(line: "Connection[Any, Any]", options: RunOptions) -> None:
    """Requests: pickles of (run, unit). Answers: ("progress", totals), then ("result", result, totals) or an error."""
    while True:
        request = line.recv_bytes()
        report = LineReport(line)
        answer: bytes
        try:
            run, unit = pickle.loads(request)
            result = run(unit, report, options)
            answer = pickle.dumps(("result", result, report.last))
        except Exception as error:
            answer = pickle.dumps(pack_error(error))
        line.send_bytes(answer)
