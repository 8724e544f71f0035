"""Output that is data: UTF-8 whatever the locale."""

import io
import sys


def utf8_output() -> None:
    """Let standard output write UTF-8."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
