"""Options of every command that downloads: from where, which date, who asks."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wikiprep.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])
NAMES = ("date", "layout", "mirror", "contact", "cache")


def server_options(command: F) -> F:
    """Unset by default, so that a configuration file can speak."""
    for option in reversed(
        [
            click.option("--date", metavar="DATE", help="latest, or YYYYMMDD: which dump of a wiki's name. [latest]"),
            click.option(
                "--layout",
                type=click.Choice(("any", "content", "classic")),
                help="content: monthly content exports; classic: pages-articles; any: the first that is there. [any]",
            ),
            click.option(
                "--mirror",
                multiple=True,
                metavar="URL",
                help="Server to ask in the place of dumps.wikimedia.org; several are asked in turn.",
            ),
            click.option(
                "--contact",
                envvar="WIKIPREP_CONTACT",
                help="E-mail or web address that servers are told, as Wikimedia wishes. [$WIKIPREP_CONTACT]",
            ),
            click.option(
                "--cache",
                type=click.Path(),
                help="Folder where dumps that were named are kept. [$WIKIPREP_CACHE, or ~/.cache/wikiprep/dumps]",
            ),
        ]
    ):
        command = option(command)
    return command


def server_options_of(parameters: dict[str, Any], run: dict[str, Any]) -> dict[str, Any]:
    """Those given on the command line, else those in [run] of the file; taken out of both."""
    made = {}
    for name in NAMES:
        typed, in_file = parameters.pop(name, None), run.pop(name, None)
        if in_file is not None and not isinstance(in_file, list if name == "mirror" else str):
            raise UsageError(f"{name} = {in_file!r} is of the wrong type", "see this option in --help")
        made[name] = typed or in_file
    return made
