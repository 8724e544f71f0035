"""The local driver: every stage in turn, its units in a pool of worker processes on this machine.

Finished units of an earlier run are recognised here by their receipts, so that they cost nothing and do not count in
rates. All else that a build does is the same under every engine and is in `stages/`.
"""

import contextlib
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from wikiprep.files import Store
from wikiprep.local.lock import output_lock
from wikiprep.local.observer import Observer
from wikiprep.local.pool import Pool
from wikiprep.local.progress import observer_for
from wikiprep.manifest import write_manifest
from wikiprep.stages.build import stages_of
from wikiprep.stages.fingerprint import plans_of
from wikiprep.stages.flow import commit_stage, execute, units_of
from wikiprep.stages.job import Job
from wikiprep.stages.orphans import remove_orphans
from wikiprep.stages.preflight import check_before
from wikiprep.stages.receipts import DAMAGE, load_receipt
from wikiprep.stages.settle import Policy, already_complete, refuse_foreign, remove_final, settle
from wikiprep.stages.stage import Commit
from wikiprep.stages.unit import Result, RunOptions, Unit
from wikiprep.versions import environment


def build(job: Job, options: RunOptions, policy: Policy = Policy.REFUSE, preset: str = "luke") -> None:
    """Build `job`, or go on with it. Raises WikiprepError; what is finished by then stays."""
    stages = stages_of(job)
    plans = plans_of(stages, job)
    store = Store(job.output, options.scratch)
    started, seconds = datetime.now(UTC), {}
    commits: dict[str, Commit] = {}
    refuse_foreign(store)
    with observer_for(options) as observer, output_lock(store):
        store.clear_scratch()
        settle(store, stages, plans, policy, observer.note)
        complete = already_complete(store, plans)
        if not complete:
            remove_final(store)
            check_before(stages, job)
        worked = 0
        with Pool(options) as pool:
            for stage in stages:
                begun = time.monotonic()
                units = units_of(stage, plans[stage.name], job, commits)
                results, left = _run(units, store, options, pool, observer)
                worked += left
                commits[stage.name] = commit_stage(stage, job, results, commits)
                observer.stage_finished(stage.name)
                seconds[stage.name] = round(time.monotonic() - begun, 3)
        if not complete:
            remove_orphans(store, commits.values())
            write_manifest(store, job, plans, commits, preset)
        _log_run(store, job, options, started, seconds)
        store.clear_scratch()
    if not options.quiet:
        from wikiprep.local.summary import print_summary  # rich takes long to import

        state = "built" if not complete else "mended" if worked else "was complete already"
        print_summary(store, commits, state)


def _run(
    units: Sequence[Unit], store: Store, options: RunOptions, pool: Pool, observer: Observer
) -> tuple[list[Result], int]:
    """The results of all units, and how many had to be worked on."""
    observer.stage_started(units[0].stage, len(units), sum(unit.weight for unit in units))
    done = {unit.name: result for unit in units if (result := load_receipt(store, unit)) is not None}
    for unit in units:
        if unit.name in done:
            observer.unit_finished(unit, done[unit.name], skipped=True)
    left = [unit for unit in units if unit.name not in done]
    for unit, result in zip(left, pool.run_units(left, execute, observer), strict=True):
        done[unit.name] = result
    return [done[unit.name] for unit in units], len(left)


def _log_run(store: Store, job: Job, options: RunOptions, started: datetime, seconds: dict[str, float]) -> None:
    """Add this run to run.json: how, where and how long, none of which is part of the comparison."""
    runs: list[Any] = []
    if store.size("run.json") is not None:
        with contextlib.suppress(*DAMAGE):  # a log: not worth a build
            runs = list(orjson.loads(store.read("run.json"))["runs"])
    runs.append(
        {
            "runner": "local",
            "started": started.isoformat(timespec="seconds"),
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": seconds,
            "command": sys.argv,
            "dumps": [str(part.path) for part in job.parts] if job.dumps else [],
            "annotated": job.annotated,
            "output": store.url,
            "options": {
                "workers": options.workers,
                "page_timeout": options.page_timeout,
                "page_memory": options.page_memory,
            },
            "environment": environment(),
        }
    )
    store.write("run.json", orjson.dumps({"runs": runs}, option=orjson.OPT_INDENT_2) + b"\n")
