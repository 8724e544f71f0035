"""Lists are read whole or not at all: a line that is not understood is named."""

from pathlib import Path

import pytest

from wikiprep.errors import UsageError
from wikiprep.leave_out.lists import Entry, read_lists, words_of


def entries(path: Path, content: str | bytes) -> list[tuple[int, str, str]]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return [(e.line, e.kind, e.value) for e in read_lists([str(path)])]


def test_titles_and_json_in_one_file(tmp_path: Path) -> None:
    found = entries(
        tmp_path / "list.txt",
        '\ufeffOslo\n\n  AC/DC \r\n{"page_id": 12}\n{"wikipedia_id": "3", "title": "Norge", "page_id": "7"}\n'
        '{"qid":"Q42"}\n'
        '{"sentence": "One, two."}\n{"pair": ["Q1","Q2"]}\n{"triple": ["Q1","P36","Q2"], "id": null}\nQ5',
    )
    assert found == [
        (1, "title", "Oslo"), (3, "title", "AC/DC"), (4, "page_id", "12"), (5, "title", "Norge"), (5, "page_id", "7"),
        (6, "qid", "Q42"), (7, "sentence", "One, two."), (8, "pair", "Q1 Q2"), (9, "triple", "Q1 P36 Q2"),
        (10, "title", "Q5"),
    ]  # fmt: skip
    assert Entry("f", 1, "triple", "Q1 P36 Q2").fact == (1, 36, 2)
    assert Entry("f", 1, "pair", "Q1 Q2").fact == (1, 0, 2)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{}", "names nothing"),
        ('[{"title": "Oslo"}]', "no page can be called"),
        ("# pages of 2017", "no page can be called"),
        ("[[Oslo]]", "no page can be called"),
        ('{"titel": "Oslo"}', "names nothing"),
        ('{"title": ""}', "title is ''"),
        ('{"title": 5}', "title is 5"),
        ('{"title": "Oslo"', "not JSON"),
        ('{"page_id": -1}', "page_id is -1"),
        ('{"page_id": true}', "page_id is True"),
        ('{"page_id": "Q1"}', "page_id is 'Q1'"),
        ('{"qid": 42}', "qid is 42"),
        ('{"qid": "Q99999999999"}', "qid is"),
        ('{"qid": "P42"}', "qid is 'P42'"),
        ('{"sentence": "?!"}', "sentence is '?!'"),
        ('{"pair": ["Q1"]}', "pair is"),
        ('{"triple": ["Q1", "Q2", "Q3"]}', "triple is"),
        ('{"triple": "Q1 P2 Q3"}', "triple is"),
        (b"\xff\xfe\x00", "UTF-16"),
        (b"Oslo \xe5", "not UTF-8"),
    ],
)
def test_a_line_that_names_nothing_is_told(tmp_path: Path, line: str | bytes, problem: str) -> None:
    before = b"" if isinstance(line, bytes) and b"\xff" in line else b"Fine\n"
    with pytest.raises(UsageError, match=problem.replace("?", r"\?")) as caught:
        entries(tmp_path / "list.jsonl", before + (line if isinstance(line, bytes) else line.encode()) + b"\n")
    assert "list.jsonl" in caught.value.what
    assert not before or "list.jsonl:2" in caught.value.what


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_list_is_told(tmp_path: Path, content: str) -> None:
    with pytest.raises(UsageError, match="is empty"):
        entries(tmp_path / "list", content)
    with pytest.raises(UsageError, match="no such file"):
        list(read_lists([str(tmp_path / "none")]))


def test_words_are_what_is_compared() -> None:
    assert words_of("Straße  “No. 5” – don't_go") == ["strasse", "no", "5", "don", "t", "go"]
    assert words_of("STRASSE no 5: don’t go.") == words_of("straße NO. 5 don't go")


def test_letters_with_marks_are_one_character_as_in_wikipedia(tmp_path: Path) -> None:
    # macOS and some tools write e + U+0301; MediaWiki has no such text.
    found = entries(
        tmp_path / "l", 'Cafe\u0301\n{"title": "Bo\\u0308n"}\n{"sentence": "Le cafe\u0301 est la\u0300."}\n'
    )
    assert [value for _, _, value in found] == ["Caf\u00e9", "B\u00f6n", "Le caf\u00e9 est l\u00e0."]
