"""Click options made from the configuration's fields: a default and a help text stand in one place only."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import click

from wikiprep.cli.download_options import server_options
from wikiprep.cli.field_option import SEPARATOR, field_option
from wikiprep.cli.output_types import PLACE
from wikiprep.config import PRESETS, Config, RunOptions, Sections

F = TypeVar("F", bound=Callable[..., Any])


def content_options(*sections: str, without: Sequence[str] = ()) -> Callable[[F], F]:
    """Options for every field of the sections named, unset by default so that a configuration file can speak."""

    def decorate(command: F) -> F:
        defaults = Config()
        for section in reversed(sections):
            for f in reversed(fields(getattr(defaults, section))):
                if f.name not in without:
                    command = field_option(section, f)(command)
        return command

    return decorate


def _run_option(name: str, default: str = "") -> Callable[[F], F]:
    """An option of `RunOptions`; `default`: in the place of its own, as words."""
    return field_option("", next(f for f in fields(RunOptions) if f.name == name), default)


def sections_of(parameters: dict[str, Any]) -> Sections:
    """The content options given on the command line; takes them out of `parameters`."""
    sections: Sections = {}
    for name in [n for n in parameters if SEPARATOR in n]:
        value = parameters.pop(name)
        if value is not None and value != ():
            section, option = name.split(SEPARATOR)
            sections.setdefault(section, {})[option] = value
    return sections


def run_options(command: F) -> F:
    """Options that do not change the output."""
    for option in reversed(
        [
            click.option("--output", "-o", type=PLACE, help="Folder, or gs://, s3://, hdfs:// address, to write to."),
            click.option("--config", "config_file", type=click.Path(), help="TOML file with any of these options."),
            click.option("--preset", type=click.Choice(list(PRESETS)), help="Defaults of a published system. [luke]"),
            _run_option("workers", "number of cores"),
            _run_option("page_timeout"),
            _run_option("page_memory"),
            _run_option("scratch"),
            _run_option("checksums"),
            server_options,
            click.option(
                "--runner",
                metavar="NAME",
                help="Where units run: local, spark, or a runner of Beam; its own options may follow, as --name=value "
                "(wikiprep docs cluster). [local]",
            ),
            _run_option("retries"),
            _run_option("start_timeout"),
            click.option("--update", is_flag=True, help="Redo the stages that changed options touch."),
            click.option("--overwrite", is_flag=True, help="Begin anew whatever is there."),
            click.option(
                "--dry-run",
                is_flag=True,
                help="Say what would be done (inputs, stages, what is finished, disk, options) and build nothing.",
            ),
            click.option("--quiet", "-q", is_flag=True, help="No progress and no summary."),
        ]
    ):
        command = option(command)
    return command
