"""Open Entity, ReCoRD and SQuAD in all their forms."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from task_files import SMALL

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data import open_entity, record_dataset, squad
from wikiprep.tasks.data.sets import read
from wikiprep.tasks.examples import Answer, EntitySpan


def test_open_entity_as_a_list() -> None:
    first, second, third = read("open-entity", SMALL / "open-entity", "test").examples
    assert (first.id, first.text[slice(*first.span)], first.labels) == ("0", "The crew", ("group", "person"))
    assert second.text == "Galileo ( a probe ) reached Jupiter in 1995 ."  # a bracket is one character
    assert second.text[slice(*second.span)] == "Jupiter" and second.labels == ("location", "place")
    assert third.text[slice(*third.span)] == "It"


def test_open_entity_as_the_crowd_has_it() -> None:
    left_out: Counter[str] = Counter()
    first, second, third = open_entity.read_file(SMALL / "open-entity" / "crowd.jsonl", left_out)
    assert first.text == "Some said ( the probe ) was lost ." and first.text[slice(*first.span)] == "the probe"
    assert (second.text, second.span, second.labels) == ("She saw it .", (0, 3), ("person",))
    assert (third.id, third.text, third.text[slice(*third.span)], third.labels) == (
        "a3",
        "They met in 1610",
        "1610",
        (),
    )
    assert left_out == {"label: none of the nine general types": 4}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('[{"sent": "ab", "start": 0, "end": 3, "labels": []}]', ": [0]: [0, 3) is no span of the text of length 2"),
        ('[{"sent": "a ", "start": 1, "end": 2, "labels": []}]', ": [0]: the mention is empty"),
        ('[{"sent": "ab", "start": 0, "end": 2, "labels": "x"}]', ': [0]: has no list "labels"'),
        ('{"mention_span": "a"}\n', ':1: has no list "left_context_token"'),
        ("[]x", ": not JSON ("),
        ('{"a": 1}\nnot json\n', ':1: has no list "left_context_token"'),
        ("7\n", ":1: is not an object"),
    ],
)
def test_a_damaged_place_of_open_entity_is_named(content: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(content)
    with pytest.raises(WikiprepError) as caught:
        list(open_entity.read_file(path, Counter()))
    assert str(caught.value).startswith(f"{path}{what}")


def test_record_as_published() -> None:
    found = read("record", SMALL / "record", "dev")
    first, second = found.examples
    assert found.left_out == {"question: without @placeholder": 1}
    assert [first.passage[slice(*span)] for span in first.entities] == ["Galileo", "Jupiter", "Io"]  # in order, once
    assert first.query[slice(*first.placeholder)] == "@placeholder"
    assert [(a.text, first.passage[slice(*a.span)]) for a in first.answers] == [("Galileo", "Galileo")]
    assert (first.id, second.id, second.answers[0].text) == ("q1", "q2", "Jupiter")
    assert "\n@highlight\n" in first.passage


def test_record_as_in_superglue(tmp_path: Path) -> None:
    left_out: Counter[str] = Counter()
    first, second = record_dataset.read_file(SMALL / "record" / "val.jsonl", left_out)
    assert (first.id, second.id, first.answers[0].text, second.answers[0].span) == ("0", "1", "Io", (0, 7))
    assert left_out == {"question: passage without an entity": 1}
    one = tmp_path / "one.jsonl"
    one.write_text((SMALL / "record" / "val.jsonl").read_text().splitlines()[0])
    assert [example.id for example in record_dataset.read_file(one, Counter())] == ["0", "1"]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (
            '"end": 32}',
            '"end": 320}',
            ": data[0].passage.entities[0]: [26, 321) is no span of the passage of length 63",
        ),
        ('"id": "q2"', '"id": "q1"', ": data[0].qas[1]: id 'q1' was there before ("),
        ('"query": "In', '"quest": "In', ': data[0].qas[0]: has no text "query"'),
        ('"data"', '"date"', ': has no list "data"'),
        ('{"version"', '"version"', ": not JSON ("),
    ],
)
def test_a_damaged_place_of_record_is_named(old: str, new: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text((SMALL / "record" / "dev.json").read_text().replace(old, new, 1))
    with pytest.raises(WikiprepError) as caught:
        list(record_dataset.read_file(path, Counter()))
    assert str(caught.value).startswith((f"{path}{what}", f"{path}:1{what}"))


def test_squad() -> None:
    found = read("squad", SMALL / "squad", "dev")
    first, second = found.examples
    assert (first.id, first.title, first.question) == ("s1", "Jupiter_%28planet%29", "Who saw the moons?")
    assert first.answers == (Answer("Galileo Galilei", 0), Answer("Galileo", 0))
    # The second place holds " 161": the text still counts as an answer.
    assert second.answers == (Answer("the year 1610", 45), Answer("1610", None), Answer("1610", 54))
    assert found.left_out == {"place of an answer: holds another text": 1}


def changed(path: Path, change: dict[str, Any]) -> Path:
    document = json.loads((SMALL / "squad" / "dev-v1.1.json").read_text())
    document["data"][0]["paragraphs"][0]["qas"][1] |= change
    path.write_text(json.dumps(document))
    return path


def test_squad_with_entities_and_without_answers(tmp_path: Path) -> None:
    entity = {"start": 0, "end": 4, "text": "When", "target": "Time", "qid": None}
    path = changed(tmp_path / "x.json", {"entities": [entity], "answers": []})
    _, second = squad.read_file(path, Counter())
    assert second.question_entities == (EntitySpan(0, 4, "Time", None),) and second.context_entities == ()
    assert second.answers == ()
    left_out: Counter[str] = Counter()
    assert len(list(squad.read_file(changed(path, {"is_impossible": True, "answers": []}), left_out))) == 1
    assert left_out["question: without an answer (SQuAD 2.0)"] == 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"answers": [{"text": "", "answer_start": 0}]}, ".answers[0]: the answer is empty"),
        ({"answers": [{"text": "a"}]}, '.answers[0]: has no whole number "answer_start"'),
        (
            {"entities": [{"start": 0, "end": 9, "target": "x"}]},
            ".entities[0]: [0, 9) is no span of the text of length 5",
        ),
        ({"id": "s1"}, ": id 's1' was there before"),
        ({"question": 1}, ': has no text "question"'),
    ],
)
def test_a_damaged_place_of_squad_is_named(change: dict[str, Any], what: str, tmp_path: Path) -> None:
    path = changed(tmp_path / "x.json", change)
    with pytest.raises(WikiprepError) as caught:
        list(squad.read_file(path, Counter()))
    assert str(caught.value).startswith(f"{path}: data[0].paragraphs[0].qas[1]{what}")
