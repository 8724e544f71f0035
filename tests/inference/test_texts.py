"""Texts as people give them: brackets around mentions, JSON lines; what cannot be used says why."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.inference.texts import RejectedLine, TextLine, in_brackets, read_texts
from wikiprep.pretrain.trained import BadText, MarkedText

PARTS = st.lists(st.tuples(st.text(max_size=5), st.text(min_size=1, max_size=5)), max_size=4)


def escaped(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]")


@given(parts=PARTS, end=st.text(max_size=5))
def test_brackets_mark_what_is_in_them(parts: list[tuple[str, str]], end: str) -> None:
    for part in [piece for pair in parts for piece in pair] + [end]:
        if part.endswith("\\"):
            return  # it would escape the bracket behind it
    given_text = "".join(f"{escaped(before)}[{escaped(mention)}]" for before, mention in parts) + escaped(end)
    marked = in_brackets(given_text)
    assert marked.text == "".join(before + mention for before, mention in parts) + end
    assert [marked.text[start:stop] for start, stop in marked.spans] == [mention for _, mention in parts]
    assert marked.titles == (None,) * len(parts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a [b", "never closed"),
        ("a b]", "closing bracket without an opening one at character 3"),
        ("a [b [c]]", "within brackets at character 5"),
        ("a []", "around nothing"),
    ],
)
def test_brackets_that_are_wrong(text: str, said: str) -> None:
    with pytest.raises(BadText, match=said):
        in_brackets(text)


def test_lines() -> None:
    lines: list[object] = [
        {"text": "in [Oslo]", "id": 7},
        {"text": "in [Oslo]", "links": [{"start": 4, "end": 8, "target": "Oslo"}, {"start": 0, "end": 2}]},
        {"text": "in [Oslo", "links": []},
    ]
    found = list(read_texts(enumerate(map(orjson.dumps, lines), 1)))
    assert found[0] == TextLine(1, {"text": "in [Oslo]", "id": 7}, MarkedText("in Oslo", ((3, 7),), (None,)))
    assert isinstance(found[1], TextLine)  # with links, brackets are letters
    assert found[1].marked == MarkedText("in [Oslo]", ((0, 2), (4, 8)), (None, "Oslo"))
    assert isinstance(found[2], TextLine) and found[2].marked == MarkedText("in [Oslo")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "invalid JSON"),
        (b"[1]", "not an object"),
        (b'{"title": "x"}', '"text" is missing'),
        (b'{"text": 3}', '"text" is missing or not a string'),
        (b'{"text": "a ]"}', "closing bracket"),
        (b'{"text": "abc", "links": 3}', "not a list"),
        (b'{"text": "abc", "links": [3]}', "not an object"),
        (b'{"text": "abc", "links": [{"start": 0}]}', "not an integer"),
        (b'{"text": "abc", "links": [{"start": 0, "end": 9}]}', "text of 3 code points"),
        (b'{"text": "abc", "links": [{"start": 1, "end": 1}]}', "is empty"),
        (b'{"text": "abc", "links": [{"start": 0, "end": 2}, {"start": 1, "end": 3}]}', "overlap"),
        (b'{"text": "abc", "links": [{"start": 0, "end": 2, "target": 3}]}', "not a title"),
    ],
)
def test_lines_that_are_wrong(line: bytes, said: str) -> None:
    (found,) = read_texts([(5, line)])
    assert isinstance(found, RejectedLine) and found.number == 5
    assert said in found.reason
