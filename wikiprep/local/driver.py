"""The driver that goes from stage to stage: plan here, units where the engine runs them, commit here.

The engine is a pool of worker processes on this machine, or Spark (`pipelines/spark.py`). Finished units of an earlier
run are recognised here by their receipts, so that they cost nothing and do not count in rates.
"""

import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from wikiprep.config import RunOptions
from wikiprep.files import Store
from wikiprep.local.pool import Pool
from wikiprep.manifest import read_manifest
from wikiprep.runtime.engine import Engine
from wikiprep.runtime.output_folder import output_lock
from wikiprep.runtime.reconcile import Policy, refuse_foreign
from wikiprep.runtime.run_context import close_run, open_run
from wikiprep.runtime.run_log import log_run
from wikiprep.runtime.stage_flow import commit_stage, execute, units_of
from wikiprep.stages.build import stages_of
from wikiprep.terminal.build_display import observer_for
from wikiprep.terminal.command_progress import DisplayedProgress
from wikiprep.units.fingerprint import plans_of
from wikiprep.units.job import Job
from wikiprep.units.observer import Observer
from wikiprep.units.receipts import damaged_file, forget_unit, load_receipt
from wikiprep.units.stage import Commit
from wikiprep.units.unit import Result, Unit


def build(
    job: Job,
    options: RunOptions,
    policy: Policy = Policy.REFUSE,
    preset: str = "luke",
    engine: Engine | None = None,
) -> None:
    """Build `job`, or go on with it, by default on this machine. Raises WikiprepError; what is finished stays."""
    stages = stages_of(job)
    plans = plans_of(stages, job)
    store = Store(job.output, options.scratch)
    started, seconds = datetime.now(UTC), {}
    commits: dict[str, Commit] = {}
    refuse_foreign(store)
    with observer_for(options) as observer, output_lock(store), engine or Pool(options) as engine:
        store.clear_scratch()
        context = open_run(job, plans, store, policy, preset, observer.note)
        unit_runner = _Units(store, engine, observer, [stage.name for stage in stages])
        for stage in stages:
            start_time = time.monotonic()
            units = units_of(stage, context.plans[stage.name], job, store, commits)
            results = unit_runner.run(units)
            commits[stage.name] = commit_stage(stage, job, store, results, commits)
            observer.stage_finished(stage.name)
            seconds[stage.name] = round(time.monotonic() - start_time, 3)
        close_run(context, store, commits)
        log_run(store, job, options, engine.runner, started, seconds, sys.argv)
        store.clear_scratch()
    if not options.quiet:
        from wikiprep.terminal.console import print_summary  # rich takes long to import

        state = "built" if not context.complete else "mended" if unit_runner.worked else "was complete already"
        print_summary(store, read_manifest(store), state)


class _Units:
    """The units of the stages so far: finished ones by their receipts, others where the engine runs them."""

    def __init__(self, store: Store, engine: Engine, observer: Observer, stages: Sequence[str]) -> None:
        self._stages = stages
        self.worked = 0  # units that were not finished before
        self._store, self._engine, self._observer = store, engine, observer
        self._units: dict[str, Sequence[Unit]] = {}
        self._unchecked_results: dict[str, dict[str, Result]] = {}  # finished by an earlier run, not looked into yet

    def run(self, units: Sequence[Unit]) -> list[Result]:
        """The results of all units of a stage."""
        stage = units[0].stage
        self._units[stage] = units
        results = {unit.name: result for unit in units if (result := load_receipt(self._store, unit)) is not None}
        if len(results) < len(units):
            for needed_stage in units[0].rests_on:
                self._check_files(needed_stage)
        self._observer.stage_started(stage, len(units), sum(unit.weight for unit in units), self._stages)
        for unit in units:
            if unit.name in results:
                self._observer.unit_finished(unit, results[unit.name], skipped=True)
        self._unchecked_results[stage] = dict(results)
        self._run_remaining([unit for unit in units if unit.name not in results], results)
        return [results[unit.name] for unit in units]

    def _run_remaining(self, remaining: Sequence[Unit], results: dict[str, Result]) -> None:
        if not remaining:
            return
        for unit, result in zip(remaining, self._engine.run_units(remaining, execute, self._observer), strict=True):
            results[unit.name] = result
        self.worked += len(remaining)

    def _check_files(self, stage: str) -> None:
        """Its files are read now: a unit whose files are not what its receipt says is done again first.

        The same content gives the same bytes, so that what rests on it and is finished stays.
        """
        results, damaged_units = self._unchecked_results.pop(stage, {}), []
        size = sum(file.size for result in results.values() for file in result.files)
        with DisplayedProgress(self._observer).part(f"checksums of {stage}", size) as advance:
            for unit in self._units.get(stage, ()):
                if unit.name in results and (path := damaged_file(self._store, results[unit.name], advance)):
                    self._observer.note(
                        f"{path}: is not what its receipt says (sha256): {stage}/{unit.name} is done again"
                    )
                    forget_unit(self._store, unit)
                    damaged_units.append(unit)
        if damaged_units:
            for needed_stage in damaged_units[0].rests_on:
                self._check_files(needed_stage)
            self._observer.stage_started(
                stage, len(damaged_units), sum(unit.weight for unit in damaged_units), self._stages
            )
            self._run_remaining(damaged_units, {})
            self._observer.stage_finished(stage)
