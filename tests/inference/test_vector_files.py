"""Files of vectors grow piece by piece and are what numpy and pyarrow read."""

import json
from pathlib import Path

import numpy as np
import pytest

from wikiprep.inference.vector_files import Index, vector_writer


@pytest.mark.parametrize("pieces", [[3, 1, 0, 1200], [1], [9, 1]])
def test_npy_header_has_room_for_the_count(pieces: list[int], tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(sum(pieces), 7)).astype(np.float32)
    done = 0
    with vector_writer(tmp_path / "v.npy") as writer:
        for size in pieces:
            writer.write(Index(title=[str(n) for n in range(done, done + size)]), rows[done : done + size])
            done += size
    assert np.array_equal(np.load(tmp_path / "v.npy"), rows)
    assert len((tmp_path / "v.index.jsonl").read_text().splitlines()) == len(rows)
    assert json.loads((tmp_path / "v.index.jsonl").read_text().splitlines()[-1]) == {"title": str(len(rows) - 1)}


def test_an_error_leaves_no_file(tmp_path: Path) -> None:
    for name in ("v.npy", "v.arrow"):
        with pytest.raises(KeyError), vector_writer(tmp_path / name) as writer:
            writer.write(Index(title=["a"]), np.zeros((1, 3), np.float32))
            raise KeyError
    assert not list(tmp_path.iterdir())
