"""Runs the notebooks of docs/ and keeps their outputs: `python docs/run_notebooks.py`, or with names of some.

They run one after the other in one temporary folder, and share the corpus that the first one builds. With `--check`, as
a test does, outputs are not kept.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent / "notebooks"
NAMES = ("look-at-a-corpus", "entity-linking", "pretrain-and-fine-tune")  # in the order of the site


def run(name: str, folder: Path) -> nbformat.NotebookNode:
    """The notebook of that name with its outputs, run in `folder`. Raises CellExecutionError where a cell fails."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times, which differ with each run
    notebook.metadata.pop("language_info", None)
    return notebook


def main() -> None:
    """Run those that were named, else all."""
    os.environ["COLUMNS"] = "110"
    words = [word for word in sys.argv[1:] if word != "--check"]
    with TemporaryDirectory() as folder:
        for name in words or NAMES:
            made = run(name, Path(folder))
            print(name, flush=True)
            if "--check" not in sys.argv:
                nbformat.write(made, FOLDER / f"{name}.ipynb")


if __name__ == "__main__":
    main()
