"""Configurations as TOML: the shipped ones by name, a user's by path, and what a run used, written into its folder."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.options.toml import read_setting, read_toml, to_toml
from wikiprep.pretrain.config import SECTIONS, PretrainConfig, apply_tables
from wikiprep.suggestions import names_hint

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
                f"no configuration {name!r}", names_hint("configurations", name, shipped_names()) + ", or a .toml file"
            )
    config = apply_tables(PretrainConfig(), read_toml(path), str(name))
    for setting in settings:
        config = apply_tables(config, read_setting(setting), f"--set {setting}")
    return config


def dump_config(config: PretrainConfig) -> str:
    """TOML that `load_config` reads back."""
    lines = [HEAD, f"family = {to_toml(config.family)}"]
    tables: dict[str, Any] = {name: dict(options) for name, options in config.tables.items()}
    tables |= {name: asdict(getattr(config, name)) for name in SECTIONS}
    for name, options in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {to_toml(value)}" for key, value in options.items())]
    for stage in config.stages:
        lines += ["", "[[stages]]", *(f"{key} = {to_toml(value)}" for key, value in asdict(stage).items())]
    return "\n".join(lines) + "\n"
