"""A dataclass of options with what a user gave put into it."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar, cast, get_args

from wikiprep.errors import UsageError
from wikiprep.nearest import names_hint
from wikiprep.options.check import check_option

T = TypeVar("T")


def fill_options(
    default: T, given_values: Mapping[str, Any], table: str, *, where: str = "", beside: Sequence[str] = ()
) -> T:
    """`default` with the options `given_values`: lists as tuples, and whole numbers as numbers where an option is one.

    `table`: their name in a TOML file, `where`: what said so, for messages. `beside`: names that the table takes too,
    which are not of this dataclass. Raises UsageError for another name, and for a value that cannot be.
    """
    known_fields = {f.name: f for f in fields(cast(Any, default))}
    values = {}
    for name, value in given_values.items():
        if name not in known_fields:
            raise UsageError(
                f"{where + ': ' if where else ''}unknown option {name!r} in [{table}]",
                names_hint("options", name, (*beside, *known_fields)),
            )
        check_option(table, value, known_fields[name], where)
        is_float = float in (get_args(known_fields[name].type) or (known_fields[name].type,))
        if is_float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)  # 32 and 32.0 are one value, in fingerprints too
        values[name] = tuple(value) if isinstance(value, list) else value
    result: T = replace(cast(Any, default), **values)
    return result


def take_options(default: T, values: dict[str, Any], table: str) -> T:
    """`default` with its own options, which are taken out of `values`; others stay, for who else `table` is of."""
    own_names = {f.name for f in fields(cast(Any, default))}
    return fill_options(default, {name: values.pop(name) for name in [*values] if name in own_names}, table)


def names_of(*options: object) -> tuple[str, ...]:
    """The names of the options of one or several dataclasses."""
    return tuple(f.name for instance in options for f in fields(cast(Any, instance)))
