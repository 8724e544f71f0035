"""Write the tables of options into docs/pretraining.md: `python docs/make_pretraining.py`. A test compares."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from wikiprep.pretrain.config import SECTIONS, PretrainConfig, StageConfig, may_change

PAGE = Path(__file__).parent / "pretraining.md"
BEGIN, END = "<!-- options -->\n", "<!-- end of options -->\n"


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
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n" + tables() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
