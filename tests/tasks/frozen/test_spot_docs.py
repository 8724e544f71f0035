"""docs/spot-evaluations.md: its published rows are those that are printed; it names every kind of vectors and set."""

import re
from pathlib import Path

import pytest

from wikiprep.tasks.frozen.encoders import KINDS
from wikiprep.tasks.frozen.sets import SETS
from wikiprep.tasks.published import published_rows

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "spot-evaluations.md").read_text(encoding="utf-8")


def test_kinds_and_sets_stand_there() -> None:
    for kind in KINDS:
        assert re.search(rf"^\| `{kind}` \|", TEXT, re.MULTILINE), kind
    for name, one in SETS.items():
        assert re.search(rf"^\| [^|]*`{name}`", TEXT, re.MULTILINE), name
        if name in ("bc5cdr", "fewrel"):  # of the others tasks.md says it, or a pattern of names
            assert all(f"`{files[0]}`" in TEXT for files in one.source.files.values())


@pytest.mark.parametrize(
    "task, heading, digits",
    [
        ("cluster-bc5cdr", "BC5CDR (SPOT, Table 2)", 3),
        ("cluster-nyt24", "NYT24, four relations", 3),
        ("figer", "## Entity typing: FIGER", 1),
    ],
)
def test_published_rows(task: str, heading: str, digits: int) -> None:
    section = TEXT[TEXT.index(heading) :]
    table = re.search(r"^\| model.*?\n\n", section, re.MULTILINE | re.DOTALL)
    assert table is not None
    found = {
        cells[1].strip(): cells[2:5] for row in table[0].splitlines()[2:] if (cells := row.split("|")) and cells[1:]
    }
    rows = published_rows(task)
    assert list(found) == [row.model for row in rows]
    for row in rows:
        names = ("acc", "nmi", "ari") if digits == 3 else ("precision", "recall", "f1")
        wanted = [f"{row.figures[name]:.{digits}f}" if name in row.figures else "-" for name in names]
        assert [cell.split()[0] for cell in found[row.model]] == wanted, row.model
