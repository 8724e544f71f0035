"""Options of every command that downloads: from where, which date, who asks."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


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
