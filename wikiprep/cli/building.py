"""From what a user asked for to a job, and the build of it: shared by build-corpus, extract, tables and records.

Precedence, weakest first: defaults, preset, configuration file, what a compat mode starts from, command line.
"""

import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from wikiprep.cli.options import sections_of
from wikiprep.config import COMPATS, PRESETS, Config, apply
from wikiprep.config_toml import ConfigFile, load
from wikiprep.errors import UsageError
from wikiprep.stages.job import Job
from wikiprep.stages.unit import RunOptions


def build_from(parameters: dict[str, Any], until: str | None = None) -> None:
    """Run the build that the command's parameters describe, and print its summary."""
    from wikiprep.local.driver import build
    from wikiprep.stages.settle import Policy

    given = load(Path(parameters["config_file"])) if parameters.get("config_file") else ConfigFile()
    preset = parameters.pop("preset") or given.top.get("preset") or "luke"
    config = _config(parameters, given, preset)
    if parameters["update"] and parameters["overwrite"]:
        raise UsageError("--update and --overwrite exclude each other", "give one of them")
    policy = Policy.UPDATE if parameters["update"] else Policy.OVERWRITE if parameters["overwrite"] else Policy.REFUSE
    job = _job(parameters, given, config, until)
    build(job, _run_options(parameters, given), policy, preset)


def _config(parameters: dict[str, Any], given: ConfigFile, preset: str) -> Config:
    if preset not in PRESETS:
        raise UsageError(f"unknown preset {preset!r}", f"presets are {', '.join(PRESETS)}")
    config = apply(Config(), PRESETS[preset])
    sections = sections_of(parameters)
    config = apply(config, given.sections)
    if compat := sections.get("records", {}).get("compat") or config.records.compat:
        config = apply(config, COMPATS[compat])
        config = apply(config, given.sections)
    return apply(config, sections)


def _job(parameters: dict[str, Any], given: ConfigFile, config: Config, until: str | None) -> Job:
    dumps = tuple(parameters.get("dumps") or given.top.get("dumps") or ())
    output = parameters.get("output") or given.top.get("output")
    annotated, vocab = parameters.get("annotated"), parameters.get("vocab")
    if not output:
        raise UsageError("no output folder given", "give --output FOLDER")
    if parameters.get("sample"):
        from wikiprep.sample import dump_path, tokenizer_path

        if dumps or annotated:
            raise UsageError("--sample is a dump of its own", "give either a dump or --sample")
        dumps = (str(dump_path()),)
        if config.tokenizer.tokenizer is None:
            config = apply(config, {"tokenizer": {"tokenizer": str(tokenizer_path())}})
    if annotated:
        if dumps:
            raise UsageError("--from and a dump exclude each other", "give one of them")
        if not vocab:
            raise UsageError("--from needs a vocabulary", "give --vocab FILE (JSON lines, TSV or entity_vocab.json)")
        for path in (annotated, vocab):
            if not Path(path).is_file():
                raise UsageError(f"{path}: no such file")
        if not config.input.language:
            raise UsageError("annotated text has no language of its own", "give --language, such as --language en")
    elif not dumps:
        raise UsageError("no dump given", "give a pages-articles dump, or --sample")
    return Job(str(output), config, dumps, annotated, vocab, until)


def _run_options(parameters: dict[str, Any], given: ConfigFile) -> RunOptions:
    known = {f.name for f in fields(RunOptions)}
    for name in given.run:
        if name not in known:
            raise UsageError(f"unknown option {name!r} in [run]", f"options are {', '.join(sorted(known))}")
    run = given.run | {n: parameters[n] for n in known if parameters.get(n)}
    if "page_memory" in run:
        run["page_memory"] = int(run["page_memory"]) << 20
    return replace(RunOptions(workers=len(os.sched_getaffinity(0))), **run)
