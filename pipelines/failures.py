"""Errors of a unit on their way from a worker through an engine, which passes on text and nothing else.

A worker's error travels inside the message of the exception that the engine reports, as JSON in base64 between marks,
so that no engine's quoting hurts it. What comes without one is an engine's or a Python's own error: for the usual ones
there is a way out to name.

Beam's workers print each error that they report to standard error too, as tracebacks of some fifty lines with our
packed error in them: where the worker shares the command's terminal, the line that tells the reason drowns in it, so
that they are kept from there.
"""

import base64
import os
import re
import socket
import sys
import traceback
from typing import Any

import orjson

from wikiprep.errors import UsageError, WikiprepError

MARK = "[wikiprep-failure:"
_PACKED = re.compile(re.escape(MARK) + r"([A-Za-z0-9+/=]+)\]")
_PYTHON = re.compile(r"^(?:[A-Za-z_][\w.]*\.)?([A-Z]\w*(?:Error|Exception|Interrupt|Exit|Failed)): ?(.*)", re.MULTILINE)
_CAUSE = re.compile(r"^(?:Caused by)?: (?:[\w$]+\.)+(\w+(?:Exception|Error)): ?(.*)", re.MULTILINE)
_GRPC = re.compile(r'^\s*details = "(.+)"$', re.MULTILINE)
_JAVA = re.compile(r"(?:[\w$]+\.)+\w+(?:Exception|Error): ")
# What an engine says -> the way out.
_KNOWN = (
    (r"PYTHON_VERSION_MISMATCH|Python in worker has different version",
     "PYSPARK_PYTHON must name a Python of the driver's version on every worker"),
    (r"No module named '?wikiprep",
     "install wikiprep for the workers' Python, in the driver's version (wikiprep docs cluster)"),
    (r"No module named",
     "the workers' Python lacks a package: give them the driver's environment (wikiprep docs cluster)"),
    (r"Cannot run program",
     "PYSPARK_PYTHON names no program on a worker: give the path of the Python that has wikiprep there"),
    (r"masters are unresponsive|Failed to connect to master|UnknownHost|SparkContext (?:was|has been) shut ?down|"
     r"stopped SparkContext",
     "is the master running at that address, and of the same Spark version?"),
    (r"Service failed to start up|Exec format error",
     "is that a Prism of Beam's version, built for this machine? Build it (wikiprep docs cluster), and name it by "
     "WIKIPREP_PRISM or --prism_location=FILE"),
    (r"control connection to \S+ after",
     "a worker did not start: its Python must import apache_beam; the worker pool's own output says more"),
    (r"ExecutorLostFailure|worker (?:lost|disconnected)|Channel closed prematurely|Python worker exited unexpectedly",
     "look for an out-of-memory killer in the worker's log; the same command goes on, finished units are kept"),
    (r"Stream removed|Socket closed|failed to connect to all addresses",
     "the runner's server ended, or is not to be reached; WIKIPREP_TRACEBACK=1 shows what it said; the same command "
     "goes on"),
)  # fmt: skip


class WorkersLost(WikiprepError):
    """Processes of the engine ended that it does not replace. What is finished is kept: the job may begin again."""


# What an engine says where that is so.
_LOST = re.compile(
    r"worker (?:lost|disconnected)|Channel closed prematurely|Python worker exited unexpectedly|Stream removed|"
    r"Socket closed"
)


def as_workers_lost(error: WikiprepError, text: str) -> WikiprepError:
    """The error as WorkersLost where the engine's `text`, of which it was made, tells of lost processes."""
    return WorkersLost(error.what, error.hint) if _LOST.search(text) and MARK not in text else error


class UnitFailed(Exception):
    """What a worker raises: readable, and with the error packed in."""


def pack_failure(error: Exception, unit: str) -> UnitFailed:
    """The error as an exception that an engine may turn to text."""
    host = socket.gethostname()
    if isinstance(error, WikiprepError):
        data = {"what": error.what, "hint": error.hint, "usage": isinstance(error, UsageError)}
    else:
        text = "".join(traceback.format_exception(error)).rstrip()
        name = type(error).__name__
        data = {
            "what": f"unit {unit} failed on {host}: {name}: {error}",
            "hint": f"what the worker met:\n{text}",
            "usage": False,
        }
    mark = base64.b64encode(orjson.dumps(data)).decode()
    return UnitFailed(f"unit {unit} on {host}: {data['what']} {MARK}{mark}]")


def unpack_failure(text: str, runner: str) -> WikiprepError:
    """The worker's error where the engine's text holds one; else the last Python error in it, or its first line."""
    if match := _PACKED.search(text):
        data = orjson.loads(base64.b64decode(match[1]))
        return (UsageError if data["usage"] else WikiprepError)(data["what"], data["hint"])
    for pattern, hint in _KNOWN:
        if match := re.search(f".*(?:{pattern}).*", text):
            last = _JAVA.split(match[0])[-1]
            reason = _GRPC.sub(r"\1", last if re.search(pattern, last) else match[0])
            return WikiprepError(f"{runner}: {reason.strip()[:600]}", hint)
    errors = [f"{name}: {message}".strip() for name, message in _PYTHON.findall(text)]
    useful_lines = [line for line in errors if not line.startswith(("Py4JJavaError", "RuntimeError", "SparkException"))]
    # The innermost of Java's causes; what gRPC calls the details; else the first line, with what a colon promises.
    useful_lines = (
        useful_lines or [f"{name}: {message}" for name, message in _CAUSE.findall(text)] or _GRPC.findall(text)
    )
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no reason given"]
    first = " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
    return WikiprepError(
        f"{runner}: {(useful_lines[-1] if useful_lines else first)[:600]}",
        "finished units are kept: once this is mended the same command goes on",
    )


def quiet() -> None:
    """From now on keep them from this process's standard error, those too that follow when a runner shuts down.

    Once a build fails or is interrupted, the driver tells the reason. WIKIPREP_TRACEBACK shows them.
    """
    if not isinstance(sys.stderr, _Quiet) and not os.environ.get("WIKIPREP_TRACEBACK"):
        sys.stderr = _Quiet(sys.stderr)


class _Quiet:
    """A text stream that is quiet about what the driver tells."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._after_ours = False

    def write(self, text: str) -> int:
        """As of a stream; `print` writes the end of its line by itself."""
        is_ours = MARK in text or (text.startswith("Traceback") and "apache_beam/runners/" in text)
        dropped = is_ours or (self._after_ours and text == "\n")
        self._after_ours = is_ours
        return len(text) if dropped else int(self._stream.write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
