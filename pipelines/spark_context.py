"""A Spark context: its start, with the real cause where it fails, and its end, also where its Java process is gone.

It starts on loopback where all of Spark is on this machine.
Spark looks its machine's name up before it does anything, and where the name does not resolve its JVM ends. What a JVM
that ended had to say it printed, and PySpark knows only that it is gone: so it is read here. Where it is killed, runs
out of memory or crashes later, PySpark meets that in several threads at once, and each prints its traceback: here it is
one error of the build.
"""

import logging
import os
import re
import sys
import threading
import warnings
from contextlib import contextmanager, suppress
from typing import Any

from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway

from wikiprep.errors import WikiprepError
from wikiprep.pipelines.failures import MARK, unpack_failure

LOOPBACK = "127.0.0.1"
_KEPT = 1 << 18  # bytes of what a JVM says
_JAVA = "Spark 3.5 runs on Java 17 (or 8, 11): the one that JAVA_HOME names, else `java` on PATH"
_ADDRESS = "give the address at which this machine is reached: SPARK_LOCAL_IP=ADDRESS (127.0.0.1 where all is on it)"
# What was said, in the order of how much it tells -> what is told (its groups), the way out.
_CAUSES = (
    (r"JAVA_HOME is not set", "there is no Java", f"install one, such as openjdk-17-jre-headless; {_JAVA}"),
    (r"(/\S*bin/java): (No such file or directory|Permission denied|Is a directory)", "{1}: {2}",
     f"JAVA_HOME names no Java; {_JAVA}"),
    (r"(\S+/bin/spark-(?:submit|class))'?: (No such file or directory|Permission denied)|"
     r"(?:No such file or directory|Permission denied): '(\S+/bin/spark-submit)'", "{1}{3}: not to be run",
     "SPARK_HOME names no Spark: unset it, PySpark brings its own"),
    (r"UnsupportedClassVersionError: .*class file version (\d+)", "this Java is too old (UnsupportedClassVersionError)",
     _JAVA),
    (r"UnsupportedOperationException: (getSubject is not supported)", "this Java is too new ({1})", _JAVA),
    (r"InaccessibleObjectException: (.*)|IllegalAccessError: (.*)", "this Java and this Spark do not fit ({1}{2})",
     _JAVA),
    (r"UnknownHostException: ([^\s:]+)[^\n]*", "the name {1} does not resolve (UnknownHostException)",
     f"where it is this machine's own name: add it to /etc/hosts, or {_ADDRESS}; else check --master"),
    (r"BindException: (Address already in use)[^\n]*?'(\w+)'", "{1}: a port of {2} (BindException)",
     "another program has it: give another by --conf=spark.driver.port=N or spark.ui.port, or allow more tries by "
     "--conf=spark.port.maxRetries=N"),
    (r"BindException: (Cannot assign requested address)", "{1} (BindException)",
     "SPARK_LOCAL_IP and spark.driver.bindAddress must be addresses of this machine: unset them, or correct them"),
    (r"(Could not reserve enough space|There is insufficient memory|Cannot allocate memory|error='Not enough space')"
     r"[^\n]*", "{0}", "give Java less memory: --conf=spark.driver.memory=1g"),
    (r"(System memory \d+ must be at least \d+)", "{1}", "give Java more memory: --conf=spark.driver.memory=1g"),
    (r"OutOfMemoryError: (.*)", "Java has too little memory ({1})",
     "give it more: --conf=spark.driver.memory=1g"),
    (r"(Unrecognized (?:VM )?option:? [^\n]*|Invalid (?:maximum|initial) heap size[^\n]*|Improperly specified VM "
     r"option[^\n]*|Unrecognized VM option[^\n]*)", "Java: {1}",
     "look at spark.driver.memory, spark.driver.extraJavaOptions and JAVA_TOOL_OPTIONS"),
    (r"(Failed to (?:create (?:any local|a temp|local) dir|get a temp directory)[^\n]*)", "{1}",
     "give a folder that can be written to and has room: --conf=spark.local.dir=FOLDER, SPARK_LOCAL_DIRS or TMPDIR"),
    (r"basedir must be absolute: \?|LoginException: [^\n]*(?:invalid null input: name|NullPointerException)",
     "this user is a number without a name or home",
     "Hadoop wants one: add the user to /etc/passwd (in a container: run it as a user that the image has)"),
    (r"(Master must either be yarn [^\n]*|Could not parse Master URL: [^\n]*)", "{1}",
     "give --master=local[N], spark://HOST:PORT, yarn or k8s://URL"),
    (r"(When running with master 'yarn' [^\n]*)", "{1}", "they name the folder of Hadoop's configuration"),
    (r"'JavaPackage' object is not callable|Py4JError: [^\n]* does not exist in the JVM",
     "the Spark that started is not PySpark's version", "SPARK_HOME names another Spark: unset it"),
)  # fmt: skip
JVM_GONE = (OSError, Py4JError, EOFError)  # what a call into Java raises then


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


def cause_of(text: str, master: str) -> WikiprepError | None:
    """What a failed start was about; None where it is none of the usual causes and the JVM is still there.

    `text`: all that the JVM printed, and the error of PySpark. Of a JVM that ended without a known word the last line
    that tells something is told.
    """
    for pattern, message, hint in _CAUSES:
        if match := re.search(pattern, text):
            groups = [match[0], *(group or "" for group in match.groups())]
            return WikiprepError(f"Spark at {master} did not start: {message.format(*groups).strip()[:600]}", hint)
    if "JAVA_GATEWAY_EXITED" not in text:
        return None
    lines = [line.strip() for line in text.splitlines() if _is_informative(line)]
    return WikiprepError(
        f"Spark at {master} did not start: {(lines or ['its JVM ended without a word'])[-1][:600]}",
        f"WIKIPREP_TRACEBACK=1 shows all that Java said; {_JAVA}",
    )


def _is_informative(line: str) -> bool:
    frame = re.match(r"\s*(at |\.\.\. \d+ more)", line)
    return bool(line.strip()) and not frame and "JAVA_GATEWAY_EXITED" not in line and " WARN " not in line


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
