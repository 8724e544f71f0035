"""What a build would do, said and not done: `--dry-run`. It fails where the build would fail before its first unit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import PurePosixPath
from typing import Any

import click

from wikiprep.config import Config, RunOptions, ServerOptions, named_files
from wikiprep.download.disk_space import free_bytes, room_of
from wikiprep.dump.source import is_file, open_bytes
from wikiprep.files import Store
from wikiprep.runtime.preflight import check_before
from wikiprep.runtime.reconcile import Policy, already_complete, reconcile, refuse_foreign, touched_by
from wikiprep.stages.build import stages_of
from wikiprep.stages.inputs import other_language
from wikiprep.terminal.wording import amount
from wikiprep.units.fingerprint import Plan, plans_of
from wikiprep.units.job import Job
from wikiprep.units.stage import Stage


def foresee(job: Job, options: RunOptions, policy: Policy, preset: str) -> None:
    """Print inputs, stages and what is finished of each, room on the disk, and the options in force.

    Writes nothing. Raises what the build would raise before it begins: UsageError for another build's output or options
    that cannot be, WikiprepError for inputs that cannot be read.
    """
    stages = stages_of(job)
    plans = plans_of(stages, job)
    store = Store(job.output, options.scratch)
    refuse_foreign(store)
    if policy is Policy.REFUSE:
        reconcile(store, stages, plans, policy, lambda _: None)
    check_before(stages, job)
    for line in _input_lines(job):
        click.echo(line)
    complete = policy is not Policy.OVERWRITE and already_complete(store, plans)
    if complete:
        click.echo(f"{store.url}: is complete, nothing would be done")
    for line in () if complete else (*_stage_lines(store, stages, plans, policy), *_space_lines(job, store)):
        click.echo(line)
    for line in _option_lines(job.config, preset, options.workers):
        click.echo(line)


def foresee_named(job: Job, wiki: str, server: ServerOptions, preset: str) -> None:
    """The same of a wiki's name: what would be downloaded, by the server's own lists. Raises WikiprepError."""
    from wikiprep.api.named_dump import needed_extras
    from wikiprep.download.by_name import download

    download(wiki, server, extras=needed_extras(job), dry_run=True, quiet=True)
    click.echo(f"stages: {', '.join(stage.name for stage in stages_of(job))}")
    for line in _option_lines(job.config, preset, None):
        click.echo(line)


def _input_lines(job: Job) -> Iterator[str]:
    if job.annotated:
        yield f"annotated text {job.annotated}, vocabulary {job.vocab}, language {job.language}"
    else:
        parts = job.parts
        yield f"dump: {parts[0].siteinfo.dbname}, language {job.language}, {_format_files(len(parts))}"
        for part in parts:
            yield f"{amount(part.size):>12}  {part.path}"
    if not job.annotated:
        for line in other_language(job.parts[0].siteinfo, job.config.input.language):
            yield f"warning: {line}"
    for line in job.passed_over if not job.annotated else ():
        yield f"not read: {line}"
    for section, option, path in named_files(job.config):
        if is_file(path):
            with open_bytes(path) as file:
                yield f"{amount(file.seek(0, 2)):>12}  {path} (--{option.replace('_', '-')} of [{section}])"


def _stage_lines(store: Store, stages: Sequence[Stage], plans: Mapping[str, Plan], policy: Policy) -> Iterator[str]:
    redone_stages, reasons = touched_by(store, stages, plans) if policy is Policy.UPDATE else ([], [])
    yield f"{len(stages)} stages into {store.url}:"
    for number, stage in enumerate(stages, 1):
        done_units = len(store.list(f"_state/{stage.name}/units"))
        state = "to do"
        if done_units and (policy is Policy.OVERWRITE or stage in redone_stages):
            state = "is done anew"
        elif done_units:
            state = f"goes on: {_format_units(done_units)} finished before"
        yield f"{number:>12}  {stage.name}: {state}"
    if reasons:
        yield "options or rules that differ from those before:"
        yield from reasons


def _space_lines(job: Job, store: Store) -> Iterator[str]:
    if job.annotated:
        return
    needs = sum(room_of(PurePosixPath(part.path).name, part.size) for part in job.parts)
    free = f", where {amount(free_bytes(store.root))} are free" if store.root is not None else ""
    yield (
        f"room: up to {amount(needs)} while it is made, about (an estimate from bz2 files, without Wikidata's tables), "
        f"in {store.url}{free}"
    )


def _option_lines(config: Config, preset: str, workers: int | None) -> Iterator[str]:
    yield f"options in force (others are as in --help): preset {preset}" + (
        f", {workers} workers" if workers is not None else ""
    )
    for section, option, value in _changed_options(config):
        yield f"  [{section}] {option} = {list(value) if isinstance(value, tuple) else value}"


def _changed_options(config: Config) -> Iterator[tuple[str, str, Any]]:
    """Section, option and value where it is not the default."""
    for section in fields(Config):
        section_config, default_config = getattr(config, section.name), getattr(Config(), section.name)
        for f in fields(section_config):
            if (value := getattr(section_config, f.name)) != getattr(default_config, f.name):
                yield section.name, f.name, value


def _format_files(number: int) -> str:
    return f"{number:,} file{'s' if number != 1 else ''}"


def _format_units(number: int) -> str:
    return f"{number:,} unit{'s' if number != 1 else ''}"
