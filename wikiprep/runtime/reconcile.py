"""An output that was begun before: go on, redo what changed options touch, or refuse and say what differs."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

import orjson

from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.units.fingerprint import Plan, changes, load_plan
from wikiprep.units.receipts import DAMAGE, forget_stage
from wikiprep.units.stage import Stage

FINAL = ("manifest.json", "README.md", "config.toml")


class Policy(Enum):
    """What to do where the output was begun with other options."""

    REFUSE = "refuse"
    UPDATE = "update"
    OVERWRITE = "overwrite"


def refuse_foreign(store: Store) -> None:
    """Raises UsageError for a folder with files that no build made; nothing is written there, not even a lock."""
    if not _started_stages(store) and (
        foreign_files := [p for p in store.list() if not p.startswith("_state/") and p != "run.json"]
    ):
        raise UsageError(
            f"{store.url}: holds {len(foreign_files)} files that are not of a wikiprep build ({foreign_files[0]}…)",
            "give a new folder as --output",
        )


def _started_stages(store: Store) -> list[str]:
    """The stages that have something in the output's state."""
    return sorted({path.split("/")[1] for path in store.list("_state") if path.count("/") > 1})


def reconcile(
    store: Store, stages: Sequence[Stage], plans: Mapping[str, Plan], policy: Policy, say: Callable[[str], None]
) -> None:
    """Make the output fit the plans, or raise UsageError with the differences."""
    started_stages = _started_stages(store)
    if policy is Policy.OVERWRITE:
        for name in started_stages:
            forget_stage(store, name)
        remove_final(store)
        return
    touched_stages, reasons = touched_by(store, stages, plans)
    if not touched_stages:
        return
    if policy is Policy.REFUSE:
        raise UsageError(
            f"{store.url}: was begun with other options or rules\n" + "\n".join(reasons),
            "--update redoes these stages, --overwrite begins anew; or give another --output",
        )
    say(f"Redoing {', '.join(s.name for s in touched_stages)}:\n" + "\n".join(reasons))
    # Stages of an earlier run that are not wanted now may read what is redone: their output would be stale.
    stale_stages = [name for name in started_stages if name not in plans]
    remove_final(store)
    for name in [s.name for s in touched_stages] + stale_stages:
        forget_stage(store, name)


def touched_by(store: Store, stages: Sequence[Stage], plans: Mapping[str, Plan]) -> tuple[list[Stage], list[str]]:
    """The stages with finished work that is not of these plans, and why, a line each reason. Changes nothing."""
    started_stages = _started_stages(store)
    changed_stages = [stage for stage in stages if (old := load_plan(store, stage.name)) and old != plans[stage.name]]
    # A stage that was begun and has nothing finished has nothing to lose: its plan is simply replaced.
    touched_stages = [stage for stage in changed_stages if store.list(f"_state/{stage.name}/units")]
    reasons = []
    for stage in touched_stages:
        old = load_plan(store, stage.name)
        assert old is not None
        lines = changes(old, plans[stage.name])
        # What is touched or is new; a stage that is not wanted any more is in no list of these stages.
        new_stages = [s for s in stages if s in touched_stages or s.name not in started_stages]
        upstream = ", ".join(s.name for s in new_stages if s.name in stage.needs) or "other stages than before"
        reasons += [f"  {stage.name}: {line}" for line in lines] or [f"  {stage.name}: reads {upstream}"]
    return touched_stages, reasons


def remove_final(store: Store) -> None:
    """Take away what says that the output is complete."""
    for path in FINAL:
        store.remove(path)


def already_complete(store: Store, plans: Mapping[str, Plan]) -> bool:
    """Whether the manifest there covers these very plans, and what was written with it is still as it says."""
    if store.size("manifest.json") is None:
        return False
    try:  # of it these two sections alone, of whatever version: where they are not as expected it is written anew
        manifest = orjson.loads(store.read("manifest.json"))
        fingerprints = {name: manifest["fingerprints"].get(name) for name in plans}
        final_digests = {f["path"]: f["sha256"] for f in manifest["files"] if f["path"] in FINAL}
    except DAMAGE:
        return False
    if fingerprints != {name: plan.fingerprint for name, plan in plans.items()}:
        return False
    present_paths = (path for path in final_digests if store.size(path) is not None)
    return final_digests == {path: hashlib.sha256(store.read(path)).hexdigest() for path in present_paths}
