"""Write the tables of configurations and options into docs/pretraining.md: `python docs/make_pretraining.py`.

A test compares. What a configuration is, is said in its own first lines, up to an empty one.
"""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from wikiprep.pretrain.config import SECTIONS, PretrainConfig, StageConfig, may_change
from wikiprep.pretrain.config_toml import SHIPPED, load_config, shipped_names

PAGE = Path(__file__).parent / "pretraining.md"
BEGIN_CONFIGS, END_CONFIGS = "<!-- configurations -->\n", "<!-- end of configurations -->\n"
BEGIN, END = "<!-- options -->\n", "<!-- end of options -->\n"


def configurations() -> str:
    """Of each shipped configuration what it reproduces, and its stages."""
    lines = ["| name | reproduces | steps at peak rate |\n", "|---|---|---|\n"]
    for name in shipped_names():
        stages = (
            f"{_length(stage)} at {stage.learning_rate:g} ({stage.parameters})" for stage in load_config(name).stages
        )
        lines.append(f"| {name} | {said_of(name)} | {', '.join(stages)} |\n")
    return "".join(lines)


def _length(stage: StageConfig) -> str:
    return f"{stage.epochs:g} epochs" if stage.epochs else f"{stage.steps:,}"


def said_of(name: str) -> str:
    """What the first lines of a shipped configuration say behind "Reproduces:"."""
    said = []
    for line in (SHIPPED / f"{name}.toml").read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            break
        said.append(line.removeprefix("# "))
    text = " ".join(said).removeprefix("Reproduces: ")
    return text[0].upper() + text[1:]


def tables() -> str:
    """Of each table of the configuration its options with defaults."""
    config = PretrainConfig()
    made = []
    for name in SECTIONS:
        made += [f"### [{name}]\n\n", *_rows(name, getattr(config, name)), "\n"]
    made += ["### [[stages]]\n\nOne after the other; the optimiser begins anew in each.\n\n"]
    made += [*_rows("stages", StageConfig())]
    return "".join(made)


def _rows(table: str, section: Any) -> list[str]:
    lines = ["| option | default | what | may change |\n", "|---|---|---|---|\n"]
    for f in fields(section):
        value = getattr(section, f.name)
        shown = (
            str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
        )
        lines.append(
            f"| {f.name} | {shown} | {f.metadata['help']} | {'yes' if _free(table, f.name, value) else ''} |\n"
        )
    return lines


def _free(table: str, name: str, value: Any) -> bool:
    """Whether two runs that differ in it are one run."""
    if table == "stages":
        return False
    config = PretrainConfig()
    other = not value if isinstance(value, bool) else f"{value}?" if isinstance(value, str) else value + 1
    if name == "loss_mean":
        other = "micro-batch"
    changed = replace(config, **{table: replace(getattr(config, table), **{name: other})})
    return may_change(changed) == may_change(config)


def page(text: str) -> str:
    """The page with current tables."""
    head, _, rest = text.partition(BEGIN_CONFIGS)
    text = head + BEGIN_CONFIGS + "\n" + configurations() + "\n" + END_CONFIGS + rest.partition(END_CONFIGS)[2]
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n" + tables() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
