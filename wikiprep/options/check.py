"""Whether an option takes a value: the one validator of command lines, TOML files and `--set`."""

from dataclasses import MISSING, Field, fields
from types import NoneType
from typing import Any, cast, get_args, get_origin

from wikiprep.errors import UsageError

_IN_WORDS = {NoneType: "nothing", bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


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
