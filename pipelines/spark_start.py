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
from wikiprep.pipelines.failures import MARK, unpacked
from wikiprep.pipelines.spark_causes import cause_of

LOOPBACK = "127.0.0.1"
_KEPT = 1 << 18  # bytes of what a JVM says


def start(conf: SparkConf) -> SparkContext:
    """The context of `conf`, or the one that spark-submit prepared. Raises WikiprepError with what the JVM said."""
    master = conf.get("spark.master", "")
    here = is_local(master)
    if here:
        conf.setIfMissing("spark.driver.bindAddress", LOOPBACK)
        conf.setIfMissing("spark.driver.host", LOOPBACK)
    said = _Said()
    try:
        with _own_address(here):
            # Under spark-submit, and for a second build of one process, there is a JVM already.
            if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
                SparkContext._ensure_initialized(gateway=_launched(conf, said), conf=conf)
            context = SparkContext(conf=conf)
    except Exception as error:
        text = f"{said.text()}\n{error}"
        if isinstance(error, WikiprepError) or MARK in text:
            raise
        raise cause_of(text, master) or unpacked(str(error), f"Spark at {master}") from None
    said.pass_on(what_was_kept=not here)
    return context


def is_local(master: str) -> bool:
    """Whether driver and executors are all on this machine: `local`, `local[…]`, `local-cluster[…]`."""
    return re.match(r"local(-cluster)?(\[|$)", master) is not None


@contextmanager
def _own_address(here: bool) -> Any:
    """SPARK_LOCAL_IP, which alone keeps Spark from looking up the machine's name, for a JVM that starts.

    A user's own stays. A driver on a cluster must be where its executors find it, so it has none from us.
    """
    ours = here and "SPARK_LOCAL_IP" not in os.environ
    if ours:
        os.environ["SPARK_LOCAL_IP"] = LOOPBACK
    try:
        yield
    finally:
        if ours:
            os.environ.pop("SPARK_LOCAL_IP", None)


def _launched(conf: SparkConf, said: "_Said") -> Any:
    try:
        # The VM says on standard output, which is the command's own, why it did not start.
        return launch_gateway(conf, {"stdout": said.end, "stderr": said.end})
    finally:
        said.close_end()


class _Said:
    """What a JVM prints: kept while it starts, from then on passed to standard error. WIKIPREP_TRACEBACK passes all."""

    def __init__(self) -> None:
        reader, self.end = os.pipe()
        self._kept = b""
        self._lock = threading.Lock()
        self._open = bool(os.environ.get("WIKIPREP_TRACEBACK"))
        self._thread = threading.Thread(target=self._read, args=(reader,), name="wikiprep-jvm", daemon=True)
        self._thread.start()

    def _read(self, reader: int) -> None:
        with open(reader, "rb", buffering=0) as file:
            while data := file.read(1 << 16):
                with self._lock:
                    self._kept = (self._kept + data)[-_KEPT:]
                    if self._open:
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
            return self._kept.decode(errors="replace")

    def pass_on(self, what_was_kept: bool) -> None:
        """From now on to standard error. `what_was_kept`: of the start, too."""
        self.close_end()
        with self._lock:
            if what_was_kept and not self._open:
                _print(self._kept)
            self._open = True


def _print(data: bytes) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.flush()
        os.write(2, data)
