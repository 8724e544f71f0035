"""What every driver does around the units of a stage: plan them, skip the finished, take a result, commit.

A driver (local, Beam, Spark) only decides where `execute` runs.
"""

from collections.abc import Mapping, Sequence

import orjson

from wikiprep.config import RunOptions
from wikiprep.counts import in_json
from wikiprep.files import Store
from wikiprep.stages.build import rests_on, stage_by_name
from wikiprep.units.fingerprint import Plan, save_plan
from wikiprep.units.job import Job
from wikiprep.units.receipts import load_receipt, save_receipt
from wikiprep.units.stage import Commit, Stage
from wikiprep.units.stage_rules import check_unchanged
from wikiprep.units.unit import Report, Result, Unit


def units_of(stage: Stage, plan: Plan, job: Job, store: Store, earlier: Mapping[str, Commit]) -> list[Unit]:
    """The units of a stage; remembers the plan in the output first."""
    tasks = stage.plan(job, earlier)
    save_plan(store, plan)
    reads, rules_and_version = rests_on(stage, job), (plan.rules, plan.version)
    return [
        Unit(stage.name, t.name, plan.fingerprint, job.output, t.work, t.weight, reads, *rules_and_version)
        for t in tasks
    ]


def execute(unit: Unit, report: Report, options: RunOptions) -> Result:
    """Do a unit, unless its receipt says that it is done; the same function under every engine."""
    stage = stage_by_name(unit.stage)
    store = Store(unit.output, options.scratch, trusted=unit.rests_on)
    result = load_receipt(store, unit)
    if result is None:
        if unit.rules:
            check_unchanged(type(stage).__module__, unit.rules)  # of this process, which may be of another machine
        result = stage.run(unit, store, report, options)
        save_receipt(store, unit, result)
    return result


def commit_stage(
    stage: Stage, job: Job, store: Store, results: Sequence[Result], earlier: Mapping[str, Commit]
) -> Commit:
    """Sum the stage up and keep the sums in the output. Doing it again changes nothing."""
    commit = stage.commit(job, results, earlier)
    sums = {file.path: file.sha256 for result in commit.results for file in result.files}
    data = {"counts": in_json(commit.counts), "facts": commit.facts, "warnings": commit.warnings, "sha256": sums}
    store.write(f"_state/{stage.name}/commit.json", orjson.dumps(data, option=orjson.OPT_SORT_KEYS))
    return commit
