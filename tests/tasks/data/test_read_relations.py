"""TACRED, SemEval-2010 and FewRel: spans in characters, and every place that cannot be used."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from task_files import SMALL

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data import fewrel, semeval2010, tacred
from wikiprep.tasks.data.benchmark_files import cut_by_hash
from wikiprep.tasks.data.sets import read
from wikiprep.tasks.examples import RelationExample, labels_of, unseen_in_words, unseen_labels


def named(example: RelationExample) -> tuple[str, str, str, str]:
    return example.id, example.text[slice(*example.head)], example.text[slice(*example.tail)], example.label


def test_tacred() -> None:
    examples = read("tacred", SMALL / "tacred", "test").examples
    assert [named(example) for example in examples] == [
        ("t1", "Galileo Galilei", "Pisa", "per:city_of_birth"),
        ("t2", "Florence", "Pisa", "no_relation"),  # the subject is head wherever it stands
        ("t3", "Accademia dei Lincei", "1603", "org:founded"),
    ]
    assert len(tacred.LABELS) == len(set(tacred.LABELS)) == 42


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"obj_end": 7}, ": [0]: [5, 8) is no span of the tokens of length 7"),
        ({"subj_end": -1}, ": [0]: [0, 0) is no span of the tokens of length 7"),
        ({"subj_start": "0"}, ': [0]: has no whole number "subj_start"'),
        ({"subj_start": True}, ': [0]: has no whole number "subj_start"'),
        ({"token": ["a", 1]}, ": [0].token[1]: is not a text"),
        ({"relation": "per:born"}, ": [0]: 'per:born' is no relation of TACRED"),
        ({"id": "t2"}, ": [1]: id 't2' was there before ("),
        ({"id": None}, ': [0]: has no text "id"'),
    ],
)
def test_a_damaged_place_of_tacred_is_named(change: dict[str, Any], what: str, tmp_path: Path) -> None:
    examples = json.loads((SMALL / "tacred" / "test.json").read_text())
    examples[0] |= change
    path = tmp_path / "test.json"
    path.write_text(json.dumps(examples))
    with pytest.raises(WikiprepError) as caught:
        list(tacred.read_file(path, Counter()))
    assert str(caught.value).startswith(f"{path}{what}")


def test_no_json_and_no_list(tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    path.write_text('[{"id": "1",')
    with pytest.raises(WikiprepError, match=r"test.json: not JSON \(.*line 1 column"):
        list(tacred.read_file(path, Counter()))
    path.write_text('{"id": "1"}')
    with pytest.raises(WikiprepError, match=r"test.json: is not a list\n  it is a JSON list of"):
        list(tacred.read_file(path, Counter()))


def test_semeval2010() -> None:
    examples = read("semeval2010", SMALL / "semeval2010", "test").examples
    assert [named(example) for example in examples] == [
        ("1", "storm", "flood", "Cause-Effect(e1,e2)"),
        ("2", "flood", "storm", "Cause-Effect(e2,e1)"),
        ("3", "door", "house", "Component-Whole(e1,e2)"),
        ("4", "tea", "cake", "Other"),
    ]
    assert examples[0].text == "The storm caused a flood in town."
    assert examples[3].text == 'He said "no" to tea and cake.'  # only the quotes around go


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('1\t"<e1>a</e1> <e2>b</e2>"\nCause-Effect\n', ":2: Cause-Effect has no direction, as in TEST_FILE_KEY.TXT\n"),
        ('1\t"<e1>a</e1> <e2>b</e2>"\nLikes(e1,e2)\n', ":2: 'Likes(e1,e2)' is no relation of the task\n"),
        ('1 "<e1>a</e1> <e2>b</e2>"\nOther\n', ':1: is no line of number, TAB, "sentence"\n'),
        ('\n1\t"<e1>a</e1> b"\nOther\n', ":2: has not <e1>…</e1> and <e2>…</e2>, each once and not empty\n"),
        ('1\t"<e1></e1> <e2>b</e2>"\nOther\n', ":1: has not <e1>"),
        ('1\t"<e1>a</e1> <e1>c</e1> <e2>b</e2>"\nOther\n', ":1: has not <e1>"),
        ('1\t"<e1>a</e1> <e2>b</e2>"\n', ":1: the sentence has no relation below it: the file is cut\n"),
        (
            '1\t"<e1>a</e1> <e2>b</e2>"\nOther\nComment:\n\n1\t"<e1>a</e1> <e2>b</e2>"\nOther\n',
            ":5: id '1' was there before (",
        ),
    ],
)
def test_a_damaged_line_of_semeval2010_is_named(content: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(WikiprepError) as caught:
        list(semeval2010.read_file(path, Counter()))
    assert str(caught.value).startswith(f"{path}{what}")


def test_fewrel() -> None:
    parts = [read("fewrel", SMALL / "fewrel", split) for split in ("train", "dev", "test")]
    assert [len(part.examples) for part in parts] == [12, 4, 4]
    assert [labels_of(part.examples) for part in parts] == [{"P26": n, "P177": n} for n in (6, 2, 2)]
    assert parts[0].left_out == {"token: white space alone": 20, "mention: a further one of an entity": 0}
    by_id = {example.id: example for part in parts for example in part.examples}
    assert named(by_id["P177-3"]) == ("P177-3", "Old Bridge", "River Arno", "P177")
    assert by_id["P177-3"].text == "In 1803 Old Bridge crosses River Arno ."


@pytest.mark.parametrize(
    ("entity", "what"),
    [
        (["x", "Q1", []], ": P1[0].h: has no positions"),
        (["x", "Q1"], ": P1[0].h: has no positions"),
        (["x", "Q1", [[2]]], ": P1[0].h: has no positions"),
        (["x", "Q1", [[0, 0]]], ": P1[0].h: has no positions"),
        (["x", "Q1", [["0"]]], ": P1[0].h: has no positions"),
        ("x", ': P1[0]: has no list "h"'),
    ],
)
def test_a_damaged_place_of_fewrel_is_named(entity: object, what: str, tmp_path: Path) -> None:
    path = tmp_path / "val_wiki.json"
    path.write_text(json.dumps({"P1": [{"tokens": ["a", "b"], "h": entity, "t": ["b", "Q2", [[1]]]}]}))
    with pytest.raises(WikiprepError) as caught:
        list(fewrel.read_file(path, Counter()))
    assert str(caught.value).startswith(f"{path}{what}")


def examples_of(labels: str) -> list[RelationExample]:
    return [RelationExample(str(n), f"text {n}", (0, 4), (5, 6), label) for n, label in enumerate(labels)]


def test_a_cut_by_hash_is_exact_and_knows_no_order() -> None:
    examples = examples_of("a" * 31 + "b" * 10 + "c")
    train, dev = cut_by_hash(examples, (90, 10))
    assert labels_of(dev) == {"a": 3, "b": 1}  # a relation with one example has it in train
    assert sorted((*train, *dev), key=lambda example: int(example.id)) == examples
    again = cut_by_hash(examples[::-1], (90, 10))
    assert [sorted(part, key=lambda e: int(e.id)) for part in again] == [train, dev]
    with pytest.raises(ValueError, match="per cent"):
        cut_by_hash(examples, (60, 20))


def test_labels_that_train_lacks_are_told() -> None:
    unseen = unseen_labels("ab", examples_of("abccd"), lambda some: list(labels_of(some)))
    assert unseen == {"c": 2, "d": 1}
    assert (
        unseen_in_words(unseen, "dev") == "dev has labels that train lacks, and that cannot be predicted: c (2), d (1)"
    )
    assert unseen_in_words(unseen_labels("ab", examples_of("a"), lambda some: list(labels_of(some))), "dev") == ""
    documents, types = (read(task, SMALL / task, "test").examples for task in ("conll2003", "open-entity"))
    assert labels_of(documents) == {"PER": 1, "LOC": 4, "ORG": 1}
    assert labels_of(types) == {"group": 1, "person": 1, "location": 1, "place": 1, "object": 1}
    assert labels_of(read("squad", SMALL / "squad", "dev").examples) == {}
