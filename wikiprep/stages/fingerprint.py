"""What a stage's output depends on, as one hash: so finished work is known again, and changed options are noticed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from wikiprep.files import Store
from wikiprep.stages.job import Job
from wikiprep.stages.stage import Stage
from wikiprep.versions import content_versions


@dataclass(frozen=True, slots=True)
class Plan:
    """A stage's content and the fingerprint of it with that of every stage it needs."""

    stage: str
    content: dict[str, Any]
    fingerprint: str


def plans_of(stages: Sequence[Stage], job: Job) -> dict[str, Plan]:
    """Fingerprints of all stages, in order, known before anything runs."""
    versions = content_versions()
    plans: dict[str, Plan] = {}
    for stage in stages:
        content = {"versions": versions, "options": stage.content(job)}
        needs = {name: plans[name].fingerprint for name in stage.needs if name in plans}
        data = orjson.dumps([stage.name, content, needs], option=orjson.OPT_SORT_KEYS)
        plans[stage.name] = Plan(stage.name, content, hashlib.sha256(data).hexdigest())
    return plans


def _path(stage: str) -> str:
    return f"_state/{stage}/plan.json"


def save_plan(store: Store, plan: Plan) -> None:
    """Remember what the stage was started with; written before its first unit."""
    data = {"fingerprint": plan.fingerprint, "content": plan.content}
    store.write(_path(plan.stage), orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2))


def load_plan(store: Store, stage: str) -> Plan | None:
    """What an earlier run started the stage with; None where it never did."""
    if store.size(_path(stage)) is None:
        return None
    try:
        data = orjson.loads(store.read(_path(stage)))
        return Plan(stage, data["content"], data["fingerprint"])
    except (ValueError, KeyError, TypeError):
        # Not as it was written: no options are known to be the same.
        return Plan(stage, {"damaged": _path(stage)}, "")


def differences(before: Any, now: Any, name: str = "") -> list[str]:
    """Lines such as `vocab_size: 1000 before, 500 now`, for every leaf that differs."""
    now = orjson.loads(orjson.dumps(now))
    if isinstance(before, dict) and isinstance(now, dict):
        keys = sorted(before.keys() | now.keys())
        return [
            line
            for key in keys
            for line in differences(before.get(key), now.get(key), f"{name}.{key}" if name else key)
        ]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = zip(before, now, strict=True)
        return [line for i, (a, b) in enumerate(pairs) for line in differences(a, b, f"{name}[{i}]")]
    return [] if before == now else [f"{name}: {_short(before)} before, {_short(now)} now"]


def _short(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
