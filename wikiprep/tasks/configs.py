"""The configurations of tasks: the shipped one of each task, a user's own, and settings on top.

A task's configuration is one of `pretrain` with the tables `[task]` (how inputs are made), `[model]` (attention,
dropout), `[knowledge]` (the layers of --knowledge) and `[grid]` (what --grid tries).
"""

from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.nearest import names_hint
from wikiprep.options.toml import read_setting, read_toml
from wikiprep.pretrain.config import PretrainConfig, TrainingConfig, apply_tables
from wikiprep.tasks.options import GRID, grid_settings

SHIPPED = Path(__file__).parent / "configs"
DEFAULT = "any"


def shipped_names() -> list[str]:
    """The names that --config takes beside paths."""
    return sorted(path.relative_to(SHIPPED).with_suffix("").as_posix() for path in SHIPPED.rglob("*.toml"))


def load_task_config(name: str, task: str, settings: tuple[str, ...]) -> tuple[PretrainConfig, list[tuple[str, ...]]]:
    """The configuration `name` (a shipped one, or a `.toml` file; "": the task's own), and the points of its grid."""
    path = Path(name)
    if not name:
        path = SHIPPED / f"{task}.toml"
        path = path if path.is_file() else SHIPPED / f"{DEFAULT}.toml"
    elif not name.endswith(".toml"):
        path = SHIPPED / f"{name}.toml"
        if not path.is_file():
            raise UsageError(
                f"no configuration {name!r}", names_hint("configurations", name, shipped_names()) + ", or a .toml file"
            )
    tables = read_toml(path)
    grid: Any = tables.pop(GRID, {})
    config = apply_tables(PretrainConfig(family="task", training=TrainingConfig(compile=False)), tables, str(path))
    for setting in settings:
        config = apply_tables(config, read_setting(setting), f"--set {setting}")
    return config, grid_settings(grid, str(path)) if grid else []
