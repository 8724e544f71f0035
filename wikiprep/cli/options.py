"""Click options made from the configuration's fields: a default and a help text stand in one place only."""

from collections.abc import Callable, Sequence
from dataclasses import Field, fields
from typing import Any, TypeVar, get_args, get_origin

import click

from wikiprep.cli.download_options import server_options
from wikiprep.cli.option_sections import SEPARATOR
from wikiprep.cli.output_types import PLACE
from wikiprep.config import PRESETS, Config, Sections
from wikiprep.units.unit import RunOptions

F = TypeVar("F", bound=Callable[..., Any])


def content_options(*sections: str, without: Sequence[str] = ()) -> Callable[[F], F]:
    """Options for every field of the sections named, unset by default so that a configuration file can speak."""

    def decorate(command: F) -> F:
        defaults = Config()
        for section in reversed(sections):
            for f in reversed(fields(getattr(defaults, section))):
                if f.name not in without:
                    command = _option(section, f)(command)
        return command

    return decorate


def _option(section: str, f: Field[Any]) -> Callable[[F], F]:
    flag = "--" + f.name.replace("_", "-")
    name = f"{section}{SEPARATOR}{f.name}"
    kind = next(k for k in (get_args(f.type) or (f.type,)) if k is not type(None))
    default = "" if f.default in (None, ()) or (kind is bool and not f.default) else f" [{f.default}]"
    help_text = f.metadata["help"] + default
    if get_origin(f.type) is tuple:
        return click.option(flag, name, multiple=True, help=f"{help_text} May be given several times.")
    if kind is bool:
        return click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=help_text)
    choices = f.metadata["choices"]
    return click.option(flag, name, type=click.Choice(choices) if choices else kind, default=None, help=help_text)


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
    defaults = RunOptions()
    for option in reversed(
        [
            click.option("--output", "-o", type=PLACE, help="Folder, or gs://, s3://, hdfs:// address, to write to."),
            click.option("--config", "config_file", type=click.Path(), help="TOML file with any of these options."),
            click.option("--preset", type=click.Choice(list(PRESETS)), help="Defaults of a published system. [luke]"),
            click.option("--workers", type=click.IntRange(1), help="Worker processes. [number of cores]"),
            click.option(
                "--page-timeout",
                type=click.FloatRange(0.01),
                help=f"Seconds a page may take before its worker is replaced. [{defaults.page_timeout:g}]",
            ),
            click.option(
                "--page-memory",
                type=click.IntRange(64),
                help=f"MB of private memory a worker may reach at a page. [{defaults.page_memory >> 20}]",
            ),
            click.option(
                "--scratch", type=click.Path(), help="Folder on local disk for temporary files of a remote output."
            ),
            click.option(
                "--checksums/--no-checksums",
                default=None,
                help="Compare the dump's files with SHA256SUMS, …-sha1sums.txt or …-md5sums.txt beside them. "
                "[--checksums]",
            ),
            server_options,
            click.option(
                "--runner",
                metavar="NAME",
                help="Where units run: local, spark, or a runner of Beam; its own options may follow, as --name=value "
                "(wikiprep docs cluster). [local]",
            ),
            click.option(
                "--retries",
                type=click.IntRange(0),
                help="With --runner: times that the job begins again on what is missing, where processes of an engine "
                f"ended that does not replace them. [{defaults.retries}]",
            ),
            click.option(
                "--start-timeout",
                type=click.FloatRange(1),
                help="With --runner: seconds in which its first worker must have started (Dataflow tells for itself). "
                f"[{defaults.start_timeout:g}]",
            ),
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
