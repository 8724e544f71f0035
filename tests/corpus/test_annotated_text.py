"""Annotated text from elsewhere: what is read, what a page is, and what each bad line says."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.corpus.annotated_text import RejectRow, read_annotated, read_redirects
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.errors import WikiprepError
from wikiprep.wikitext.article import Link, Paragraph

GOOD = {"title": "Fox", "text": "A fox is red.", "links": [{"target": "Red", "start": 9, "end": 12}]}


def write(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "in.jsonl"
    encoded = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"".join(line + b"\n" for line in encoded))
    return path


def read(tmp_path: Path, *lines: Any, **options: Any) -> list[ArticleRow | RejectRow]:
    return list(read_annotated(write(tmp_path, *lines), **options))


def test_a_page_is_its_consecutive_lines(tmp_path: Path) -> None:
    hen = {"title": "Hen", "text": "A hen."}
    rows = read(tmp_path, GOOD, GOOD, {"redirects": []}, GOOD, hen, GOOD)
    assert [(row.title, len(row.paragraphs)) for row in rows if isinstance(row, ArticleRow)] == [
        ("Fox", 3),
        ("Hen", 1),
        ("Fox", 1),
    ]


def test_all_fields(tmp_path: Path) -> None:
    line = {
        **GOOD,
        "page_id": 7,
        "revision_id": 8,
        "qid": "Q9",
        "timestamp": "2026-01-01T00:00:00Z",
        "section": ["Life", "Food"],
        "kind": "quote",
        "source": "my corpus",
        "links": [{"target": "Red", "start": 9, "end": 12, "fragment": "Hue"}],
    }
    (row,) = read(tmp_path, line)
    assert row == ArticleRow(
        7,
        8,
        "2026-01-01T00:00:00Z",
        "Fox",
        "Q9",
        flags=["source:my corpus"],
        paragraphs=[Paragraph(("Life", "Food"), "quote", 0, "A fox is red.", (Link(9, 12, "Red", "Hue"),))],
    )
    assert article_batch([row]).num_rows == 1


def test_ids_are_null_unless_given_and_split_pages_where_they_differ(tmp_path: Path) -> None:
    rows = read(tmp_path, GOOD, {**GOOD, "page_id": 1}, GOOD, {**GOOD, "page_id": 2})
    assert [(r.page_id, len(r.paragraphs)) for r in rows if isinstance(r, ArticleRow)] == [(1, 3), (2, 1)]
    (row,) = read(tmp_path, GOOD)
    assert (row.page_id, getattr(row, "revision_id", 0)) == (None, None)


@pytest.mark.parametrize(
    ("fields", "section"),
    [
        ({"abstract": True}, ()),
        ({}, ()),
        ({"abstract": False}, ("",)),
        ({"abstract": False, "section": "Life"}, ("Life",)),
        ({"abstract": True, "section": "Life"}, ()),
        ({"section": ["Life"]}, ("Life",)),
        ({"section": []}, ()),
    ],
)
def test_sections(tmp_path: Path, fields: dict[str, Any], section: tuple[str, ...]) -> None:
    (row,) = read(tmp_path, {**GOOD, **fields})
    assert isinstance(row, ArticleRow)
    assert row.paragraphs[0].section == section


def test_titles_and_targets_stand_as_they_are(tmp_path: Path) -> None:
    line = {"title": "my_id:1 ", "text": "x", "links": [{"target": " q_2#a", "start": 0, "end": 1}]}
    (row,) = read(tmp_path, line)
    assert isinstance(row, ArticleRow)
    assert (row.title, row.paragraphs[0].links[0].target) == ("my_id:1 ", " q_2#a")


def test_offsets_are_code_points_and_links_are_sorted(tmp_path: Path) -> None:
    links = [{"target": "B", "start": 3, "end": 5}, {"target": "A", "start": 0, "end": 2}]
    (row,) = read(tmp_path, {"title": "t", "text": "😀a😀bc", "links": links})
    assert isinstance(row, ArticleRow)
    text = row.paragraphs[0].text
    assert [(k.target, text[k.start : k.end]) for k in row.paragraphs[0].links] == [("A", "😀a"), ("B", "bc")]


def link(start: Any, end: Any, target: Any = "T") -> dict[str, Any]:
    return {"target": target, "start": start, "end": end}


BAD: list[tuple[Any, str, str]] = [
    (b"{", "invalid JSON", "invalid JSON"),
    (b"\xc3\x28\x00", "invalid JSON", "invalid JSON"),
    (b'{"title": "a", "text": "\\ud800"}', "invalid JSON", "surrogate"),
    (b'{"title": "a", "text": "x\x00"}', "invalid JSON", "control character"),
    ([1, 2], "not an object", "list"),
    ("text", "not an object", "string"),
    ({"title": "a"}, "no text", '"text"'),
    ({"text": "a"}, "no title", '"title"'),
    ({"title": " ", "text": "a"}, "no title", "empty"),
    ({"title": 1, "text": "a"}, "bad field", "number"),
    ({"title": "a", "text": None}, "no text", '"text"'),
    ({"title": "a", "text": ["b"]}, "bad field", "list"),
    ({"title": "a", "text": "b\0"}, "bad field", "NUL"),
    ({**GOOD, "links": {"a": 1}}, "bad links", "object"),
    ({**GOOD, "links": ["a"]}, "bad link", "link 0"),
    ({**GOOD, "links": [link(0, 1, None)]}, "bad link", "target"),
    ({**GOOD, "links": [link(0, 1, "")]}, "bad link", "target"),
    ({**GOOD, "links": [link("0", 1)]}, "bad link", "start"),
    ({**GOOD, "links": [link(0, 1.0)]}, "bad link", "end"),
    ({**GOOD, "links": [link(False, 1)]}, "bad link", "start"),
    ({**GOOD, "links": [link(0, 1), link(0, 14)]}, "link out of range", "13 code points"),
    ({**GOOD, "links": [link(-1, 1)]}, "link out of range", "[-1, 1)"),
    ({**GOOD, "links": [link(3, 2)]}, "link out of range", "[3, 2)"),
    ({**GOOD, "links": [link(3, 3)]}, "empty link", "[3, 3)"),
    ({**GOOD, "links": [link(0, 5), link(4, 6)]}, "overlapping links", "[0, 5) and [4, 6)"),
    ({**GOOD, "links": [{**link(0, 5), "fragment": 1}]}, "bad link", "fragment"),
    ({**GOOD, "abstract": "yes"}, "bad field", "abstract"),
    ({**GOOD, "section": [1]}, "bad field", "section"),
    ({**GOOD, "kind": "poem"}, "unknown kind", "prose"),
    ({**GOOD, "page_id": "7"}, "bad field", "page_id"),
    ({**GOOD, "page_id": 2**63}, "bad field", "page_id"),
    ({**GOOD, "revision_id": -1}, "bad field", "revision_id"),
    ({**GOOD, "qid": 5}, "bad field", "qid"),
]


@pytest.mark.parametrize(("line", "reason", "detail"), BAD, ids=[str(line)[:50] for line, _, _ in BAD])
def test_a_bad_line_is_a_reject_that_names_its_place(tmp_path: Path, line: Any, reason: str, detail: str) -> None:
    rows = read(tmp_path, GOOD, b"", line, GOOD)
    (reject,) = [row for row in rows if isinstance(row, RejectRow)]
    assert reject.reason == reason
    assert reject.detail.startswith("in.jsonl:3: ")
    assert detail in reject.detail
    (page,) = [row for row in rows if isinstance(row, ArticleRow)]
    assert len(page.paragraphs) == 2


def test_a_reject_says_whose_it_is(tmp_path: Path) -> None:
    rows = read(tmp_path, GOOD, {"title": "Hen", "page_id": 5})
    assert [(r.page_id, r.title) for r in rows if isinstance(r, RejectRow)] == [(5, "Hen")]


@pytest.mark.parametrize("line", [line for line, _, _ in BAD], ids=[str(line)[:50] for line, _, _ in BAD])
def test_a_file_of_bad_lines_alone_fails(tmp_path: Path, line: Any) -> None:
    found = []
    with pytest.raises(WikiprepError, match=r"in\.jsonl: none of its 2 lines can be used \(line 1") as error:
        for row in read_annotated(write(tmp_path, line, line)):
            found.append(row)
    assert '"title", "text"' in error.value.hint
    assert len(found) == 2


def test_a_file_of_other_objects_fails_naming_expected_and_found_fields(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="fields found: id, body") as error:
        read(tmp_path, {"id": 1, "body": "x"})
    assert '"title", "text"' in error.value.hint


@pytest.mark.parametrize("lines", [[], [b""], [{"redirects": []}]])
def test_a_file_without_paragraphs_fails(tmp_path: Path, lines: list[Any]) -> None:
    with pytest.raises(WikiprepError, match="holds no paragraph"):
        read(tmp_path, *lines)


def test_empty_links_where_asked_for(tmp_path: Path) -> None:
    (row,) = read(tmp_path, {**GOOD, "links": [link(3, 3), link(3, 5), link(5, 5)]}, allow_empty_links=True)
    assert isinstance(row, ArticleRow)
    assert [(k.start, k.end) for k in row.paragraphs[0].links] == [(3, 3), (3, 5), (5, 5)]


def test_an_empty_text_is_a_paragraph(tmp_path: Path) -> None:
    (row,) = read(tmp_path, {"title": "a", "text": ""})
    assert isinstance(row, ArticleRow)
    assert row.paragraphs[0].text == ""


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    line = json.dumps(GOOD).encode()
    rows = read(tmp_path, b"\xef\xbb\xbf" + line + b"\r", line + b"\r")
    assert [type(row) for row in rows] == [ArticleRow]


def test_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode()))
    assert len(list(read_annotated(path))) == 1


def test_one_page_is_held_at_a_time(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD, {**GOOD, "title": "Hen"}, b"{")
    rows: Iterator[ArticleRow | RejectRow] = read_annotated(path)
    first = next(rows)
    assert isinstance(first, ArticleRow)
    assert first.title == "Fox"


# Redirects


def test_redirects_stand_anywhere(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"redirects": [["A", "B"]]},
        GOOD,
        b"{",
        {"redirects": {"C": "D"}},
        {**GOOD, "redirects": [["E", "F"]]},
    )
    assert list(read_redirects(path)) == [("A", "B"), ("C", "D"), ("E", "F")]
    rows = list(read_annotated(path))
    assert [len(r.paragraphs) for r in rows if isinstance(r, ArticleRow)] == [2]


@pytest.mark.parametrize("bad", [["A"], [["A"]], [["A", 1]], [["A", ""]], "A", [["A", "B", "C"]], None])
def test_a_bad_redirects_line_is_an_error(tmp_path: Path, bad: Any) -> None:
    path = write(tmp_path, GOOD, {"redirects": bad})
    with pytest.raises(WikiprepError, match=r"in\.jsonl:2: "):
        list(read_redirects(path))


# Anything at all

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
fields = st.sampled_from(["title", "text", "links", "abstract", "section", "kind", "page_id", "qid", "redirects"])


@settings(deadline=None)
@given(st.lists(st.dictionaries(fields, json_values) | json_values, max_size=5))
def test_any_json_is_rows_or_one_clear_error(tmp_path_factory: pytest.TempPathFactory, lines: list[Any]) -> None:
    path = write(tmp_path_factory.mktemp("any"), *lines)
    try:
        rows = list(read_annotated(path))
    except WikiprepError as error:
        assert "in.jsonl" in str(error)
        return
    pages = [row for row in rows if isinstance(row, ArticleRow)]
    assert article_batch(pages).num_rows == len(pages)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_rows_or_one_clear_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "in.jsonl"
    path.write_bytes(json.dumps(GOOD).encode() + b"\n" + data)
    assert any(isinstance(row, ArticleRow) for row in read_annotated(path))


def test_lines_are_counted_once(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD, {"redirects": [["text", "title"]]}, b'{"redirects": [', b"", {"title": "a"}, GOOD)
    counts: Counter[str] = Counter()
    assert len(list(read_annotated(path, counts=counts))) == 3
    assert counts == {"lines.read": 5, "lines.used": 2, "lines.redirects": 1, "lines.reject": 2}
