"""What was made, from what, with which counts and checksums: manifest.json, the same bytes for the same build."""

from collections.abc import Mapping
from dataclasses import replace

from wikiprep.config_toml import dump
from wikiprep.files import Store
from wikiprep.input_facts import InputFacts
from wikiprep.manifest import MANIFEST, Manifest
from wikiprep.runtime.dataset_card import card, example_row
from wikiprep.units.fingerprint import Plan, content_versions
from wikiprep.units.handovers import from_json
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit
from wikiprep.version import wikiprep_version


def write_manifest(
    store: Store, job: Job, plans: Mapping[str, Plan], commits: Mapping[str, Commit], preset: str
) -> Manifest:
    """Publish config.toml, the dataset card and the manifest, in this order; returns the manifest."""
    published_files = [f for commit in commits.values() for result in commit.results for f in result.files]
    files = [f for f in published_files if not f.path.startswith("_state/")]
    manifest = Manifest(
        preset=preset,
        versions={"wikiprep": wikiprep_version(), **content_versions()},
        rules={name: plan.rules for name, plan in plans.items()},
        inputs=from_json(InputFacts, commits["inputs"].facts),
        options={name: plan.content["options"] for name, plan in plans.items()},
        fingerprints={name: plan.fingerprint for name, plan in plans.items()},
        counts={name: commit.counts for name, commit in commits.items()},
        # For pages, links, sentences, records: the whole, and the parts that sum to it.
        equations=[equation.of(commit.counts) for commit in commits.values() for equation in commit.equations],
        facts={name: commit.facts for name, commit in commits.items() if name != "inputs" and commit.facts},
        warnings=[warning for commit in commits.values() for warning in commit.warnings],
        files=sorted(files, key=lambda file: file.path),
    )
    files.append(store.write("config.toml", dump(job.config).encode()))
    example = example_row(store, [file.path for file in published_files])
    files.append(store.write("README.md", card(manifest, example).encode()))
    manifest = replace(manifest, files=sorted(files, key=lambda file: file.path))
    store.write(MANIFEST, manifest.to_bytes())
    return manifest
