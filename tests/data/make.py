"""Writes the small dumps of this folder from their sources: `python tests/data/make.py` from the repository's root."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from wikiprep.sample.make_dump import make_dump  # noqa: E402

SOURCES = HERE / "sources"
NAMES = sorted(path.stem for path in SOURCES.glob("*.toml"))


def made(name: str) -> str:
    """The dump `name` as its sources give it."""
    return make_dump(SOURCES / f"{name}.toml", [SOURCES / f"{name}.txt"])


if __name__ == "__main__":
    for each in NAMES:
        (HERE / f"{each}.xml").write_text(made(each), encoding="utf-8", newline="\n")
