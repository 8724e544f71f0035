"""Options of every command that downloads: from where, which date, who asks."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import click

from wikiprep.cli.field_option import field_option
from wikiprep.config import ServerOptions

F = TypeVar("F", bound=Callable[..., Any])

_FIELDS = {f.name: f for f in fields(ServerOptions)}
# What no field says: what stands for a value in --help, and where else it may come from.
_OF_CLICK: dict[str, dict[str, Any]] = {
    "date": {"metavar": "DATE"},
    "mirror": {"metavar": "URL", "help": _FIELDS["mirror"].metadata["help"]},  # which says that several may be given
    "contact": {"envvar": "WIKIPREP_CONTACT"},
    "cache": {"type": click.Path()},
}


def server_options(command: F) -> F:
    """Unset by default, so that a configuration file can speak."""
    for name, f in reversed(_FIELDS.items()):
        command = field_option("", f, **_OF_CLICK.get(name, {}))(command)
    return command
