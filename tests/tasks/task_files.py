"""The small files written for these tests, and the real ones where they lie."""

from pathlib import Path

import pytest

from wikiprep.tasks.data.glue import GLUE

SMALL = Path(__file__).parents[1] / "data" / "tasks"
_REAL = Path(__file__).parents[2].parent / "shared" / "data" / "tasks"


def real(folder: str) -> Path:
    """A folder of ../shared/data/tasks; the test is skipped where it is not there."""
    if not (_REAL / folder).is_dir():
        pytest.skip(f"../shared/data/tasks/{folder} is not there")
    return _REAL / folder


def a_label(task: str) -> str | tuple[str, ...]:
    """Gold of any one example of a task."""
    if task.startswith("glue/"):
        return next(iter(GLUE[task].labels), "2.5")
    return {"semeval2010": "Other", "tacred": "no_relation", "fewrel": "P26", "copa": "choice1"}.get(task, ())
