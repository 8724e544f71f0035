"""Options in TOML: a file, the words of `--set table.option=value`, and a value as it is written."""

import json
import tomllib
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError


def read_toml(path: Path) -> dict[str, Any]:
    """What a file says, "~" before its paths opened. Raises UsageError where it cannot be read, or is no TOML."""
    try:
        tables: dict[str, Any] = expand_home(tomllib.loads(path.read_text(encoding="utf-8-sig")))
        return tables
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})", "check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a TOML file ({error})") from error


def read_setting(setting: str) -> dict[str, Any]:
    """`table.option=value` as the table of a file. Raises UsageError for another form."""
    name, equals, value = setting.partition("=")
    table, _, key = name.strip().partition(".")
    if not (equals and table and key):
        raise UsageError(f"--set {setting}: not of the form table.option=value", "such as data.global_batch=256")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()  # a string without its quotes
    return {table: {key: expand_home(parsed)}}


def expand_home(value: Any) -> Any:
    """With a "~" or "~/" before a path opened, as a shell opens it on the command line, in lists and tables too."""
    if isinstance(value, list):
        return [expand_home(item) for item in value]
    if isinstance(value, dict):
        return {name: expand_home(item) for name, item in value.items()}
    return str(Path(value).expanduser()) if isinstance(value, str) and (value + "/").startswith("~/") else value


def to_toml(value: Any) -> str:
    """A value as TOML has it, on one line. TOML has no null: leave such an option out, or write it as a comment."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {to_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, float):
        return repr(value)
    # A string of JSON is one of TOML, but for the one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
