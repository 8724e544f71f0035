"""A click option of a field of a dataclass of options: its name, type, choices and help stand at the field alone."""

from collections.abc import Callable
from dataclasses import Field, fields
from typing import Any, TypeVar, get_args, get_origin

import click

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
