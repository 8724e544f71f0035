"""A Java process that ends at any call into it costs one error, never a thread's traceback."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from engine_build import package

package("pyspark", "spark")

from py4j.protocol import Py4JNetworkError  # noqa: E402 - not where Spark is missing

from wikiprep.errors import WikiprepError  # noqa: E402
from wikiprep.pipelines import spark  # noqa: E402
from wikiprep.pipelines.spark_context import is_stopped  # noqa: E402
from wikiprep.units.run_options import RunOptions  # noqa: E402


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
