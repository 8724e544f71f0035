"""SQuAD's format: spans for passages and questions by the page's names, everything else as it was."""

import copy
from pathlib import Path
from typing import Any

import orjson
import pytest
from building import DATA

from wikiprep.annotate.annotator import Annotator
from wikiprep.annotate.squad import FIELD, SquadAnnotator
from wikiprep.errors import WikiprepError

SOURCE = (DATA / "squad_like.json").read_bytes()


@pytest.fixture
def squad(tiny_corpus: Path) -> SquadAnnotator:
    return SquadAnnotator(Annotator(str(tiny_corpus)), "squad.json")


def names(owner: dict[str, Any]) -> list[tuple[str, str, str]]:
    text = owner["context"] if "context" in owner else owner["question"]
    assert all(text[s["start"] : s["end"]] == s["text"] for s in owner[FIELD])
    return [(span["text"], span["target"], span["source"]) for span in owner[FIELD]]


def test_passages_and_questions_have_the_names_of_their_page(squad: SquadAnnotator) -> None:
    solar, band, other = squad.annotate(SOURCE)["data"]
    mercury, sun = ("Mercury", "Mercury (planet)", "page_link"), ("Sun", "Sun", "page_link")
    assert names(solar["paragraphs"][0]) == [mercury, sun, mercury, sun]
    one, two = solar["paragraphs"][0]["qas"]
    assert names(one) == [mercury]
    assert names(two) == []
    assert names(band["paragraphs"][0]) == [("Cairo", "Cairo", "page_link"), ("AC/DC", "AC/DC", "page_link")]
    assert names(band["paragraphs"][1]) == []
    assert names(band["paragraphs"][1]["qas"][0]) == [("AC/DC", "AC/DC", "page_link")]
    assert [source for _, _, source in names(other["paragraphs"][0])] == ["prior", "prior"]
    assert squad.counts == {
        "titles": 3, "titles.by_page": 2, "titles.by_prior": 1, "paragraphs": 4, "questions": 3,
        "spans.page_link": 8, "spans.prior": 2,
    }  # fmt: skip


def test_everything_else_is_as_it_was(squad: SquadAnnotator) -> None:
    made = copy.deepcopy(squad.annotate(SOURCE))
    for article in made["data"]:
        for paragraph in article["paragraphs"]:
            for owner in (paragraph, *paragraph["qas"]):
                del owner[FIELD]
    assert made == orjson.loads(SOURCE)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "not JSON"),
        (b"[]", 'the file has no list "data"'),
        (b'{"data": {}}', 'the file has no list "data"'),
        (b'{"data": [3]}', r'data\[0\] has no list "paragraphs"'),
        (b'{"data": [{"title": 3, "paragraphs": []}]}', r'data\[0\] has no text "title"'),
        (b'{"data": [{"paragraphs": [{"qas": []}]}]}', r'data\[0\].paragraphs\[0\] has no text "context"'),
        (b'{"data": [{"paragraphs": [{"context": "A"}]}]}', r'paragraphs\[0\] has no list "qas"'),
        (b'{"data": [{"paragraphs": [{"context": "A", "qas": [{}]}]}]}', r'qas\[0\] has no text "question"'),
    ],
)
def test_what_is_wrong_is_named_with_its_place(squad: SquadAnnotator, data: bytes, message: str) -> None:
    with pytest.raises(WikiprepError, match=message):
        squad.annotate(data)
