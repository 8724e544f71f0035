"""run.json: how, where and how long each run of a build was made. None of it is part of the comparison."""

import contextlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from wikiprep.files import Store
from wikiprep.runtime.engine import Runner
from wikiprep.runtime.environment import environment
from wikiprep.units.job import Job
from wikiprep.units.receipts import DAMAGE
from wikiprep.units.run_options import RunOptions


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
