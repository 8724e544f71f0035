"""The driver that goes from stage to stage: plan here, units where the engine runs them, commit here.

The engine is a pool of worker processes on this machine, or Spark (`pipelines/spark.py`). Finished units of an earlier
run are recognised here by their receipts, so that they cost nothing and do not count in rates.
"""

import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from wikiprep.files import Store
from wikiprep.local.lock import output_lock
from wikiprep.local.observer import Observer
from wikiprep.local.pool import Pool
from wikiprep.local.progress import observer_for
from wikiprep.manifest import read_manifest
from wikiprep.stages.build import stages_of
from wikiprep.stages.engine import Engine
from wikiprep.stages.fingerprint import plans_of
from wikiprep.stages.flow import commit_stage, execute, units_of
from wikiprep.stages.frame import close_frame, open_frame
from wikiprep.stages.job import Job
from wikiprep.stages.receipts import load_receipt
from wikiprep.stages.run_log import log_run
from wikiprep.stages.settle import Policy, refuse_foreign
from wikiprep.stages.stage import Commit
from wikiprep.stages.unit import Result, RunOptions, Unit


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
        frame = open_frame(job, plans, store, policy, preset, observer.note)
        worked = 0
        for stage in stages:
            begun = time.monotonic()
            units = units_of(stage, frame.plans[stage.name], job, store, commits)
            results, left = _run(units, store, engine, observer)
            worked += left
            commits[stage.name] = commit_stage(stage, job, store, results, commits)
            observer.stage_finished(stage.name)
            seconds[stage.name] = round(time.monotonic() - begun, 3)
        close_frame(frame, store, commits)
        log_run(store, job, options, engine.runner, started, seconds, sys.argv)
        store.clear_scratch()
    if not options.quiet:
        from wikiprep.local.summary import print_summary  # rich takes long to import

        state = "built" if not frame.complete else "mended" if worked else "was complete already"
        print_summary(store, read_manifest(store), state)


def _run(units: Sequence[Unit], store: Store, engine: Engine, observer: Observer) -> tuple[list[Result], int]:
    """The results of all units, and how many had to be worked on."""
    observer.stage_started(units[0].stage, len(units), sum(unit.weight for unit in units))
    done = {unit.name: result for unit in units if (result := load_receipt(store, unit)) is not None}
    for unit in units:
        if unit.name in done:
            observer.unit_finished(unit, done[unit.name], skipped=True)
    left = [unit for unit in units if unit.name not in done]
    for unit, result in zip(left, engine.run_units(left, execute, observer), strict=True):
        done[unit.name] = result
    return [done[unit.name] for unit in units], len(left)
