"""`wikiprep picture`: points in two dimensions."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.frozen.items import TextItem
from wikiprep.tasks.frozen.picture import merge_mentions, reduce_dimensions

needs_umap = pytest.mark.skipif(not find_spec("umap"), reason="umap-learn is not installed: pip install '.[picture]'")
WORDS = [f"w{n}" for n in range(40)]


def draw(*words: str | Path) -> str:
    done = CliRunner().invoke(cli, ["picture", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_mentions_of_one_name_are_one_point_their_mean() -> None:
    items = [
        TextItem(str(n), text, ((0, len(text)),), label)
        for n, (text, label) in enumerate([("zinc", "C"), ("Zinc", "C"), ("zinc ", "C"), ("zinc", "D"), ("ache", "D")])
    ]
    rows = np.array([[0, 3], [3, 0], [3, 3], [5, 5], [7, 7]], np.float32)
    points, made = merge_mentions(items, rows)
    assert [(point.label, point.text) for point in points] == [("C", "zinc"), ("D", "ache"), ("D", "zinc")]
    assert made.tolist() == [[2, 2], [7, 7], [5, 5]]
    pairs = [TextItem(str(n), "ab", ((0, 1), (1, 2)), "r") for n in range(2)]
    assert len(merge_mentions(pairs, rows[:2])[0]) == 2  # pairs stay apart
    turned, again = merge_mentions(items[::-1], rows[::-1])
    assert turned == points and np.array_equal(again, made)


@pytest.fixture
def words(tmp_path: Path) -> tuple[str | Path, ...]:
    """The command on WNUT 2017's form, two types of words that the vectors tell apart; without where to write."""
    rng = np.random.default_rng(2)
    lines = []
    for number, word in enumerate(WORDS):
        row = rng.normal(0, 0.05, 4) + ([1, 0, 0, 0] if number % 2 else [0, 1, 0, 0])
        lines.append(f"{word} {' '.join(f'{value:.4f}' for value in row)}\n")
    (tmp_path / "glove.txt").write_text("".join(lines))
    (tmp_path / "data").mkdir()
    for name in ("wnut17train.conll", "emerging.dev.conll", "emerging.test.annotated"):
        sentences = (f"{word}\tB-{'person' if n % 2 else 'place'}\nis\tO\n" for n, word in enumerate(WORDS))
        (tmp_path / "data" / name).write_text("\n".join(sentences))
    return "entities", tmp_path / "data", "--model", tmp_path / "glove.txt"


@needs_umap
def test_what_it_writes(words: tuple[str | Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "wikiprep.tasks.frozen.picture.reduce_dimensions", lambda rows, seed: rows[:, :2]
    )  # UMAP takes a minute
    for out in ("one", "two"):
        said = draw(*words, "-o", tmp_path / out)
    assert "average: 40 points of 120 entities" in said and f"{tmp_path / 'two'}: 40 points: picture.png" in said
    table = pq.read_table(tmp_path / "one/points.parquet")
    assert table.column_names == ["model", "label", "x", "y", "text"]
    rows = table.to_pylist()
    assert len(rows) == 40 and {row["text"] for row in rows} == set(WORDS)
    assert all((row["x"] > row["y"]) == (row["label"] == "person") for row in rows)
    assert {row["model"] for row in rows} == {f"{tmp_path / 'glove.txt'}, average"}
    assert (tmp_path / "one/picture.png").read_bytes()[:4] == b"\x89PNG"
    svg = (tmp_path / "one/picture.svg").read_text()
    assert "<svg" in svg and "legend" in svg
    for name in ("points.parquet", "picture.png", "picture.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    with pytest.raises(UsageError, match="planet is no label of the set"):
        draw(*words, "--labels", "person,planet", "-o", tmp_path / "o")


@pytest.mark.slow
@needs_umap
def test_umap_keeps_kinds_apart_and_knows_no_order(words: tuple[str | Path, ...], tmp_path: Path) -> None:
    for out in ("one", "two"):
        draw(*words, "-o", tmp_path / out)
    table = pq.read_table(tmp_path / "one/points.parquet")
    x, y = (table[name].to_numpy() for name in "xy")
    person = np.array([label == "person" for label in table["label"].to_pylist()])
    middles = [np.array([x[of].mean(), y[of].mean()]) for of in (person, ~person)]
    spread = np.hypot(x[person] - middles[0][0], y[person] - middles[0][1]).max()
    assert np.linalg.norm(middles[0] - middles[1]) > spread
    for name in ("points.parquet", "picture.png", "picture.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    rng = np.random.default_rng(2)
    rows, turn = rng.normal(size=(30, 3)).astype(np.float32), rng.permutation(30)
    assert np.array_equal(reduce_dimensions(rows[turn], 1), reduce_dimensions(rows, 1)[turn])


def test_too_few_points() -> None:
    with pytest.raises(WikiprepError, match="11 points are too few"):
        reduce_dimensions(np.ones((11, 3), np.float32), 1)
