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

from wikiprep.suggestions import nearest
from wikiprep.verbosity import Verbosity, detail, set_verbosity, verbosity
from wikiprep.version import wikiprep_version

_QUIET_HELP = "Nothing on the terminal but the result and what must be read."
_VERBOSE_HELP = "Details too: each unit and request, time and memory, where an error arose."


class NearChoice(click.Choice[str]):
    """A choice of names that says which of them is near a mistyped one."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """As click's, with the nearest names behind it."""
        message = super().get_invalid_choice_message(value, ctx)
        near = nearest(str(value), map(str, self.choices))
        return f"{message.removesuffix('.')}. Did you mean {' or '.join(map(repr, near))}?" if near else message


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the version, which is looked up only now: in a checkout by git."""
    if value and not ctx.resilient_parsing:
        click.echo(f"wikiprep, version {wikiprep_version()}")
        ctx.exit()


def _verbosity_callback(level: Verbosity) -> Callable[[click.Context, click.Parameter, bool | None], bool]:
    def callback(ctx: click.Context, _: click.Parameter, value: bool | None) -> bool:
        if value and not ctx.resilient_parsing:
            if verbosity() not in (Verbosity.NORMAL, level):
                raise click.UsageError("--quiet and --verbose exclude each other.", ctx)
            set_verbosity(level)
        return verbosity() is level

    return callback


def common_options() -> list[click.Option]:
    """-q, -v and --version. They have no value for the command itself."""
    quiet, verbose = _verbosity_callback(Verbosity.QUIET), _verbosity_callback(Verbosity.VERBOSE)
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


def with_common_options(command: click.Command) -> click.Command:
    """A copy of the command with what it lacked. A `quiet` of its own is also true for `wikiprep -q COMMAND`."""
    new_command = copy.copy(command)
    new_command.params = [_adapt_param(param) for param in command.params]
    own_names = {param.name for param in new_command.params}
    new_command.params += [it for it in common_options() if it.name not in own_names]
    return new_command


def _adapt_param(param: click.Parameter) -> click.Parameter:
    new_param = copy.copy(param)
    if type(new_param.type) is click.Choice:
        new_param.type = NearChoice(new_param.type.choices, new_param.type.case_sensitive)
    if new_param.name == "quiet":
        new_param.callback = _verbosity_callback(Verbosity.QUIET)
    return new_param


def tell_cost(begun: float) -> None:
    """With -v: what ran, how long it took since `begun` (time.monotonic), and the memory it reached."""
    if verbosity() is Verbosity.VERBOSE:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3  # kB on Linux
        python = ".".join(map(str, sys.version_info[:3]))
        seconds = time.monotonic() - begun
        detail(f"wikiprep {wikiprep_version()}, Python {python}: {seconds:.1f} s, {peak:,.0f} MB of memory at most")
