"""What build-corpus, extract, tables and records share: from their parameters, as click has them, to a build.

With them options of an engine, which wikiprep does not know: with `--runner`, what no option of the command is goes to
it.
"""

from typing import Any

import click

from wikiprep.api.building import run_build
from wikiprep.cli.option_sections import write_sections
from wikiprep.cli.options import sections_of
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
