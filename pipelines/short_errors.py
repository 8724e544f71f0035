"""Beam's workers print each error that they report to standard error too, as tracebacks of some fifty lines with our
packed error in them: where the worker shares the command's terminal, the line that tells the reason drowns in it."""

import os
import sys
from typing import Any

from wikiprep.pipelines.failures import MARK


def quiet() -> None:
    """From now on keep them from this process's standard error, those too that follow when a runner shuts down: once
    a build fails or is interrupted, the driver tells the reason. WIKIPREP_TRACEBACK shows them."""
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
