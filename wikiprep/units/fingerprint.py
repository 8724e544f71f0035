"""What a stage's output depends on, as one hash: so finished work is known again, and changed options are noticed."""

import hashlib
import platform
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import icu4py
import orjson

from wikiprep.files import Store
from wikiprep.units.job import Job
from wikiprep.units.stage import Stage
from wikiprep.units.stage_rules import digest_of, rules_of
from wikiprep.version import wikiprep_version

CONTENT = ("marisa-trie", "numpy", "pyarrow", "tokenizers")
NAMED_RULES = 8  # changed files that a message names


def content_versions() -> dict[str, str]:
    """Part of every stage's fingerprint. Of wikiprep its rules count (`units/stage_rules.py`), not its version."""
    return {
        "python": platform.python_version(),
        "icu": icu4py.icu_version,
        "unicode": unicodedata.unidata_version,
        **{name: metadata.version(name) for name in CONTENT},
    }


@dataclass(frozen=True, slots=True)
class Plan:
    """A stage's content and the fingerprint of it with that of every stage it needs.

    `version`: that of the wikiprep that began the stage, for people; "" where it did not say.
    """

    stage: str
    content: dict[str, Any]
    fingerprint: str
    version: str = field(default="", compare=False)

    @property
    def rules(self) -> str:
        """The stage's rules as one word; "" where the plan is older than they are."""
        return digest_of(self.content["rules"]) if "rules" in self.content else ""


def plans_of(stages: Sequence[Stage], job: Job) -> dict[str, Plan]:
    """Fingerprints of all stages, in order, known before anything runs."""
    versions = content_versions()
    plans: dict[str, Plan] = {}
    for stage in stages:
        rules = rules_of(type(stage).__module__)
        content = {"versions": versions, "rules": rules, "options": stage.content(job)}
        needs = {name: plans[name].fingerprint for name in stage.needs if name in plans}
        data = orjson.dumps([stage.name, content, needs], option=orjson.OPT_SORT_KEYS)
        plans[stage.name] = Plan(stage.name, content, hashlib.sha256(data).hexdigest(), wikiprep_version())
    return plans


def _path(stage: str) -> str:
    return f"_state/{stage}/plan.json"


def save_plan(store: Store, plan: Plan) -> None:
    """Remember what the stage was started with; written before its first unit."""
    if load_plan(store, plan.stage) == plan:
        return  # whoever goes on with a stage did not begin it
    data = {"fingerprint": plan.fingerprint, "content": plan.content, "version": plan.version}
    store.write(_path(plan.stage), orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2))


def load_plan(store: Store, stage: str) -> Plan | None:
    """What an earlier run started the stage with; None where it never did."""
    if store.size(_path(stage)) is None:
        return None
    try:
        data = orjson.loads(store.read(_path(stage)))
        content = data["content"]
        version = data.get("version") or content.get("versions", {}).get("wikiprep", "")
        return Plan(stage, content, data["fingerprint"], version)
    except (ValueError, KeyError, TypeError, AttributeError):
        # Not as it was written: no options are known to be the same.
        return Plan(stage, {"damaged": _path(stage)}, "")


def changes(before: Plan, now: Plan) -> list[str]:
    """What differs between two plans of a stage, a line each: changed rules by their files, options by their names."""
    if "damaged" in before.content:
        return [f"{before.content['damaged']} is damaged"]
    old, new = ({k: v for k, v in plan.content.items() if k != "rules"} for plan in (before, now))
    if not before.rules and now.rules:  # wikiprep's version stood in for them
        old["versions"] = {k: v for k, v in old.get("versions", {}).items() if k != "wikiprep"}
        lines = [f"was begun by a wikiprep that did not note its rules ({before.version or 'of unknown version'})"]
    else:
        lines = _changed_rules(before.content.get("rules", {}), now.content.get("rules", {}))
        if lines and before.version != now.version:
            lines = [f"{line} (wikiprep {before.version or 'unknown'} before, {now.version} now)" for line in lines]
    return lines + differences(old, new)


def _changed_rules(before: dict[str, str], now: dict[str, str]) -> list[str]:
    changed = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
    more = f" and {len(changed) - NAMED_RULES} more files" if len(changed) > NAMED_RULES else ""
    return [f"rules changed: {', '.join(changed[:NAMED_RULES])}{more}"] if changed else []


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
    return [] if before == now else [f"{name}: {_shorten(before)} before, {_shorten(now)} now"]


def _shorten(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
