"""The whole build as one Beam graph: for each stage plan, spread, run, commit; then finish.

One small element, the progress, goes from commit to commit. The results of a stage are a side input of its commit,
which makes a barrier: Beam finishes them all first. Runners have lost side inputs (apache/beam#36563), so a commit
takes its results for whole only if they are as many as the plan made units. No page text passes through Beam.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

import apache_beam as beam
from apache_beam.metrics import Metrics

from wikiprep.corpus.record_counts import RECORDS_WRITTEN, SENTENCES_FOUND
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.pipelines.failures import UnitFailed, pack_failure, quiet
from wikiprep.pipelines.worker_unit import Terms, check_output, check_versions, perform
from wikiprep.runtime.engine import Runner
from wikiprep.runtime.run_context import RunContext, close_run
from wikiprep.runtime.run_log import log_run
from wikiprep.runtime.stage_flow import commit_stage, execute, units_of
from wikiprep.stages.build import stages_of
from wikiprep.stages.extract_counts import PAGES_READ
from wikiprep.tables.link_counts import READ as LINKS_READ
from wikiprep.units.stage import Commit, Stage
from wikiprep.units.unit import Result, Unit

_STARTED = b"a worker has started\n"  # the witness then tells how far the build is
_COUNTED = (PAGES_READ, LINKS_READ, SENTENCES_FOUND, RECORDS_WRITTEN)  # Beam's counters, for display


@dataclass(frozen=True, slots=True)
class Build:
    """What every step of the graph carries. `witness`: a file that the driver put into the output."""

    context: RunContext
    terms: Terms
    runner: Runner
    started: datetime
    command: tuple[str, ...]
    witness: str

    @property
    def store(self) -> Store:
        """The output."""
        return Store(self.context.job.output, self.terms.options.scratch)

    def stage(self, name: str) -> Stage:
        """The stage of that name as this build has it."""
        return next(stage for stage in stages_of(self.context.job) if stage.name == name)


@dataclass(frozen=True, slots=True)
class FinishedStages:
    """The stages that are done."""

    commits: dict[str, Commit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitOrder:
    """Unit `index` of `total`."""

    index: int
    total: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class UnitDone:
    """The result of unit `index` of `total`."""

    index: int
    total: int
    result: Result


def add_build(pipeline: beam.Pipeline, build: Build) -> None:
    """Add the steps of a build to a pipeline."""
    progress = pipeline | "start" >> beam.Create([FinishedStages()]) | "look" >> beam.Map(look, build)
    for stage in stages_of(build.context.job):
        name = stage.name
        results = (
            progress
            | f"{name}/plan" >> beam.FlatMap(plan, build, name)
            # Without this a runner fuses plan and run, and one worker does all units.
            | f"{name}/spread" >> beam.Reshuffle()
            | f"{name}/run" >> beam.Map(run, build.terms)
        )
        progress = progress | f"{name}/commit" >> beam.Map(commit, build, name, beam.pvalue.AsList(results))
    progress | "finish" >> beam.Map(finish, build)


def look(progress: FinishedStages, build: Build) -> FinishedStages:
    """Whether this worker can take part at all; the witness then tells the driver that one has started."""
    try:
        check_versions(build.terms.versions)
        check_output(build.context.job.output, build.witness)
        build.store.write(build.witness, _STARTED)
    except Exception as error:
        raise _as_failure(error, "workers/look") from None
    return progress


def plan(progress: FinishedStages, build: Build, name: str) -> Iterator[UnitOrder]:
    """The units of a stage."""
    try:
        context = build.context
        units = units_of(build.stage(name), context.plans[name], context.job, build.store, progress.commits)
    except Exception as error:
        raise _as_failure(error, f"{name}/plan") from None
    for index, unit in enumerate(units):
        yield UnitOrder(index, len(units), unit)


def run(order: UnitOrder, terms: Terms) -> UnitDone:
    """Do a unit, unless its receipt says that it is done."""
    try:
        result = perform(execute, terms, order.unit)
    except UnitFailed:
        quiet()
        raise
    Metrics.counter(order.unit.stage, "units").inc()
    for name in _COUNTED:
        if number := result.counts.get(name):
            Metrics.counter(order.unit.stage, str(name)).inc(number)
    return UnitDone(order.index, order.total, result)


def commit(progress: FinishedStages, build: Build, name: str, finished_units: Iterable[UnitDone]) -> FinishedStages:
    """Sum a stage up, once all of its results are here."""
    try:
        results = whole(name, list(finished_units))
        stage_commit = commit_stage(build.stage(name), build.context.job, build.store, results, progress.commits)
        build.store.write(build.witness, f"{name}: {len(results)} units are done\n".encode())
    except Exception as error:
        raise _as_failure(error, f"{name}/commit") from None
    return replace(progress, commits={**progress.commits, name: stage_commit})


def whole(name: str, finished_units: list[UnitDone]) -> list[Result]:
    """The results in the order of the units. Raises WikiprepError where any is missing or comes twice."""
    total = finished_units[0].total if finished_units else 0
    if not finished_units or sorted(it.index for it in finished_units) != list(range(total)):
        raise WikiprepError(
            f"stage {name}: {len(finished_units)} results of {total or 'an unknown number of'} units "
            "reached its commit",
            "the runner lost or doubled a side input: give the same command again, finished units are kept",
        )
    return [it.result for it in sorted(finished_units, key=lambda it: it.index)]


def finish(progress: FinishedStages, build: Build) -> None:
    """The manifest, and the note of this run."""
    try:
        close_run(build.context, build.store, progress.commits)
        log_run(
            build.store,
            build.context.job,
            build.terms.options,
            build.runner,
            build.started,
            {},
            build.command,
        )
        build.store.remove(build.witness)  # the driver may be gone
    except Exception as error:
        raise _as_failure(error, "finish") from None


def _as_failure(error: Exception, step: str) -> UnitFailed:
    quiet()
    return pack_failure(error, step)
