"""What every command has: -q, -v, --version, and the nearest name where one of a list is mistyped.

Put onto a command as it is imported, so that none can be without. `-q` and `-v` also stand before the command's name.
"""

import copy
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import click

from wikiprep.nearest import nearest
from wikiprep.verbosity import Verbosity, detail, set_verbosity, verbosity
from wikiprep.version import wikiprep_version

_QUIET_HELP = "Nothing on the terminal but the result and what must be read."
_VERBOSE_HELP = "Details too: each unit and request, time and memory, where an error arose."


class NearChoice(click.Choice[str]):
    """A choice of names that says which of them is near a mistyped one."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """As click's, with the nearest names behind it."""
        said = super().get_invalid_choice_message(value, ctx)
        near = nearest(str(value), map(str, self.choices))
        return f"{said.removesuffix('.')}. Did you mean {' or '.join(map(repr, near))}?" if near else said


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Found when it is asked for: in a checkout git is."""
    if asked and not ctx.resilient_parsing:
        click.echo(f"wikiprep, version {wikiprep_version()}")
        ctx.exit()


def _sets(level: Verbosity) -> Callable[[click.Context, click.Parameter, bool | None], bool]:
    def asked(ctx: click.Context, _: click.Parameter, value: bool | None) -> bool:
        if value and not ctx.resilient_parsing:
            if verbosity() not in (Verbosity.NORMAL, level):
                raise click.UsageError("--quiet and --verbose exclude each other.", ctx)
            set_verbosity(level)
        return verbosity() is level

    return asked


def common_options() -> list[click.Option]:
    """-q, -v and --version. They have no value for the command itself."""
    quiet, verbose = _sets(Verbosity.QUIET), _sets(Verbosity.VERBOSE)
    return [
        click.Option(["--quiet", "-q"], is_flag=True, expose_value=False, callback=quiet, help=_QUIET_HELP),
        click.Option(["--verbose", "-v"], is_flag=True, expose_value=False, callback=verbose, help=_VERBOSE_HELP),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Print the version.",
        ),
    ]


def with_habits(command: click.Command) -> click.Command:
    """A copy of the command with what it lacked. A `quiet` of its own is also true for `wikiprep -q COMMAND`."""
    made = copy.copy(command)
    made.params = [_with_habits(param) for param in command.params]
    own = {param.name for param in made.params}
    made.params += [it for it in common_options() if it.name not in own]
    return made


def _with_habits(param: click.Parameter) -> click.Parameter:
    made = copy.copy(param)
    if type(made.type) is click.Choice:
        made.type = NearChoice(made.type.choices, made.type.case_sensitive)
    if made.name == "quiet":
        made.callback = _sets(Verbosity.QUIET)
    return made


def tell_cost(begun: float) -> None:
    """With -v: what ran, how long it took since `begun` (time.monotonic), and the memory it reached."""
    if verbosity() is Verbosity.VERBOSE:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3  # kB on Linux
        python = ".".join(map(str, sys.version_info[:3]))
        took = time.monotonic() - begun
        detail(f"wikiprep {wikiprep_version()}, Python {python}: {took:.1f} s, {most:,.0f} MB of memory at most")
