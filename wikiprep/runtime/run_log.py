"""run.json: how, where and how long each run of a build was made. None of it is part of the comparison.

What it runs in also goes into bug reports, and workers are compared by it with the machine that sent them work.
"""

import contextlib
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from typing import Any

import orjson

from wikiprep.compiled import WHY_NOT
from wikiprep.config import RunOptions
from wikiprep.files import Store
from wikiprep.runtime.engine import Runner
from wikiprep.stages.build import stage_modules
from wikiprep.units.fingerprint import content_versions
from wikiprep.units.job import Job
from wikiprep.units.receipts import DAMAGE
from wikiprep.units.stage_rules import digest_of, rules_of
from wikiprep.version import wikiprep_version

OTHERS = (
    *("icu4py", "mwparserfromhell", "click", "duckdb", "orjson", "rapidgzip", "rich", "selectolax", "zstandard"),
    *("apache-beam", "pyspark", "torch", "transformers"),
)


@cache
def all_rules_digest() -> str:
    """Of the rules of all stages."""
    return digest_of({path: digest for module in stage_modules() for path, digest in rules_of(module).items()})


def environment() -> dict[str, str]:
    """Everything that `wikiprep version` prints; packages that are not installed say so."""
    table = {"wikiprep": wikiprep_version(), "rules": all_rules_digest(), **content_versions()}
    table |= {"platform": platform.platform(), "executable": sys.executable}
    table["compiled modules"] = f"not used: {WHY_NOT}" if WHY_NOT else "used"
    for name in OTHERS:
        try:
            table[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            table[name] = "not installed"
    return table


def log_run(
    store: Store,
    job: Job,
    options: RunOptions,
    runner: Runner,
    started: datetime,
    seconds: Mapping[str, float],
    command: Sequence[str],
) -> None:
    """Add this run. `seconds`: of each stage, where the driver knows them."""
    runs: list[Any] = []
    if store.size("run.json") is not None:
        with contextlib.suppress(*DAMAGE):  # a log: not worth a build
            runs = list(orjson.loads(store.read("run.json"))["runs"])
    runs.append(
        {
            "runner": runner.name,
            "runner_version": runner.version,
            "runner_details": dict(runner.details),
            "started": started.isoformat(timespec="seconds"),
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": seconds,
            "command": list(command),
            "dumps": [str(part.path) for part in job.parts] if job.dumps else [],
            "annotated": job.annotated,
            "output": store.url,
            "options": {
                "workers": options.workers,
                "page_timeout": options.page_timeout,
                "page_memory": options.page_bytes,
            },
            "environment": environment(),
        }
    )
    store.write("run.json", orjson.dumps({"runs": runs}, option=orjson.OPT_INDENT_2) + b"\n")
