"""A start of Spark that fails says why; in local mode it needs no name of the machine."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from building import command, wikiprep
from engine_build import needs_java, package

package("pyspark", "spark")

from wikiprep.pipelines.spark_context import cause_of, is_local  # noqa: E402 - not where Spark is missing

GONE = "\n[JAVA_GATEWAY_EXITED] Java gateway process exited before sending its port number."
SAMPLE = ("build-corpus", "--sample", "--quiet", "--runner=spark", "--workers=1")


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        (f"JAVA_HOME is not set{GONE}", "there is no Java", "Java 17"),
        (f"/env/bin/spark-class: line 71: /no/bin/java: No such file or directory{GONE}",
         "/no/bin/java: No such file or directory", "JAVA_HOME names no Java"),
        ("Exception in thread \"main\" java.lang.UnsupportedClassVersionError: org/apache/spark/launcher/Main has been "
         "compiled by a more recent version of the Java Runtime (class file version 52.0)" + GONE,
         "too old", "Java 17"),
        ("py4j: java.lang.UnsupportedOperationException: getSubject is not supported\n\tat x", "too new", "Java 17"),
        ("Exception in thread \"main\" java.lang.ExceptionInInitializerError\n\tat org.x(Y.scala:163)\nCaused by: java."
         f"net.UnknownHostException: box7: box7: Name or service not known\n\tat java{GONE}",
         "the name box7 does not resolve", "SPARK_LOCAL_IP"),
        ("java.net.BindException: Address already in use: Service 'sparkDriver' failed after 16 retries (starting from "
         "45671)! Consider", "Address already in use: a port of sparkDriver", "spark.driver.port"),
        ("java.net.BindException: Cannot assign requested address: Service 'sparkDriver' failed",
         "Cannot assign requested address", "SPARK_LOCAL_IP"),
        (f"Error occurred during initialization of VM\nCould not reserve enough space for 9KB object heap{GONE}",
         "Could not reserve enough space for 9KB object heap", "spark.driver.memory"),
        (f'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space{GONE}', "Java heap space", "more"),
        (f"Unrecognized VM option 'Nonsense'\nError: Could not create the Java Virtual Machine.{GONE}",
         "Unrecognized VM option 'Nonsense'", "JAVA_TOOL_OPTIONS"),
        ("26/11/29 ERROR DiskBlockManager: Failed to create local dir in /proc/x. Ignoring this directory.\nrefused",
         "Failed to create local dir in /proc/x", "spark.local.dir"),
        (f"java.lang.IllegalArgumentException: basedir must be absolute: ?/.ivy2/local{GONE}", "without a name",
         "add the user"),
        ("[Errno 2] No such file or directory: '/no/./bin/spark-submit'", "/no/./bin/spark-submit", "SPARK_HOME"),
        ("Exception in thread \"main\" org.apache.spark.SparkException: Master must either be yarn or start with "
         f"spark, mesos, k8s, or local{GONE}", "Master must either be yarn", "--master="),
        ("'JavaPackage' object is not callable", "not PySpark's version", "SPARK_HOME"),
        (f"java.lang.NewFault: of tomorrow\n\tat org.x(Y.scala:1)\n\t... 3 more{GONE}", "NewFault: of tomorrow",
         "WIKIPREP_TRACEBACK"),
        (GONE, "ended without a word", "WIKIPREP_TRACEBACK"),
    ],
)  # fmt: skip
def test_a_cause_and_its_way_out(text: str, what: str, hint: str) -> None:
    error = cause_of(text, "local[2]")
    assert error is not None
    assert error.what.startswith("Spark at local[2] did not start: ") and what in error.what
    assert "\n" not in error.what and hint in error.hint


def test_what_is_no_failure_to_start_is_left_to_others() -> None:
    assert cause_of("org.apache.spark.SparkException: Job aborted due to stage failure", "local[2]") is None


@pytest.mark.parametrize(
    ("master", "here"),
    [
        *(("local", True), ("local[4]", True), ("local[*]", True), ("local-cluster[2,1,1024]", True)),
        *(("spark://local:7077", False), ("yarn", False), ("k8s://https://local", False), ("localhost", False)),
    ],
)
def test_which_masters_are_this_machine(master: str, here: bool) -> None:
    assert is_local(master) == here


@pytest.fixture
def nameless(tmp_path: Path) -> list[str]:
    """The words before a command that give it a machine's name which nobody knows, in a namespace of its own."""
    words = ["unshare", "--uts", "sh", "-c", 'hostname no-such-name && exec "$@"', "sh"]
    if os.getuid() != 0:
        words[1:1] = ["--user", "--map-root-user"]
    asked = "import socket; print(socket.gethostname()); socket.gethostbyname(socket.gethostname())"
    try:
        done = subprocess.run([*words, sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no unshare on PATH: the machine's name stays")
    if done.stdout != "no-such-name\n":
        pytest.skip(f"no other name can be given to the machine here: {done.stderr.strip()}")
    if done.returncode == 0:
        pytest.skip("every name resolves here")
    return words


@needs_java()
def test_local_mode_needs_no_name_of_the_machine(nameless: list[str], tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_LOCAL_IP"}
    line = [*nameless, *command(*SAMPLE, "-o", tmp_path / "out")]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "manifest.json").is_file()


@needs_java()
def test_a_driver_of_a_cluster_needs_one_and_says_so(nameless: list[str], tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_LOCAL_IP"}
    line = [*nameless, *command(*SAMPLE, "-o", tmp_path / "out", "--master=spark://127.0.0.1:1")]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    first, hint = done.stderr.splitlines()
    assert "the name no-such-name does not resolve" in first and "SPARK_LOCAL_IP" in hint and "Java" not in done.stderr


def test_a_java_home_without_java(tmp_path: Path) -> None:
    done = wikiprep(*SAMPLE, "-o", tmp_path / "out", JAVA_HOME=str(tmp_path))
    assert done.returncode == 1
    assert f"did not start: {tmp_path}/bin/java: No such file or directory" in done.stderr
    assert len(done.stderr.splitlines()) == 2
    shown = wikiprep(*SAMPLE, "-o", tmp_path / "out", JAVA_HOME=str(tmp_path), WIKIPREP_TRACEBACK="1").stderr
    assert "spark-class" in shown.partition("wikiprep: ")[0]  # what was said, as it was said


@pytest.fixture
def taken() -> Iterator[int]:
    """A port of loopback that somebody has."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held.getsockname()[1]


@needs_java()
def test_a_port_that_is_taken(taken: int, tmp_path: Path) -> None:
    words = (f"--conf=spark.driver.port={taken}", "--conf=spark.port.maxRetries=0")
    done = wikiprep(*SAMPLE, "-o", tmp_path / "out", *words)
    assert done.returncode == 1
    assert "Address already in use: a port of sparkDriver" in done.stderr and len(done.stderr.splitlines()) == 2


@needs_java()
def test_a_folder_for_scratch_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark's JVM ends there after it started."""
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    (tmp_path / "file").write_text("no folder")
    done = wikiprep(*SAMPLE, "-o", tmp_path / "out", f"--conf=spark.local.dir={tmp_path}/file")
    assert done.returncode == 1
    assert "Failed to create" in done.stderr and "spark.local.dir=FOLDER" in done.stderr


package("pyspark", "spark")

from py4j.protocol import Py4JNetworkError  # noqa: E402 - not where Spark is missing

from wikiprep.config import RunOptions  # noqa: E402
from wikiprep.errors import WikiprepError  # noqa: E402
from wikiprep.pipelines import spark  # noqa: E402
from wikiprep.pipelines.spark_context import is_stopped  # noqa: E402


def gone(*_: object) -> Any:
    raise Py4JNetworkError("Error while sending or receiving")


def same(job: Callable[[], None]) -> Callable[[], None]:
    return job


def fails(_: Callable[[], None]) -> Callable[[], None]:
    return gone


@pytest.mark.parametrize("wrap", [same, fails, gone], ids=["the job", "the job's thread", "before the thread"])
def test_java_that_ends_at_any_call(wrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """PySpark passes the properties of a thread to Java before it starts the job: where CI met it."""
    monkeypatch.setattr(spark, "inheritable_thread_target", wrap)
    engine = spark.SparkEngine([], RunOptions())
    context = SimpleNamespace(setJobGroup=gone, master="local[2]", _jsc=SimpleNamespace(sc=gone))
    engine._context = context  # type: ignore[assignment]
    with pytest.raises(WikiprepError, match=r"Spark at local\[2\], stage extract: its Java process has ended"):
        engine._collect("extract", [1], str, lambda _: None)


@pytest.mark.parametrize("answer", [True, False])
def test_a_context_that_answers(answer: bool) -> None:
    context: Any = SimpleNamespace(_jsc=SimpleNamespace(sc=lambda: SimpleNamespace(isStopped=lambda: answer)))
    assert is_stopped(context) is answer
