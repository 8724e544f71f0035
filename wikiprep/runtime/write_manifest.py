"""What was made, from what, with which counts and checksums: manifest.json, the same bytes for the same build."""

from collections.abc import Mapping
from typing import Any

import orjson

from wikiprep.config_toml import dump
from wikiprep.counts import in_json
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.manifest import MANIFEST, SCHEMA
from wikiprep.runtime.dataset_card import card, example_row
from wikiprep.units.fingerprint import Plan, content_versions
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit
from wikiprep.version import wikiprep_version


def write_manifest(
    store: Store, job: Job, plans: Mapping[str, Plan], commits: Mapping[str, Commit], preset: str
) -> dict[str, Any]:
    """Publish config.toml, the dataset card and the manifest, in this order; returns the manifest."""
    published_files = [f for commit in commits.values() for result in commit.results for f in result.files]
    files = [f for f in published_files if not f.path.startswith("_state/")]
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "preset": preset,
        "versions": {"wikiprep": wikiprep_version(), **content_versions()},
        "rules": {name: plan.rules for name, plan in plans.items()},
        "inputs": commits["inputs"].facts,
        "options": {name: plan.content["options"] for name, plan in plans.items()},
        "fingerprints": {name: plan.fingerprint for name, plan in plans.items()},
        "counts": {name: in_json(commit.counts) for name, commit in commits.items()},
        "equations": _equations(commits),
        "facts": {name: commit.facts for name, commit in commits.items() if name != "inputs" and commit.facts},
        "warnings": [warning for commit in commits.values() for warning in commit.warnings],
    }
    data["files"] = [_entry(f) for f in sorted(files, key=lambda f: f.path)]
    files.append(store.write("config.toml", dump(job.config).encode()))
    files.append(store.write("README.md", card(data, example_row(store, [f.path for f in published_files])).encode()))
    data["files"] = [_entry(f) for f in sorted(files, key=lambda f: f.path)]
    store.write(MANIFEST, orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n")
    return data


def _equations(commits: Mapping[str, Commit]) -> list[dict[str, Any]]:
    """For pages, links, sentences, records: the whole, and the parts that sum to it."""
    return [equation.in_json(commit.counts) for commit in commits.values() for equation in commit.equations]


def _entry(file: FileReceipt) -> dict[str, Any]:
    return {"path": file.path, "size": file.size, "sha256": file.sha256}
