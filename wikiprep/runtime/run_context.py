"""What comes before the first unit of a build and after its last one: the same under every engine."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from wikiprep.compiled import WHY_NOT
from wikiprep.files import Store
from wikiprep.runtime.preflight import check_before, division_in_words
from wikiprep.runtime.reconcile import Policy, already_complete, reconcile, remove_final
from wikiprep.runtime.write_manifest import write_manifest
from wikiprep.stages import side_files
from wikiprep.stages.build import stages_of
from wikiprep.stages.facts_between_stages import COPIES
from wikiprep.units.fingerprint import Plan
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit

_PART = re.compile(
    r"(articles|rejects|records)/(records-)?part-\d{5}-of-\d{5}\.(parquet|arrow)"
    r"|tables/mentions(\.parquet|/[^/]+)"  # of a build that had --mentions
)


@dataclass(frozen=True, slots=True)
class RunContext:
    """A build that may begin. `complete`: an earlier run wrote the manifest of these very plans. Picklable."""

    job: Job
    plans: Mapping[str, Plan]
    preset: str
    complete: bool


def open_run(
    job: Job, plans: Mapping[str, Plan], store: Store, policy: Policy, preset: str, say: Callable[[str], None]
) -> RunContext:
    """Make the output fit the job. Raises WikiprepError for what is known to fail later, before anything is redone.

    `plans`: those of the job's stages (`fingerprint.plans_of`). They are made before the output's folder is: options
    that cannot be leave nothing behind.
    """
    stages = stages_of(job)
    reconcile(store, stages, plans, policy, say)
    complete = already_complete(store, plans)
    if not complete:
        remove_final(store)
        check_before(stages, job)
        for line in [*side_files.passed_over(job), *division_in_words(job)]:
            say(line)
        if WHY_NOT and not job.annotated:
            say(f"the compiled modules are not used, which costs time and changes nothing else: {WHY_NOT}")
    return RunContext(job, plans, preset, complete)


def close_run(context: RunContext, store: Store, commits: Mapping[str, Commit]) -> None:
    """Declare the output complete: the manifest, last. Doing it again changes nothing."""
    if not context.complete:
        remove_orphans(store, commits.values())
        write_manifest(store, context.job, context.plans, commits, context.preset)


def remove_orphans(store: Store, commits: Iterable[Commit]) -> list[str]:
    """Delete parts of the folders that `commits` wrote which are not theirs; returns their paths.

    Folders that no stage of this run wrote are left alone, and so is every name that is not a part's.
    """
    known_paths = {f.path for commit in commits for result in commit.results for f in result.files}
    folders = {path.partition("/")[0] for path in known_paths}
    orphans = [
        path
        for folder in sorted(folders & {"articles", "rejects", "records", "tables"})
        for path in store.list(folder)
        if _PART.fullmatch(path) and path not in known_paths
    ]
    orphans += store.list(COPIES)  # what `extract` did not come for
    for path in orphans:
        store.remove(path)
    return orphans
