"""Click options made of fields of dataclasses: name, type, choices, default and help stand at the field alone.

Of one field (`field_option`), of a whole dataclass (`options_of`), and those of the configuration: what decides the
output (`content_options`), how it runs (`run_options`), where downloads are from (`server_options`).
"""

from collections.abc import Callable, Sequence
from dataclasses import Field, fields
from typing import Any, TypeVar, get_args, get_origin

import click

from wikiprep.cli.output_types import PLACE
from wikiprep.config import PRESETS, Config, RunOptions, Sections, ServerOptions

F = TypeVar("F", bound=Callable[..., Any])
SEPARATOR = "__"  # between section and option in a parameter's name


def field_option(section: str, f: Field[Any], default: str = "", **of_click: Any) -> Callable[[F], F]:
    """Unset by default, so that a configuration file can speak.

    `default`: words in the place of the field's own. `of_click`: what click takes beside that, or in its place.
    """
    flag = "--" + f.name.replace("_", "-")
    name = f"{section}{SEPARATOR}{f.name}" if section else f.name
    kind = next(k for k in (get_args(f.type) or (f.type,)) if k is not type(None))
    default_text = default or (flag if kind is bool else _format_default(f.default))
    unset = f.default is False or f.default in (None, ())  # a 0 is a value
    help_text = f.metadata["help"] + ("" if unset else f" [{default_text}]")
    choices = f.metadata["choices"]
    settings: dict[str, Any] = {"help": help_text}
    if get_origin(f.type) is tuple:
        settings |= {"multiple": True, "help": f"{help_text} May be given several times."}
    elif kind is bool:
        flag, settings["default"] = f"{flag}/--no-{flag[2:]}", None
    else:
        settings |= {"type": click.Choice(choices) if choices else kind, "default": None}
    return click.option(flag, name, **settings | of_click)


def options_of(kind: Any) -> Callable[[F], F]:
    """An option of every field of the dataclass `kind`, unset by default."""

    def decorate(command: F) -> F:
        for f in reversed(fields(kind)):
            command = field_option("", f)(command)
        return command

    return decorate


def _format_default(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) and value < 1e5 else str(value)


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


_FIELDS = {f.name: f for f in fields(ServerOptions)}
# What no field says: what stands for a value in --help, and where else it may come from.
_OF_CLICK: dict[str, dict[str, Any]] = {
    "date": {"metavar": "DATE"},
    "mirror": {"metavar": "URL", "help": _FIELDS["mirror"].metadata["help"]},  # which says that several may be given
    "contact": {"envvar": "WIKIPREP_CONTACT"},
    "cache": {"type": click.Path()},
}


def server_options(command: F) -> F:
    """Options of every command that downloads: from where, which date, who asks.

    Unset by default, so that a configuration file can speak.
    """
    for name, f in reversed(_FIELDS.items()):
        command = field_option("", f, **_OF_CLICK.get(name, {}))(command)
    return command
