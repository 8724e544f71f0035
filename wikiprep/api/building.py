"""From what a user asked for to a job, and the build of it: of `wikiprep.build` and of the commands that build.

Precedence, weakest first: defaults, preset, configuration file, what a compat mode starts from, what was asked for.
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wikiprep.addresses import is_web, refuse_web
from wikiprep.config import (
    COMPATS,
    PRESETS,
    Config,
    RunOptions,
    Sections,
    ServerOptions,
    WikidataConfig,
    apply,
    named_files,
)
from wikiprep.config_toml import ConfigFile, load
from wikiprep.download.wiki_names import names_a_wiki, near_names, wiki_of
from wikiprep.dump.source import is_file
from wikiprep.errors import UsageError
from wikiprep.languages.language_codes import require_language
from wikiprep.options.option_fields import fill_options, names_of, take_options
from wikiprep.process import usable_cores
from wikiprep.suggestions import names_hint
from wikiprep.units.job import Job


def run_build(
    parameters: dict[str, Any], sections: Sections, until: str | None = None, engine: Sequence[str] = ()
) -> str:
    """Run the build that was asked for, and give its output's address.

    `parameters`: the options that decide no byte, and `dumps`, `output`, `sample`, `preset`, `config_file`; None, or
    left out, for what was not given. `sections`: the content options that were given. `until`: the stage to end with.
    `engine`: options of the runner, as `--name=value`. Without `quiet` it shows progress and prints a summary. With
    `dry_run` nothing is built: it prints what would be.
    """
    from wikiprep.runtime.reconcile import Policy

    refuse_web(parameters.get("config_file") or "")
    config_file = load(Path(parameters["config_file"])) if parameters.get("config_file") else ConfigFile()
    preset = parameters.get("preset") or config_file.top.get("preset") or "luke"
    config = _config(sections, config_file, preset)
    if parameters.get("update") and parameters.get("overwrite"):
        raise UsageError("--update and --overwrite exclude each other", "give one of them")
    policy = Policy.REFUSE
    if parameters.get("update") or parameters.get("overwrite"):
        policy = Policy.UPDATE if parameters.get("update") else Policy.OVERWRITE
    job = _job(parameters, config_file, config, until)
    server = take_server_options(parameters, config_file.run, config_file.path)
    options, runner = _run_options(parameters, config_file), parameters.get("runner")
    wiki = wiki_of(job)
    # Who asks may be said once for all, in a file or the environment: nobody is told that it has no use here.
    if not wiki and (server_names := [it for it in names_of(server) if it != "contact" and getattr(server, it)]):
        raise UsageError(
            f"--{server_names[0]} without a wiki's name", "it says which dump is downloaded: build-corpus simplewiki"
        )
    if parameters.get("dry_run"):
        from wikiprep.api.dry_run import foresee, foresee_named
        from wikiprep.pipelines.runners import runner_by_name

        if runner is not None:
            runner_by_name(runner)
        if wiki:
            foresee_named(job, wiki, server, preset)
        else:
            foresee(job, options, policy, preset)
        return job.output
    if wiki:
        from wikiprep.api.named_dump import with_files

        job = with_files(job, wiki, server, options, policy, runner)
    if runner is None:
        from wikiprep.local.driver import build

        build(job, options, policy, preset)
    else:
        from wikiprep.pipelines.options import build as build_on

        build_on(runner, list(engine), job, options, policy, preset)
    return job.output


def _config(sections: Sections, config_file: ConfigFile, preset: str) -> Config:
    if preset not in PRESETS:
        of_file = f"{config_file.path}: " if config_file.top.get("preset") == preset else ""
        raise UsageError(f"{of_file}unknown preset {preset!r}", names_hint("presets", preset, PRESETS))
    config = apply(Config(), PRESETS[preset])
    config = apply(config, config_file.sections, config_file.path)
    if compat := sections.get("records", {}).get("compat") or config.records.compat:
        config = apply(config, COMPATS[compat])
        config = apply(config, config_file.sections, config_file.path)
    config = apply(config, sections)
    if config.records.densify:
        config = _with_mention_table(config, sources=(config_file.sections, sections))
    shortest, longest = config.records.min_sentence_length, config.records.max_seq_length - 2
    if shortest > longest:
        raise UsageError(f"[records] min_sentence_length = {shortest}: no record can hold it", f"the most is {longest}")
    if config.input.language is not None:
        config = apply(config, {"input": {"language": require_language(config.input.language)}})
    _check_named_files(config)
    _check_wikidata(config.wikidata)
    if config.vocabulary.entity_vocab and config.vocabulary.white_list:
        raise UsageError("--entity-vocab and --white-list exclude each other", "give one of them")
    return config


def _check_named_files(config: Config) -> None:
    """Whether the files that options name are there, or are a wiki's that are downloaded: before hours of work."""
    for _, name, path in named_files(config):
        if name == "wikidata" or "://" in path:
            continue  # a folder or a glob too, which `_check_wikidata` looks for; an address
        # A table of templates is read once, here: it may be a pipe, such as `<(command)`.
        once = name == "template_table"
        if not (Path(path).exists() if once else Path(path).is_file() or names_a_wiki(path)):
            raise UsageError(f"--{name.replace('_', '-')} {path}: no such file", "check the path")


