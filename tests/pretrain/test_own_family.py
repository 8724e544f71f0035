"""A model family of the user's own, given to the command by the name of its module, with the packages that it likes."""

import os
import subprocess
from pathlib import Path

import pytest
from building import command
from running import CONFIG, steps_done

TESTS = Path(__file__).parents[1]
FAMILY = """
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa

import toy_family
from toy_family import ToyFamily


@dataclass(frozen=True)
class Mine(ToyFamily):
    def collate(self, records, rngs, rows=None):
        lengths = pd.Series([len(record.word_ids) for record in records])
        assert lengths.min() > 0
        return super().collate(records, rngs, rows)


def make(options, corpus, about=None):
    # pyarrow knows a Series for one, where it was not told before that there is no pandas.
    assert pa.array(pd.Series([1.0, None])).null_count == 1
    assert pa.table({"a": [1, 2]}).to_pandas()["a"].sum() == 3
    made = toy_family.make(options, corpus, about)
    return Mine(made.entities, made.size_, made.dropout, made.fail)
"""


# With a worker both kinds of process have their turn: the rank makes the family, the worker collates with it.
@pytest.mark.parametrize("workers", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_it_may_import_pandas(workers: int, sample_corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    pytest.importorskip("pandas", reason="pandas is not installed")
    (tmp_path / "my_family.py").write_text(FAMILY)
    (tmp_path / "my.toml").write_text(CONFIG.replace("toy_family", "my_family"))
    words = ["--corpus", sample_corpus, "--config", tmp_path / "my.toml", "--output", tmp_path / "run", "--quiet"]
    path = os.pathsep.join(map(str, (tmp_path, TESTS / "pretrain", TESTS)))
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
        "PYTHONPATH": path,
        "TMPDIR": "/tmp",
    }
    run = subprocess.run(
        command("pretrain", *words, "--set", f"data.workers={workers}", "--max-steps", "2"),
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert steps_done(tmp_path / "run") == 2
