"""A Spark context, started: on loopback where all of Spark is on this machine, and with the real cause where it fails.

Spark looks its machine's name up before it does anything, and where the name does not resolve its JVM ends. What a JVM
that ended had to say it printed, and PySpark knows only that it is gone: so it is read here.
"""

import os
import re
import sys
import threading
from contextlib import contextmanager, suppress
from typing import Any

from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway

from wikiprep.errors import WikiprepError
from wikiprep.pipelines.failures import MARK, unpack_failure
from wikiprep.pipelines.spark_causes import cause_of

LOOPBACK = "127.0.0.1"
_KEPT = 1 << 18  # bytes of what a JVM says


def start(conf: SparkConf) -> SparkContext:
    """The context of `conf`, or the one that spark-submit prepared. Raises WikiprepError with what the JVM said."""
    master = conf.get("spark.master", "")
    local = is_local(master)
    if local:
        conf.setIfMissing("spark.driver.bindAddress", LOOPBACK)
        conf.setIfMissing("spark.driver.host", LOOPBACK)
    output = _Said()
    try:
        with _own_address(local):
            # Under spark-submit, and for a second build of one process, there is a JVM already.
            if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
                SparkContext._ensure_initialized(gateway=_launch(conf, output), conf=conf)
            context = SparkContext(conf=conf)
    except Exception as error:
        text = f"{output.text()}\n{error}"
        if isinstance(error, WikiprepError) or MARK in text:
            raise
        raise cause_of(text, master) or unpack_failure(str(error), f"Spark at {master}") from None
    output.pass_on(include_buffered=not local)
    return context


def is_local(master: str) -> bool:
    """Whether driver and executors are all on this machine: `local`, `local[…]`, `local-cluster[…]`."""
    return re.match(r"local(-cluster)?(\[|$)", master) is not None


@contextmanager
def _own_address(local: bool) -> Any:
    """SPARK_LOCAL_IP, which alone keeps Spark from looking up the machine's name, for a JVM that starts.

    A user's own stays. A driver on a cluster must be where its executors find it, so it has none from us.
    """
    is_set_here = local and "SPARK_LOCAL_IP" not in os.environ
    if is_set_here:
        os.environ["SPARK_LOCAL_IP"] = LOOPBACK
    try:
        yield
    finally:
        if is_set_here:
            os.environ.pop("SPARK_LOCAL_IP", None)


def _launch(conf: SparkConf, output: "_Said") -> Any:
    try:
        # The VM says on standard output, which is the command's own, why it did not start.
        return launch_gateway(conf, {"stdout": output.end, "stderr": output.end})
    finally:
        output.close_end()


class _Said:
    """What a JVM prints: kept while it starts, from then on passed to standard error. WIKIPREP_TRACEBACK passes all."""

    def __init__(self) -> None:
        reader, self.end = os.pipe()
        self._buffer = b""
        self._lock = threading.Lock()
        self._passes_on = bool(os.environ.get("WIKIPREP_TRACEBACK"))
        self._thread = threading.Thread(target=self._read, args=(reader,), name="wikiprep-jvm", daemon=True)
        self._thread.start()

    def _read(self, reader: int) -> None:
        with open(reader, "rb", buffering=0) as file:
            while data := file.read(1 << 16):
                with self._lock:
                    self._buffer = (self._buffer + data)[-_KEPT:]
                    if self._passes_on:
                        _print(data)

    def close_end(self) -> None:
        """The JVM has it now: once that is gone there is nothing more to read."""
        if self.end >= 0:
            os.close(self.end)
            self.end = -1

    def text(self) -> str:
        """All so far; of a JVM that ended, all."""
        self.close_end()
        self._thread.join(2)  # a JVM that failed later lives on
        with self._lock:
            return self._buffer.decode(errors="replace")

    def pass_on(self, include_buffered: bool) -> None:
        """From now on to standard error. `include_buffered`: of the start, too."""
        self.close_end()
        with self._lock:
            if include_buffered and not self._passes_on:
                _print(self._buffer)
            self._passes_on = True


def _print(data: bytes) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.flush()
        os.write(2, data)