def _check_wikidata(wikidata: WikidataConfig) -> None:
    """What Wikidata's options need of each other, and whether the dump is one: before hours of work."""
    tables = (wikidata.wikidata_redirect, wikidata.wikidata_page)
    if (tables[0] is None) != (tables[1] is None):
        raise UsageError("--wikidata-redirect and --wikidata-page belong together", "give both, of one date")
    if tables[0] is not None and wikidata.wikidata is None:
        raise UsageError("--wikidata-redirect without --wikidata", "give Wikidata's JSON dump too")
    if wikidata.wikidata_outside and wikidata.wikidata is None:
        raise UsageError("--wikidata-outside without --wikidata", "give Wikidata's JSON dump too")
    if wikidata.wikidata is not None and not names_a_wiki(wikidata.wikidata):
        from wikiprep.wikidata.json_dump_files import find_files

        find_files(wikidata.wikidata)


def _with_mention_table(config: Config, sources: tuple[Sections, ...]) -> Config:
    """The configuration with the mention table, which --densify needs. Raises UsageError where that is switched off."""
    if config.records.compat:
        raise UsageError(f"--densify and --compat {config.records.compat} exclude each other", "give one of them")
    refusals = [sections for sections in sources if sections.get("mentions", {}).get("mentions") is False]
    if refusals and not config.mentions.mentions:
        raise UsageError("--densify needs the mention statistics", "leave --no-mentions out")
    return apply(config, {"mentions": {"mentions": True}})


def _job(parameters: dict[str, Any], config_file: ConfigFile, config: Config, until: str | None) -> Job:
    dumps = tuple(parameters.get("dumps") or config_file.top.get("dumps") or ())
    output = parameters.get("output") or config_file.top.get("output")
    annotated, vocab, titles_from = (parameters.get(name) for name in ("annotated", "vocab", "titles_from"))
    for path in (*dumps, output or "", annotated or "", vocab or "", titles_from or ""):
        try:
            path.encode()
        except UnicodeEncodeError:
            readable_path = os.fsencode(path).decode(errors="replace")
            raise UsageError(
                f"{readable_path}: the path is not UTF-8", "rename the file or folder, or link to it"
            ) from None
    for dump in dumps:
        if _LIKE_A_WIKI.fullmatch(dump) and not names_a_wiki(dump) and not Path(dump).exists():
            raise UsageError(f"{dump}: no such file", near_names(dump))
    if "" in dumps:
        raise UsageError("a dump's path is empty", "check the variable that it came from")
    if not output:
        raise UsageError("no output folder given", "give --output FOLDER")
    if is_web(output):
        raise UsageError(f"--output {output}: nothing can be written there", "give a folder, or s3://, gs://, hdfs://")
    if parameters.get("sample"):
        from wikiprep.sample import dump_path, tokenizer_path, wikidata_path

        if dumps or annotated:
            raise UsageError("--sample is a dump of its own", "give either a dump or --sample")
        dumps = (str(dump_path()),)
        if config.tokenizer.tokenizer is None:
            config = apply(config, {"tokenizer": {"tokenizer": str(tokenizer_path())}})
        if config.wikidata.wikidata is None:
            config = apply(config, {"wikidata": {"wikidata": str(wikidata_path())}})
    if annotated:
        if config.records.densify:
            raise UsageError(
                "--densify needs the mention statistics of a dump, and --from has none",
                "annotate the text first: `wikiprep annotate CORPUS --input FILE --output FILE`",
            )
        if dumps:
            raise UsageError("--from and a dump exclude each other", "give one of them")
        if config.leave_out.leave_out:
            raise UsageError("--from and --leave-out exclude each other", "leave the text out of the file of --from")
        if config.wikidata.wikidata:
            raise UsageError("--from and --wikidata exclude each other", "annotated text has no pages to match")
        if not vocab:
            raise UsageError("--from needs a vocabulary", "give --vocab FILE (JSON lines, TSV or entity_vocab.json)")
        for path in (annotated, vocab):
            if not is_file(path):
                raise UsageError(f"{path}: no such file")
        if titles_from:
            from wikiprep.tables.title_source import open_title_source

            open_title_source(titles_from)  # before any work
        if not config.input.language:
            raise UsageError("annotated text has no language of its own", "give --language, such as --language en")
    elif titles_from:
        raise UsageError("--titles-from without --from", "the links of a dump are its own titles")
    elif not dumps:
        raise UsageError(
            "no dump given", "give the folder of a content export (mediawiki_content_current), or --sample"
        )
    return Job(
        output=str(output),
        config=config,
        dumps=dumps,
        annotated=annotated,
        vocab=vocab,
        titles_from=titles_from,
        until=until,
    )


def _run_options(parameters: dict[str, Any], config_file: ConfigFile) -> RunOptions:
    run = fill_options(
        RunOptions(workers=usable_cores()),
        config_file.run,
        "run",
        where=config_file.path,
        beside=names_of(ServerOptions()),
    )
    options = {name: parameters[name] for name in names_of(run) if parameters.get(name) is not None}
    if not options.get("quiet"):
        options.pop("quiet", None)  # a switch that was not given says nothing
    return fill_options(run, options, "run")


# A word that is no path: somebody meant a wiki.
_LIKE_A_WIKI = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def take_server_options(parameters: Mapping[str, Any], run: dict[str, Any], where: str = "") -> ServerOptions:
    """Those of the command, else of table [run] of the file `where`, out of which they are taken."""
    of_file = take_options(ServerOptions(), run, "run", where)
    # An empty one, such as --cache "$UNSET", is none.
    given = {name: parameters[name] for name in names_of(of_file) if parameters.get(name) not in (None, "", ())}
    return fill_options(of_file, given, "run")
