"""explosion/wikid#32: the tables of millions of names are made in bounded memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from wikiprep.tables.mentions.mention_table import MentionTable


def made(folder: Path, targets: int, names: int, limit_mb: int) -> None:
    script = Path(__file__).with_name("many_names.py")
    words = [sys.executable, script, folder, targets, names, limit_mb]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) == names + names * 3 // 4
    table = MentionTable.open(folder)
    assert len(table) == names
    assert [(c.page_id, c.prior) for c in table.candidates("name 2a of a page")] == [(42, 0.5), (49, 0.5)]
    assert [(c.page_id, c.prior) for c in table.candidates("NAME 2C OF A PAGE", folded=True)] == [(44, 1.0)]


def test_wikid_32_a_small_one(tmp_path: Path) -> None:
    made(tmp_path, 2_000, 20_000, 1_000)


@pytest.mark.slow
def test_wikid_32_two_million_targets_and_five_million_names_in_4_gb(tmp_path: Path) -> None:
    made(tmp_path, 2_000_000, 5_000_000, 4_096)
