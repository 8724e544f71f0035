"""What build-corpus, extract, tables and records share.

Their options by section, as --help shows them and a configuration file has them; their parameters, as click has them,
to the build that Python has too; and options of an engine, which wikiprep does not know: with `--runner`, what no
option of the command is goes to it.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import click

from wikiprep.api.building import run_build
from wikiprep.cli.options import SEPARATOR, sections_of
from wikiprep.config import ServerOptions
from wikiprep.errors import UsageError

_KEY = "wikiprep.engine_options"


class BuildCommand(click.Command):
    """A command that builds. With `--runner` given, unknown `--name=value` and `--flag` are the engine's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the engine's options out, then parse as click does."""
        if any(word == "--runner" or word.startswith("--runner=") for word in args):
            args, ctx.meta[_KEY] = _split(args, {name for param in self.params for name in _option_names(param)})
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """By section: there are too many for one list."""
        write_sections(ctx, self.get_params(ctx), formatter)


def engine_options() -> list[str]:
    """The engine's options of the running command, word for word."""
    ctx = click.get_current_context(silent=True)
    return list(ctx.meta.get(_KEY, ())) if ctx else []


def _option_names(param: click.Parameter) -> list[str]:
    return [*param.opts, *param.secondary_opts, "--help"]


def _split(args: list[str], known_options: set[str]) -> tuple[list[str], list[str]]:
    """Our words, and the engine's."""
    ours: list[str] = []
    engine: list[str] = []
    for i, word in enumerate(args):
        if word == "--":
            return ours + args[i:], engine
        if not word.startswith("--") or word.partition("=")[0] in known_options:
            ours.append(word)
            continue
        after = args[i + 1] if i + 1 < len(args) else "-"
        if "=" not in word and not after.startswith("-"):
            # A value, or a dump? Beam's flags take none, its other options do; only Beam knows which are which.
            raise UsageError(
                f"{word} {after}: the runner's options are written with =",
                f"{word}={after}; if {word} takes no value, put {after} before it",
            )
        engine.append(word)
    return ours, engine


def build_from(parameters: dict[str, Any], until: str | None = None) -> None:
    """Run the build that the command's parameters describe, and print its summary."""
    sections = sections_of(parameters)
    run_build(parameters, sections, until, engine_options())


# Section of the configuration, or of options that change no byte -> title. In the order of work.
TITLES = {
    "": "Options",
    "input": "Dump [input]",
    "wikidata": "Wikidata [wikidata]",
    "extract": "Text of articles [extract]",
    "leave_out": "Evaluation sets [leave_out]",
    "vocabulary": "Entities [vocabulary]",
    "mentions": "Names of entities [mentions]",
    "tokenizer": "Tokenizer [tokenizer]",
    "records": "Records [records]",
    "relations": "Relations of records [relations]",
    "run": "How it runs; changes no byte of the output [run]",
    "download": "Where a wiki's name is downloaded from [run]",
    "common": "As of every command",
}
_FIRST = (
    "sample",
    "annotated",
    "vocab",
    "titles_from",
    "output",
    "config_file",
    "preset",
    "update",
    "overwrite",
    "dry_run",
)
_COMMON = ("quiet", "verbose", "version")
_DOWNLOAD = tuple(f.name for f in fields(ServerOptions))


def section_of(parameter: str) -> str:
    """The key in TITLES of a parameter of a build's command."""
    section, separator, _ = parameter.partition(SEPARATOR)
    if separator:
        return section
    if parameter in _FIRST:
        return ""
    return "common" if parameter in _COMMON else "download" if parameter in _DOWNLOAD else "run"


def write_sections(ctx: click.Context, parameters: Iterable[click.Parameter], formatter: click.HelpFormatter) -> None:
    """The options of `parameters`, a list under each title."""
    sections: dict[str, list[tuple[str, str]]] = {name: [] for name in TITLES}
    for param in parameters:
        help_record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
        if help_record is not None:
            sections["common" if "--help" in param.opts else section_of(param.name or "")].append(help_record)
    for name, rows in sections.items():
        if rows:
            with formatter.section(TITLES[name]):
                formatter.write_dl(rows)
