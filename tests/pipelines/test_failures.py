import io
import sys

import pytest

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pipelines.failures import pack_failure, quiet, unpack_failure


@pytest.mark.parametrize("kind", [WikiprepError, UsageError])
def test_an_error_of_ours_comes_back_as_it_was(kind: type[WikiprepError]) -> None:
    error = kind("dump.xml: damaged at byte 7\nand “more”", "fetch it again")
    # What engines do to a message: indent it, quote it, put their own around it.
    packed = pack_failure(error, "extract/part-00001")
    text = f"org.apache.Exception: task 0.3\n\t{packed!r}\n    [while running 'extract/run']"
    back = unpack_failure(text, "Prism")
    assert (type(back), back.what, back.hint) == (kind, error.what, error.hint)


def test_another_error_comes_with_its_unit_and_traceback() -> None:
    try:
        {}["there"]
    except KeyError as error:
        back = unpack_failure(str(pack_failure(error, "links/part-00002")), "Spark")
    assert "links/part-00002" in back.what
    assert "KeyError: 'there'" in back.what
    assert "test_failures.py" in back.hint


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("Traceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 'wikiprep'\n\n\tat org.x",
         "No module named 'wikiprep'", "install wikiprep"),
        ("pyspark.errors.exceptions.base.PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python in worker has different "
         "version (3, 10) than that in driver 3.11", "(3, 10)", "PYSPARK_PYTHON"),
        ('java.io.IOException: Cannot run program "python9": error=2', "python9", "PYSPARK_PYTHON"),
        ("Py4JJavaError: calling z:org.x.\n: java.lang.IllegalStateException: Cannot call methods on a stopped "
         "SparkContext.\nThis stopped SparkContext was created at", "stopped SparkContext", "master running"),
        ("Service failed to start up with error 0", "failed to start up with error 0", "WIKIPREP_PRISM"),
        ("[Errno 8] Exec format error: '/opt/prism'", "/opt/prism", "--prism_location"),
        ("Job aborted due to stage failure: ExecutorLostFailure (executor 1 exited)", "ExecutorLost", "out-of-memory"),
        ("Pipeline job-001 failed in state FAILED: prism could not get control connection to localhost:5 after 1m0s",
         "localhost:5", "import apache_beam"),
    ],
)  # fmt: skip
def test_an_engines_own_errors_have_a_way_out(text: str, what: str, hint: str) -> None:
    error = unpack_failure(text, "Spark")
    assert what in error.what
    assert hint in error.hint


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Pipeline has validations errors: \nOption process_command is required.", "errors: Option process_command"),
        ('<_MultiThreadedRendezvous of RPC that terminated with:\n\tstatus = StatusCode.INTERNAL\n\tdetails = "no such '
         'job"\n>', "Prism: no such job"),
        ('<_MultiThreadedRendezvous of RPC that terminated with:\n\tstatus = StatusCode.UNAVAILABLE\n\tdetails = "'
         'Stream removed (Socket closed)"\n\tdebug_error_string = "UNAVAILABLE:Stream removed"\n>',
         "Prism: Stream removed (Socket closed)"),
        ("An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n: org.apache.spark."
         "SparkException: External scheduler cannot be instantiated\n\tat org.apache.x(Y.scala:1)\nCaused by: java.net."
         "ConnectException: Failed to connect to /127.0.0.1:1\n\t... 21 more", "ConnectException: Failed to connect"),
    ],
)  # fmt: skip
def test_the_reason_is_told_where_it_is_not_the_first_line(text: str, what: str) -> None:
    assert what in unpack_failure(text, "Prism").what


def test_nothing_said_is_said_so() -> None:
    assert "no reason given" in unpack_failure("", "Prism").what


def said(monkeypatch: pytest.MonkeyPatch, *texts: str) -> str:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    quiet()
    quiet()
    for text in texts:
        print(text, file=sys.stderr)
    monkeypatch.undo()
    return stream.getvalue()


def test_what_the_driver_tells_is_not_told_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = f"Traceback (most recent call last):\n  …\n{pack_failure(ValueError('x'), 'links/part-00001')}\n"
    beams = 'Traceback (most recent call last):\n  File "/x/apache_beam/runners/worker/sdk_worker.py"\nKeyError: 1'
    assert said(monkeypatch, ours, "a line", beams, "", "wikiprep: the reason") == "a line\n\nwikiprep: the reason\n"


def test_another_traceback_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'Traceback (most recent call last):\n  File "/x/wikiprep/files.py"\nKeyError: 1'
    assert said(monkeypatch, text) == f"{text}\n"


def test_all_is_said_where_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKIPREP_TRACEBACK", "1")
    text = str(pack_failure(ValueError("x"), "links/part-00001"))
    assert said(monkeypatch, text) == f"{text}\n"
