"""docs/tasks.md: its commands print what it says, and its tables name what there is."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from task_files import a_label

from wikiprep.tasks.data.sets import SETS
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import score

PAGE = Path(__file__).parents[2] / "docs" / "tasks.md"
TEXT = PAGE.read_text(encoding="utf-8")
# A block for the shell and, behind a line or none, the block of what it prints.
SHOWN = re.findall(r"^```bash\n((?:(?!```).*\n)*)```\n+(?:[^`\n]*\n\n)?```\n((?:(?!```).*\n)*)```", TEXT, re.MULTILINE)


def test_all_shell_blocks_are_run() -> None:
    assert len(SHOWN) == TEXT.count("```bash") - 1 == 2  # the first one says what the page is for


@pytest.mark.parametrize("commands, printed", SHOWN)
def test_commands_print_what_the_page_says(commands: str, printed: str, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euc", commands],
        cwd=tmp_path,
        env={**os.environ, "PATH": paths, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == printed.strip()


def rows(first_cell: str) -> list[list[str]]:
    found = re.findall(rf"^\| [^\n]*`{first_cell}`[^|]*\|[^\n]*$", TEXT, re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found]


@pytest.mark.parametrize("task", SETS)
def test_each_set_stands_with_its_files_and_splits(task: str) -> None:
    row = rows(task)[0]
    names = set(re.findall(r"`([\w.-]+\.\w+|emerging[\w.]+|eng\.\w+)`", row[4]))
    known = {name for files in SETS[task].source.files.values() for name in files}
    assert names and names <= known
    assert {files[0] for files in SETS[task].source.files.values()} <= names
    assert row[5].partition(";")[0].split(", ") == list(SETS[task].splits)


@pytest.mark.parametrize("task", SETS)
def test_each_figure_is_explained(task: str) -> None:
    gold = a_label(task)
    found = score(task, [Prediction("1", "", gold, None)])
    section = TEXT.partition("## The figures")[2]
    for name in found.figures:
        assert re.search(rf"\b{name}\b", section), name
    assert f"**{found.main}**" in section
