"""From `--runner` and the options after it to a build on that engine."""

import glob
import os
from collections.abc import Sequence
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path

from wikiprep.config import Config, RunOptions
from wikiprep.errors import UsageError
from wikiprep.pipelines.failures import WorkersLost
from wikiprep.pipelines.job_restart import Attempt, go_on
from wikiprep.pipelines.runners import SPARK, runner_by_name
from wikiprep.runtime.reconcile import Policy
from wikiprep.units.job import Job

_EXTRA = {"pyspark": "spark", "apache_beam": "beam"}


def build(runner: str, arguments: Sequence[str], job: Job, options: RunOptions, policy: Policy, preset: str) -> None:
    """Build `job` on the runner of that name; `arguments` are the engine's own. Raises WikiprepError."""
    name = runner_by_name(runner)
    if name == "local":
        if arguments:
            raise UsageError(f"{arguments[0]}: no such option", "--runner local has none of its own")
        from wikiprep.local.driver import build as build_here

        build_here(job, options, policy, preset)
        return
    try:
        engine = import_module("wikiprep.pipelines.spark" if name == SPARK else "wikiprep.pipelines.beam")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _EXTRA:
            raise
        raise UsageError(
            f"--runner {name} needs {missing.replace('_', '-')}, which is not installed",
            f"pip install 'wikiprep[{_EXTRA[missing]}]'",
        ) from None
    job = with_absolute_paths(job)
    try:
        engine.build(name, arguments, job, options, policy, preset)
    except WorkersLost as lost:
        go_on(lost, Attempt(name, tuple(arguments), job, options, preset))


def with_absolute_paths(job: Job) -> Job:
    """The same job for processes that stand in other folders. Paths change no fingerprint."""
    config = job.config
    for section in fields(Config):
        values = getattr(config, section.name)
        absolute_values = {
            f.name: _absolute(value) if isinstance(value, str) else tuple(map(_absolute, value))
            for f in fields(values)
            if (f.metadata["path"] or f.name == "tokenizer")
            and isinstance(value := getattr(values, f.name), str | tuple)
        }
        config = replace(config, **{section.name: replace(values, **absolute_values)})
    return replace(
        job,
        output=_absolute(job.output, new=True),
        config=config,
        dumps=tuple(_absolute(path) for path in job.dumps),
        annotated=job.annotated and _absolute(job.annotated),
        vocab=job.vocab and _absolute(job.vocab),
        titles_from=job.titles_from and _absolute(job.titles_from),
    )


def local_paths(job: Job) -> list[str]:
    """The job's paths on this machine's disk: the output first, then what is read."""
    config = [
        path
        for section in fields(Config)
        for f in fields(getattr(job.config, section.name))
        if isinstance(value := getattr(getattr(job.config, section.name), f.name), str | tuple)
        for path in ((value,) if isinstance(value, str) else value)
        if f.metadata["path"] or (f.name == "tokenizer" and Path(path).exists())
    ]
    paths = [job.output, *job.dumps, *config, *filter(None, (job.annotated, job.vocab, job.titles_from))]
    return [path for path in paths if "://" not in path or path.startswith("file://")]


def _absolute(path: str, new: bool = False) -> str:
    """`new`: it need not exist. What exists nowhere is no path (`train:30000`, a name on a hub)."""
    if "://" in path or not (new or Path(path).exists() or glob.has_magic(path)):
        return path
    return os.path.abspath(path)  # noqa: PTH100 - links stay as they are
