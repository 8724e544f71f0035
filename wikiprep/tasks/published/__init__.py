"""What others published of each task and set, a TOML file each, read to stand beside a result."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A model's figures, in per cent, under the names that `scorers.py` gives them; a paper may lack some."""

    model: str
    table: str
    split: str
    figures: dict[str, float]


@cache
def published_rows(task: str, split: str | None = None, form: str | None = None) -> tuple[PublishedRow, ...]:
    """The rows of a task, of one split and one form of its data if such are named; none where nothing is known."""
    file = files("wikiprep.tasks.published") / f"{task}.toml"
    if not file.is_file():
        return ()
    return tuple(
        PublishedRow(row["model"], table["name"], table["split"], dict(row["figures"]))
        for table in tomllib.loads(file.read_text(encoding="utf-8"))["tables"]
        for row in table["rows"]
        if split in (None, table["split"]) and form in (None, table.get("form", ""))
    )
