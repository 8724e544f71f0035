"""The end of a Spark context, also of one whose Java process is gone: killed, out of memory, crashed.

PySpark meets that in several threads at once, and each prints its traceback: here it is one error of the build.
"""

import logging
import os
import warnings
from contextlib import suppress

from py4j.protocol import Py4JError
from pyspark import SparkContext

JVM_GONE = (OSError, Py4JError, EOFError)  # what a call into Java raises then


def is_gone(context: SparkContext) -> bool:
    """Whether the Java process of a context does not answer."""
    return is_stopped(context) is None


def is_stopped(context: SparkContext) -> bool | None:
    """Whether a context was stopped; None where its Java process does not answer."""
    try:
        return bool(context._jsc.sc().isStopped())
    except (*JVM_GONE, AttributeError):
        return None


def quiet(context: SparkContext) -> None:
    """PySpark's server of counters, and Py4J, lose their peer when Java ends, and would print how they noticed."""
    logging.getLogger().addFilter(_is_not_py4j)
    server = context._accumulatorServer
    if server is not None:
        server.handle_error = lambda *_: None


def _is_not_py4j(record: logging.LogRecord) -> bool:
    return f"{os.sep}py4j{os.sep}" not in record.pathname


def stop(context: SparkContext) -> None:
    """Stop it. Of one whose Java process is gone all is given up that this process holds, so that another may start."""
    is_dead = is_gone(context)
    with warnings.catch_warnings(action="ignore"), suppress(*JVM_GONE):
        context.stop()
    if is_dead:
        context.stop()  # what comes after the call into Java
        with suppress(*JVM_GONE):
            if SparkContext._gateway is not None:
                SparkContext._gateway.shutdown()
        SparkContext._gateway = SparkContext._jvm = None
