"""`wikiprep embed` on a run's checkpoint: vectors of texts and of the entity table, in both kinds of file."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError

LINES = [{"text": "Mars is [red]"}, {"text": "far"}, {"text": "On [Mars]"}, {"text": "a ]"}]


def embed(run: Path, *words: str) -> str:
    return CliRunner().invoke(cli, ["embed", str(run), *words], catch_exceptions=False).stderr


@pytest.fixture
def texts(tmp_path: Path) -> str:
    (tmp_path / "texts.jsonl").write_text("\n".join(map(json.dumps, LINES)))
    return str(tmp_path / "texts.jsonl")


def test_words_in_both_kinds_of_file(tiny_run: Path, texts: str, tmp_path: Path) -> None:
    said = embed(tiny_run, "--of", "words", "--input", texts, "--output", str(tmp_path / "v.npy"))
    assert "texts.jsonl:4: a closing bracket" in said and "6 vectors of 64 numbers" in said
    embed(tiny_run, "--of", "words", "--input", texts, "--output", str(tmp_path / "v.arrow"), "--quiet")
    rows = np.load(tmp_path / "v.npy", mmap_mode="r")
    index = [json.loads(line) for line in (tmp_path / "v.index.jsonl").read_text().splitlines()]
    table = pa.ipc.open_file(tmp_path / "v.arrow").read_all()
    assert [entry["text"] for entry in index] == ["Mars", "is", "red", "far", "On", "Mars"]
    assert index[2] == {"line": 1, "start": 8, "end": 11, "text": "red"}
    assert table.drop(["vector"]).to_pylist() == index
    assert np.array_equal(np.array(table["vector"].to_pylist(), np.float32), rows)
    assert np.abs(rows[0] - rows[5]).max() > 1e-3  # the same word elsewhere


def test_mentions_alone(tiny_run: Path, texts: str, tmp_path: Path) -> None:
    for kind in ("spans", "entities"):
        said = embed(tiny_run, "--of", kind, "--input", texts, "--output", str(tmp_path / "v.arrow"))
        assert "texts.jsonl:2: no mention in it" in said
        table = pa.ipc.open_file(tmp_path / "v.arrow").read_all()
        assert table["text"].to_pylist() == ["red", "Mars"] and table["line"].to_pylist() == [1, 3]


def test_rows_of_the_entity_table(tiny_run: Path, tmp_path: Path) -> None:
    (tmp_path / "titles.txt").write_text("Mars\nNowhere at all\n")
    words = ("--of", "table", "--output", str(tmp_path / "e.npy"))
    said = embed(tiny_run, *words, "--titles", str(tmp_path / "titles.txt"))
    assert "1 titles are no entities of the model: Nowhere at all" in said
    one = np.load(tmp_path / "e.npy")
    assert json.loads((tmp_path / "e.index.jsonl").read_text()) == {"title": "Mars"}
    embed(tiny_run, *words)
    titles = [json.loads(line)["title"] for line in (tmp_path / "e.index.jsonl").read_text().splitlines()]
    every = np.load(tmp_path / "e.npy")
    assert len(titles) == len(every) and np.array_equal(every[titles.index("Mars")], one[0])


def test_what_cannot_be_written(tiny_run: Path, texts: str, tmp_path: Path) -> None:
    output = str(tmp_path / "v.npy")
    (tmp_path / "titles.txt").write_text("Nowhere\n")
    (tmp_path / "bad.jsonl").write_text("{\n")
    for words, said in (
        (("--of", "words", "--input", texts, "--output", str(tmp_path / "v.csv")), r"written as \.npy or \.arrow"),
        (("--of", "words", "--output", output), "needs --input"),
        (("--of", "table", "--input", texts, "--output", output), "reads no texts"),
        (("--of", "table", "--titles", str(tmp_path / "titles.txt"), "--output", output), "none of its 1 titles"),
    ):
        with pytest.raises(UsageError, match=said):
            embed(tiny_run, *words)
    with pytest.raises(WikiprepError, match="none of 1 line can be used"):
        embed(tiny_run, "--of", "words", "--input", str(tmp_path / "bad.jsonl"), "--output", output)
    with pytest.raises(WikiprepError, match=r"texts\.jsonl:4"):
        embed(tiny_run, "--of", "words", "--input", texts, "--output", output, "--strict")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "texts.jsonl", "titles.txt"]
