"""Mentions by static word vectors."""

from pathlib import Path

import numpy as np
import pytest

from wikiprep.errors import WikiprepError
from wikiprep.tasks.frozen.items import TextItem
from wikiprep.tasks.frozen.static_words import NO_WORD, UNKNOWN, StaticWords

LINES = ["zinc 1 0", "oxide 0 1", "5 2 2", "- 0 0", "fluorouracil 4 4", "Zinc 9 9", ". . . 7 7", "unused x y"]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def item(text: str, *mentions: str) -> TextItem:
    return TextItem(text, text, tuple((text.index(name), text.index(name) + len(name)) for name in mentions), "x")


@pytest.mark.parametrize("head", [[], ["8 2"]])
def test_means_of_words(head: list[str], tmp_path: Path) -> None:
    words = StaticWords(write(tmp_path / "glove.txt", [*head, *LINES]))
    items = [
        item("ZINC oxide!", "ZINC oxide"),  # by lower case
        item("Zinc works", "Zinc"),  # as it is written
        item("take 5-Fluorouracil now", "5-Fluorouracil"),  # in pieces
        item("nothing xyzzy oxide", "xyzzy oxide"),
        item("plugh", "plugh"),
    ]
    found = words.vectors(items, ("average",))
    assert found.kept == list(range(5))
    assert found.rows["average"].tolist() == [[0.5, 0.5], [9, 9], [2, 2], [0, 1], [0, 0]]
    assert found.rows["average"].dtype == np.float32
    assert +found.notes == {UNKNOWN: 2, NO_WORD: 1}
    pair = words.vectors([item("oxide of zinc", "zinc", "oxide")], ("average",))
    assert pair.rows["average"].tolist() == [[1, 0, 0, 1]]  # head first


@pytest.mark.parametrize(
    "lines, said",
    [
        (["zinc 1 0", "oxide 1"], ":2: is not a word and 2 numbers"),
        (["zinc"], ":1: is not a word and its numbers"),
        (["oxide 1 0", "zinc 1 x"], ":2: could not convert string to float"),
        ([""], "is empty"),
    ],
)
def test_what_is_damaged_is_named(lines: list[str], said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "glove.txt", lines)
    with pytest.raises(WikiprepError, match=f"glove.txt.*{said}"):
        StaticWords(path).vectors([item("zinc", "zinc")], ("average",))
