"""The stages on Spark: a job a stage, a task a unit. Also `spark-submit … pipelines/spark.py DUMP --output …`.

The driver plans and commits; tasks read, compute and write their own files, and send back small results. Page text
never passes through Spark. A task that Spark repeats, or runs twice at a time, leaves one whole file (see `files.py`).
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Self
from zipimport import zipimporter

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.util import inheritable_thread_target

from wikiprep.config import RunOptions
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.guard.child import require_importable
from wikiprep.local.driver import build as build_with
from wikiprep.pipelines.failures import WorkersLost, pack_failure, unpack_failure
from wikiprep.pipelines.spark_context import JVM_GONE, is_local, is_stopped, quiet, start, stop
from wikiprep.pipelines.worker_unit import Terms, check_versions, perform
from wikiprep.runtime.engine import Run, Runner
from wikiprep.runtime.reconcile import Policy
from wikiprep.units.job import Job
from wikiprep.units.observer import Observer
from wikiprep.units.unit import Result, Unit

_POLL_SECONDS = 0.2
_SHOWN = 0.5  # seconds between readings of Spark's task counts


def build(runner: str, arguments: Sequence[str], job: Job, options: RunOptions, policy: Policy, preset: str) -> None:
    """Build `job` on Spark. `arguments`: `--master=URL`, `--conf=KEY=VALUE`. Raises WikiprepError."""
    build_with(job, options, policy, preset, SparkEngine(arguments, options))


class SparkEngine:
    """A Spark context of this build, or the one that spark-submit prepared."""

    def __init__(self, arguments: Sequence[str], options: RunOptions) -> None:
        self.runner = Runner("spark", pyspark.__version__)
        self._settings = _settings(arguments)
        self._options = options
        self._terms = Terms.of(options)

    def __enter__(self) -> Self:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
        conf = SparkConf().setAll(list(self._settings.items()))
        conf.setIfMissing("spark.master", f"local[{self._options.workers}]")
        conf.setIfMissing("spark.app.name", "wikiprep")
        conf.setIfMissing("spark.ui.showConsoleProgress", "false")
        # Java only passes small results on: its first compiler is enough, and saves half of its CPU.
        for side in ("driver", "executor"):
            conf.setIfMissing(f"spark.{side}.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        # What goes wrong is told in a line of ours; Spark's own log would come between the lines of progress. Before
        # there is any, it tells why Spark does not start.
        has_log_level = conf.contains("spark.log.level")
        master = conf.setIfMissing("spark.log.level", "ERROR").get("spark.master", "")
        self._context = start(conf)
        quiet(self._context)
        if is_local(master) and not has_log_level:
            self._context.setLogLevel("OFF")
        self.runner = Runner("spark", self._context.version, {"master": master, "python": self._context.pythonExec})
        try:
            self._check_workers()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._context)

    def run_units(self, units: Sequence[Unit], run: Run, observer: Observer) -> list[Result]:
        """See `Engine`. A unit's error ends the job after Spark's own repeats (spark.task.maxFailures)."""
        require_importable(run)
        if not units:
            return []
        done = 0

        def show(count: int) -> None:
            # Spark tells how many tasks are done, not which: they are given out in order, which is near enough.
            nonlocal done
            while done < min(count, len(units)):
                observer.unit_finished(units[done], Result(units[done].name), skipped=False)
                done += 1
            observer.tick()

        work = partial(_perform, run, self._terms)
        results: list[Result] = self._collect(units[0].stage, units, work, show)
        show(len(units))
        return results

    def _collect(self, name: str, items: Sequence[Any], work: Callable[[Any], Any], show: Callable[[int], None]) -> Any:
        """`work` of every item, a task each; `show` is told how many tasks are done."""
        outcome: list[Any] = []
        context = self._context

        def job() -> None:
            # Stage and number of units are what Spark's pages show.
            context.setJobGroup(name, f"wikiprep {name}: {len(items)} units")
            outcome.append(context.parallelize(items, len(items)).map(work).collect())

        def run_job(target: Callable[[], None]) -> None:
            try:
                target()  # before the job it hands Java the properties of the thread that started it
            except Exception as error:
                outcome.append(_unpack(error, f"Spark at {context.master}, stage {name}", context))

        try:
            target = inheritable_thread_target(job)  # asks Java for the properties of this thread
        except JVM_GONE as error:
            raise _unpack(error, f"Spark at {context.master}, stage {name}", context) from None
        thread = threading.Thread(target=run_job, args=(target,), name=f"wikiprep-{name}", daemon=True)
        thread.start()
        last_look = time.monotonic()
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
            if time.monotonic() - last_look >= _SHOWN:
                last_look = time.monotonic()
                with suppress(*JVM_GONE):  # the job's own thread meets it too, and tells it
                    show(self._count_tasks(name)[1])
        if isinstance(outcome[0], WikiprepError):
            raise outcome[0]
        return outcome[0]

    def _count_tasks(self, name: str) -> tuple[int, int]:
        """Tasks of a job that run, and that are done."""
        tracker = self._context.statusTracker()
        stages = [
            stage for job in tracker.getJobIdsForGroup(name) if (i := tracker.getJobInfo(job)) for stage in i.stageIds
        ]
        infos = [info for stage in stages if (info := tracker.getStageInfo(stage))]
        return sum(i.numActiveTasks for i in infos), sum(i.numCompletedTasks for i in infos)

    def _check_workers(self) -> None:
        """Whether there are any, and whether they have our environment: before anything of the output is touched."""
        start_time, limit = time.monotonic(), self._options.start_timeout

        def check_wait(done: int) -> None:
            if not (done or self._count_tasks("workers")[0]) and time.monotonic() - start_time > limit:
                self._context.cancelAllJobs()
                raise WikiprepError(
                    f"Spark at {self._context.master}: no executor took a task within {limit:g} s",
                    "are workers registered there, with the cores and memory that spark.executor.* asks for? Where "
                    "they are merely busy, --start-timeout SECONDS waits longer",
                )

        count = max(1, min(self._context.defaultParallelism, 64))
        self._collect("workers", range(count), partial(_check_worker, self._terms), check_wait)


def _perform(run: Run, terms: Terms, unit: Unit) -> Result:
    """`perform` in a worker of Spark's, which before each task makes Python read the directories of its zip files anew:
    60 ms, unless they are forgotten. A later import opens them again, from a cache."""
    try:
        return perform(run, terms, unit)
    finally:
        for path, finder in list(sys.path_importer_cache.items()):
            if isinstance(finder, zipimporter):
                sys.path_importer_cache.pop(path, None)


def _check_worker(terms: Terms, number: int) -> int:
    try:
        check_versions(terms.versions)
    except Exception as error:
        raise pack_failure(error, "workers/look") from None
    return number


def _settings(arguments: Sequence[str]) -> dict[str, str]:
    """Spark's configuration from the command's arguments."""
    settings = {}
    for argument in arguments:
        name, _, value = argument.partition("=")
        key, _, setting = value.partition("=")
        if name == "--master" and value:
            settings["spark.master"] = value
        elif name == "--conf" and key.startswith("spark.") and setting:
            settings[key] = setting
        else:
            raise UsageError(
                f"{argument}: no such option of --runner spark",
                "it takes --master=URL and --conf=spark.KEY=VALUE; for all others use spark-submit "
                "(wikiprep docs cluster)",
            )
    return settings


def _unpack(error: Exception, runner: str, context: SparkContext) -> WikiprepError:
    if isinstance(error, WikiprepError):
        return error
    text = str(error)
    stopped = is_stopped(context)
    if stopped is None:
        return WorkersLost(
            f"{runner}: its Java process has ended",
            "look for an out-of-memory killer in the system's log, or give Java more memory "
            "(--conf=spark.driver.memory=4g); the same command goes on, finished units are kept",
        )
    if stopped:
        text += "\nSparkContext was shut down"  # whatever call met that: a master that never answered ends a context
    return unpack_failure(text, runner)


if __name__ == "__main__":
    from wikiprep.cli.engine_launcher import main

    main("--runner=spark")
