"""What was made, from what, with which counts and checksums: manifest.json, the same bytes for the same build."""

from collections.abc import Mapping
from typing import Any

import orjson

from wikiprep.card import card
from wikiprep.card_example import example_row
from wikiprep.config_toml import dump
from wikiprep.errors import UsageError, WikiprepError, no_folder
from wikiprep.files import Store
from wikiprep.stages.fingerprint import Plan
from wikiprep.stages.job import Job
from wikiprep.stages.stage import Commit
from wikiprep.stages.unit import FileReceipt
from wikiprep.version import wikiprep_version
from wikiprep.versions import content_versions

MANIFEST = "manifest.json"
SCHEMA = "manifest/1"


def write_manifest(
    store: Store, job: Job, plans: Mapping[str, Plan], commits: Mapping[str, Commit], preset: str
) -> dict[str, Any]:
    """Publish config.toml, the dataset card and the manifest, in this order; returns the manifest."""
    made = [f for commit in commits.values() for result in commit.results for f in result.files]
    files = [f for f in made if not f.path.startswith("_state/")]
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "preset": preset,
        "versions": {"wikiprep": wikiprep_version(), **content_versions()},
        "rules": {name: plan.rules for name, plan in plans.items()},
        "inputs": commits["inputs"].facts,
        "options": {name: plan.content["options"] for name, plan in plans.items()},
        "fingerprints": {name: plan.fingerprint for name, plan in plans.items()},
        "counts": {name: commit.counts for name, commit in commits.items()},
        "equations": _equations(commits),
        "facts": {name: commit.facts for name, commit in commits.items() if name != "inputs" and commit.facts},
        "warnings": [warning for commit in commits.values() for warning in commit.warnings],
    }
    data["files"] = [_entry(f) for f in sorted(files, key=lambda f: f.path)]
    files.append(store.write("config.toml", dump(job.config).encode()))
    files.append(store.write("README.md", card(data, example_row(store, [f.path for f in made])).encode()))
    data["files"] = [_entry(f) for f in sorted(files, key=lambda f: f.path)]
    store.write(MANIFEST, orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n")
    return data


def read_manifest(store: Store) -> dict[str, Any]:
    """The manifest of a corpus; raises WikiprepError where there is none."""
    try:
        data = orjson.loads(store.read(MANIFEST))
    except FileNotFoundError as error:
        if store.root is not None and not store.root.is_dir():
            raise no_folder(store.url) from error
        if store.size("_state/inputs/plan.json") is not None or store.list("articles"):
            hint = "the build is not finished, or the file is lost: give its command again"
            raise WikiprepError(f"{store.url}/{MANIFEST}: no such file", hint) from error
        raise UsageError(
            f"{store.url}: is no corpus (no {MANIFEST} in it)", "give the folder of a corpus that wikiprep made"
        ) from error
    except orjson.JSONDecodeError as error:
        raise WikiprepError(f"{store.url}/{MANIFEST}: not JSON ({error})", "the file is damaged") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise WikiprepError(f"{store.url}/{MANIFEST}: not a manifest of this version of wikiprep ({SCHEMA})")
    return data


def articles_in(manifest: Mapping[str, Any]) -> int:
    """Rows of articles/, as a manifest counts them."""
    counts = manifest["counts"].get("extract", manifest["counts"].get("import", {}))
    return int(counts.get("pages.article", 0)) + int(counts.get("pages.disambiguation", 0))


def records_in(manifest: Mapping[str, Any]) -> int:
    """Records, likewise."""
    return int(manifest["counts"].get("records", {}).get("records.written", 0))


def _equations(commits: Mapping[str, Commit]) -> list[dict[str, Any]]:
    """For pages, links, sentences, records: the whole, and the parts that sum to it."""
    return [
        {
            "name": equation.name,
            "whole": equation.whole,
            "total": commit.counts.get(equation.whole, 0),
            "parts": equation.terms(commit.counts),
        }
        for commit in commits.values()
        for equation in commit.equations
    ]


def _entry(file: FileReceipt) -> dict[str, Any]:
    return {"path": file.path, "size": file.size, "sha256": file.sha256}
