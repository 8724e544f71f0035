"""An option is a field of a frozen dataclass; its default, help text and bounds stand there and nowhere else.

Whether an option takes a value is asked here, for command lines, TOML files and `--set`; and a dataclass of options
gets what a user gave.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, replace
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin

from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint

T = TypeVar("T")
LARGEST = 1_000_000_000.0
_IN_WORDS = {NoneType: "nothing", bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


def option(
    default: T,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    minimum: float | None = None,
    maximum: float = LARGEST,
    path: bool = False,
) -> T:
    """A field with its help text and the values it takes.

    `minimum` and `maximum` are taken too; without a minimum a number is not bounded. `path`: names a file, whose
    content counts, not its name.
    """
    option_field: T = field(default=default, metadata=_metadata(help, choices, minimum, maximum, path))
    return option_field


def required(help: str, *, minimum: float | None = None, maximum: float = LARGEST) -> Any:
    """The same of an option without a default: whoever makes the dataclass gives it."""
    return field(metadata=_metadata(help, (), minimum, maximum, False))


def _metadata(
    help: str, choices: tuple[str, ...], minimum: float | None, maximum: float, path: bool
) -> dict[str, object]:
    return {"help": help, "choices": choices, "minimum": minimum, "maximum": maximum, "path": path}


def check_option(table: str, value: Any, option: "Field[Any]", where: str = "") -> None:
    """Raises UsageError, with `where` in front, unless `value` is one that the field `option` of `table` takes."""
    setting = f"{where + ': ' if where else ''}[{table}] {option.name} = {value!r}"
    if get_origin(option.type) is tuple:
        _check_list(setting, value, get_args(option.type)[0], option.metadata.get("path", False))
        return
    kinds = get_args(option.type) or (option.type,)
    number = float in kinds and isinstance(value, int) and not isinstance(value, bool)
    if not (type(value) in kinds or number):
        raise UsageError(f"{setting} is of the wrong type", f"it takes {_format_kinds(kinds, option)}")
    choices = option.metadata.get("choices", ())
    if value == "" != option.default and option.default is not MISSING:
        raise UsageError(f"{setting} is empty", "give a value, or leave it out")
    if value is None or (isinstance(value, bool) and bool in kinds):
        return
    if choices and value not in choices:
        accepted = (*choices, *(("true", "false") if bool in kinds else ()))
        raise UsageError(f"{setting} is not known", f"it takes {' or '.join(accepted)}")
    minimum, maximum = option.metadata.get("minimum"), option.metadata.get("maximum")
    if isinstance(value, str) or minimum is None:
        return
    if not value >= minimum:  # so that NaN is refused too
        raise UsageError(f"{setting} is too small", f"the least is {minimum}")
    if value > maximum:
        raise UsageError(f"{setting} is too large", f"the most is {maximum:,}")


def check_all(options: object, table: str) -> None:
    """The same of every option of a dataclass, for its `__post_init__`: wherever it comes from."""
    for option_field in fields(cast(Any, options)):
        check_option(table, getattr(options, option_field.name), option_field)


def _check_list(setting: str, value: Any, kind: type, of_files: bool) -> None:
    fits = isinstance(value, list | tuple) and all(type(item) is kind and item != "" for item in value)
    if not fits:
        items = "file names" if of_files else {int: "whole numbers", float: "numbers", str: "strings"}[kind]
        raise UsageError(f"{setting} is of the wrong type", f"it takes a list of {items}")


def _format_kinds(kinds: tuple[Any, ...], option_field: "Field[Any]") -> str:
    if option_field.metadata.get("choices") and str in kinds:
        return " or ".join((*option_field.metadata["choices"], *(("true", "false") if bool in kinds else ())))
    return " or ".join(_IN_WORDS.get(kind, kind.__name__) for kind in kinds)


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


def take_options(default: T, values: dict[str, Any], table: str, where: str = "") -> T:
    """`default` with its own options, which are taken out of `values`; others stay, for who else `table` is of."""
    own_names = {f.name for f in fields(cast(Any, default))}
    own = {name: values.pop(name) for name in [*values] if name in own_names}
    return fill_options(default, own, table, where=where)


def names_of(*options: object) -> tuple[str, ...]:
    """The names of the options of one or several dataclasses."""
    return tuple(f.name for instance in options for f in fields(cast(Any, instance)))
