"""Options of a family's tables, `[model]` and `[objective]`, put into its dataclasses and checked on the way."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from wikiprep.errors import UsageError
from wikiprep.nearest import names_are

T = TypeVar("T")


def text_option(options: dict[str, object], name: str, default: str) -> str:
    """Take the option `name` of [model] out. Raises UsageError where it is no string."""
    value = options.pop(name, default)
    if not isinstance(value, str):
        raise UsageError(f"model.{name} = {value!r}", "it takes a string")
    return value


def filled(default: T, options: Mapping[str, object], table: str, beside: tuple[str, ...] = ()) -> T:
    """The dataclass with `options` in it, each of the type that the default has. `beside`: what else there is.

    A tuple of numbers is a list in TOML. Raises UsageError for another name or type.
    """
    kinds: dict[str, type] = {field.name: type(getattr(default, field.name)) for field in fields(cast(Any, default))}
    given = {}
    for name, value in options.items():
        if name not in kinds:
            raise UsageError(f"unknown option {table}.{name}", names_are("options", name, (*beside, *kinds)))
        if not _fits(value, kinds[name]):
            default_value = getattr(default, name)
            like = list(default_value) if isinstance(default_value, tuple) else default_value
            raise UsageError(f"{table}.{name} = {value!r}", f"it takes a value like {like!r}")
        given[name] = tuple(value) if isinstance(value, list) else value
    made: T = replace(cast(Any, default), **given)
    return made


def _fits(value: object, kind: type) -> bool:
    if kind is tuple:
        return isinstance(value, list | tuple) and all(_fits(item, int) for item in value)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)


def truth_option(options: dict[str, object], name: str, default: bool) -> bool:
    """Take the option `name` of [model] out. Raises UsageError where it is neither true nor false."""
    value = options.pop(name, default)
    if not isinstance(value, bool):
        raise UsageError(f"model.{name} = {value!r}", "it takes true or false")
    return value
