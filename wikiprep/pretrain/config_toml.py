"""Configurations as TOML: the shipped ones by name, a user's by path, and what a run used, written into its folder."""

import json
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wikiprep.config_toml import at_home
from wikiprep.errors import UsageError
from wikiprep.nearest import names_are
from wikiprep.pretrain.config import SECTIONS, PretrainConfig, apply_tables

HEAD = "# The options of this run (wikiprep pretrain), to be given as --config."
SHIPPED = Path(__file__).parent / "configs"


def shipped_names() -> list[str]:
    """The names that --config takes beside paths."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load_config(name: str, settings: tuple[str, ...] = ()) -> PretrainConfig:
    """The configuration called `name`, or of the file `name`, with `settings` ("data.global_batch=256") on top."""
    path = Path(name)
    if not name.endswith(".toml"):
        path = SHIPPED / f"{name}.toml"
        if not path.is_file():
            raise UsageError(
                f"no configuration {name!r}", names_are("configurations", name, shipped_names()) + ", or a .toml file"
            )
    config = apply_tables(PretrainConfig(), read_toml(path), str(name))
    for setting in settings:
        config = apply_tables(config, read_setting(setting), f"--set {setting}")
    return config


def dump_config(config: PretrainConfig) -> str:
    """TOML that `load_config` reads back."""
    lines = [HEAD, f"family = {_shown(config.family)}"]
    tables: dict[str, Any] = {name: dict(options) for name, options in config.tables.items()}
    tables |= {name: asdict(getattr(config, name)) for name in SECTIONS}
    for name, options in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_shown(value)}" for key, value in options.items())]
    for stage in config.stages:
        lines += ["", "[[stages]]", *(f"{key} = {_shown(value)}" for key, value in asdict(stage).items())]
    return "\n".join(lines) + "\n"


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file. Raises UsageError where it cannot be read, or is none."""
    try:
        read: dict[str, Any] = at_home(tomllib.loads(path.read_text(encoding="utf-8-sig")))
        return read
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
    return {table: {key: at_home(parsed)}}


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_shown(item)}" for key, item in value.items()) + " }"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
