"""moto's S3 server with faults in it: `faulty_moto.py PORT RULES`.

RULES is a JSON file, read at every request: a list of {"id": any text, "has": text in "METHOD path?query", "times": n,
"do": an answer's status or "slow"}. The faults are inside the server, not in a proxy before it: what pyarrow sends
(100-continue, chunks with a checksum) then reaches moto as it was.
"""

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import run_simple

SLOW_SECONDS = 2.0
_ERRORS = {403: "SignatureDoesNotMatch", 404: "NoSuchBucket", 503: "SlowDown"}
_used: Counter[str] = Counter()
_lock = threading.Lock()


class Faulty:
    """A WSGI application that answers by itself where a rule says so."""

    def __init__(self, application: Any, rules: Path) -> None:
        self._application = application
        self._rules = rules

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """An answer of moto, or a fault."""
        do = self._rule(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}?{environ['QUERY_STRING']}")
        if isinstance(do, int):
            # The body is read first: a client that still sends would take a closed connection for the fault.
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start(f"{do} made", [("Content-Type", "application/xml")])
            return [f"<Error><Code>{_ERRORS[do]}</Code><Message>made by a test</Message></Error>".encode()]
        if do == "slow":
            time.sleep(SLOW_SECONDS)
        answer: Iterable[bytes] = self._application(environ, start)
        return answer

    def _rule(self, request: str) -> int | str | None:
        with _lock:
            for rule in json.loads(self._rules.read_text()):
                if rule["has"] in request and _used[rule["id"]] < rule["times"]:
                    _used[rule["id"]] += 1
                    print(f"fault {rule['id']}", file=sys.stderr, flush=True)
                    do: int | str = rule["do"]
                    return do
        return None


if __name__ == "__main__":
    application = Faulty(DomainDispatcherApplication(create_backend_app), Path(sys.argv[2]))
    run_simple("127.0.0.1", int(sys.argv[1]), application, threaded=True, request_handler=MotoRequestHandler)
