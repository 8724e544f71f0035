"""The options of a build by section, as `--help` shows them and a configuration file has them."""

from collections.abc import Iterable
from dataclasses import fields

import click

from wikiprep.cli.options import SEPARATOR
from wikiprep.config import ServerOptions

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
