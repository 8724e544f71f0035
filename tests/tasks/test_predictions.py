"""predictions.jsonl, what gold labels look like in it, the worst errors and the confusion matrix."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_files import SMALL

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data.sets import read
from wikiprep.tasks.error_analysis import NONE, confusion_of, draw_confusion, is_wrong, worst_errors
from wikiprep.tasks.examples import Mention, RelationExample
from wikiprep.tasks.gold import gold_of
from wikiprep.tasks.predictions import Prediction, read_predictions, write_predictions


def one(gold: object, predicted: object, name: str = "1", **scores: float) -> Prediction:
    return Prediction(name, "a text", gold, predicted, scores)  # type: ignore[arg-type]


MENTION = Mention(0, 1, "LOC")
ALL = [
    one("a", "b", "1", a=0.5, b=1.5),
    one(("person", "place"), (), "2"),
    one((), (MENTION,), "3"),
    one(("Paris", "paris"), None, "4"),
    one(None, "Paris", "5"),
]


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    assert write_predictions(path, ALL) == 5
    assert list(read_predictions(path)) == ALL
    first, _, third, *_ = path.read_text().splitlines()
    assert first == '{"id":"1","text":"a text","gold":"a","predicted":"b","scores":{"a":0.5,"b":1.5}}'
    assert '"gold":[],"predicted":[{"start":0,"end":1,"type":"LOC"}]' in third


LABELS = st.one_of(
    st.none(),
    st.text(),
    st.lists(st.text()).map(tuple),
    st.lists(st.builds(Mention, st.integers(0, 9), st.integers(0, 9), st.text())).map(tuple),
)


@given(st.lists(st.builds(Prediction, st.text(), st.text(), LABELS, LABELS), unique_by=lambda p: p.id))
def test_anything_is_read_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, some: list[Prediction]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    write_predictions(path, some)
    assert list(read_predictions(path)) == some


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": "1"}', '2: has neither "predicted" nor "gold"'),
        ('{"id": 1, "predicted": "a"}', '2: has no text "id"'),
        ('{"id": "0", "predicted": "a"}', "2: id '0' was there before ("),
        ('{"id": "1", "predicted": 1}', '2: has no list "predicted"'),
        ('{"id": "1", "predicted": ["a", 1]}', "2: predicted[1]: is not a text"),
        ('{"id": "1", "predicted": [{"start": 1}]}', '2: predicted[0]: has no whole number "end"'),
        ('{"id": "1", "predicted": "a", "scores": {"a": "b"}}', "2: scores: 'a' is no number"),
        ('["1", "a"]', "2: is not an object"),
        ('{"id": ', "2: not JSON ("),
    ],
)
def test_a_bad_line_is_named(line: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f'{{"id": "0", "predicted": "a"}}\n{line}\n')
    with pytest.raises(WikiprepError) as caught:
        list(read_predictions(path))
    assert str(caught.value).startswith(f"{path}:{what}")


def gold(task: str, split: str = "test") -> list[Prediction]:
    return list(gold_of(read(task, SMALL / task, split).examples))


def test_gold_shows_what_each_example_asks() -> None:
    assert gold("open-entity")[1].text == "Galileo ( a probe ) reached [Jupiter] in 1995 ."
    assert gold("open-entity")[1].gold == ("location", "place")
    assert gold("tacred")[1].text == "[T: Pisa] lies near [H: Florence] ."
    assert gold("conll2003")[1] == Prediction("1", "Padua listened .", (Mention(0, 5, "LOC"),), None)
    assert gold("record", "dev")[0].text.startswith("In 1610 @placeholder looked up\nGalileo saw four moons")
    assert gold("squad", "dev")[1].gold == ("the year 1610", "1610")


def test_marks_of_mentions_within_each_other() -> None:
    for head, tail, shown in (
        ((0, 8), (4, 8), "[H: New [T: York]]"),
        ((4, 8), (0, 8), "[T: New [H: York]]"),
        ((0, 3), (4, 8), "[H: New] [T: York]"),
    ):
        (found,) = gold_of([RelationExample("1", "New York", head, tail, "r")])
        assert found.text == shown


def test_an_example_of_no_task() -> None:
    with pytest.raises(TypeError, match="no example of a task: str"):
        list(gold_of(["x"]))


def names(predictions: Sequence[Prediction]) -> list[str]:
    return [prediction.id for prediction in predictions]


def test_what_is_wrong() -> None:
    assert [is_wrong(p) for p in ALL] == [True, True, True, True, True]
    assert not is_wrong(one("a", "a")) and not is_wrong(one(("b", "a"), ("a", "b")))
    assert not is_wrong(one(("Paris", "Rome"), "the paris!"))  # answers as their scorer compares them


def test_worst_errors_are_those_a_model_was_surest_of() -> None:
    relations = [
        one("a", "b", "near", a=1.0, b=1.1),
        one("a", "a", "right", a=1.0, b=9.0),
        one("a", "b", "far", a=-3.0, b=4.0),
        one("a", None, "silent"),
        one("a", "b", "middle", a=1.0, b=3.0),
    ]
    assert names(worst_errors(relations)) == ["far", "middle", "near", "silent"]
    assert names(worst_errors(relations, 1)) == ["far"]
    types = [one(("x",), ("y",), "low", x=-1.0, y=2.0), one(("x",), (), "missed", x=-5.0), one((), ("y",), "l", y=1.0)]
    assert names(worst_errors(types)) == ["missed", "low", "l"]
    spans = [one((MENTION,), (), "one"), one((MENTION,), (Mention(0, 1, "PER"), Mention(2, 3, "PER")), "three")]
    assert names(worst_errors(spans)) == ["three", "one"]
    answers = [one(("Pisa",), "in Pisa", "half", **{"in Pisa": 9.0}), one(("Pisa",), "Rome", "none", Rome=1.0)]
    assert names(worst_errors(answers)) == ["none", "half"]


def test_without_scores_the_order_is_the_files() -> None:
    assert names(worst_errors([one("a", "b", str(n)) for n in range(150)])) == [str(n) for n in range(100)]


def test_confusion_of_relations() -> None:
    confusion = confusion_of([one("a", "a"), one("a", "b"), one("b", "a"), one("a", "b"), one("c", None)])
    assert confusion.labels == ("a", "b", "c", NONE)
    assert confusion.counts == ((1, 2, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0))


def test_confusion_of_mentions_and_of_sets() -> None:
    found = (Mention(0, 1, "PER"), Mention(2, 3, "LOC"))
    confusion = confusion_of([one((MENTION, Mention(5, 6, "LOC")), found)])
    assert confusion.labels == ("LOC", "PER", NONE)
    assert confusion.counts == ((0, 1, 1), (0, 0, 0), (1, 0, 0))
    assert confusion_of([one(("a", "b"), ("b", "c"))]).counts == (
        (0, 0, 0, 1),
        (0, 1, 0, 0),
        (0, 0, 0, 0),
        (0, 0, 1, 0),
    )
    with pytest.raises(ValueError, match="no confusion matrix"):
        confusion_of([one(("Paris",), "Paris")])


def test_the_picture_is_a_png_and_the_same_each_time(tmp_path: Path) -> None:
    confusion = confusion_of([one("a", "a"), one("a", "b")])
    for name in ("x.png", "y.png"):
        draw_confusion(confusion, tmp_path / name, "a title")
    assert (tmp_path / "x.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (tmp_path / "x.png").read_bytes() == (tmp_path / "y.png").read_bytes()
    with pytest.raises(UsageError, match="drawn as PNG"):
        draw_confusion(confusion, tmp_path / "x.svg")
    with pytest.raises(UsageError, match="at least one prediction"):
        draw_confusion(confusion_of([]), tmp_path / "x.png")


def test_without_matplotlib_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(UsageError, match=r'matplotlib is not installed\n  pip install "wikiprep\[plots\]"'):
        draw_confusion(confusion_of([one("a", "b")]), tmp_path / "x.png")
    assert not list(tmp_path.iterdir())


def test_a_changed_place_is_no_other_prediction() -> None:
    assert replace(ALL[0], place="elsewhere") == ALL[0]
