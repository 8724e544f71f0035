"""The notebooks of docs/ run, and are shown with outputs; on the sample, so that they need no network."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_begins_with_what_it_is_for_and_shows_its_outputs(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert cells[0]["cell_type"] == "markdown" and "".join(cells[0]["source"]).startswith("# ")
    assert "```" in "".join(cells[0]["source"])  # the shortest way there
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code), "run `python docs/run_notebooks.py`"
    assert not [cell for cell in code for output in cell["outputs"] if output["output_type"] == "error"]


def test_all_run_one_after_the_other(tmp_path: Path) -> None:
    for name in ("nbclient", "ipykernel", "torch"):
        pytest.importorskip(name, reason=f"{name} is not installed; it is one of the dev dependencies")
    jupyter = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("RUNTIME", "DATA", "CONFIG")}
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "run_notebooks.py"), "--check"],
        env=os.environ | jupyter | {"IPYTHONDIR": str(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert sorted(done.stdout.split()) == NAMES
