"""CoNLL files: both kinds of IOB, documents, columns of tabs and blanks, and what is wrong in a line."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_files import SMALL

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.conll import read_file, sentences_of
from wikiprep.tasks.data.sets import read
from wikiprep.tasks.examples import TaggedDocument


def documents_of(path: Path, content: str) -> list[TaggedDocument]:
    path.write_text(content, encoding="utf-8")
    return list(read_file(path, Counter()))


def test_documents_of_conll2003() -> None:
    first, second = read("conll2003", SMALL / "conll2003", "test").examples
    assert (first.id, [s.id for s in first.sentences], [s.id for s in second.sentences]) == ("0", ["0", "1"], ["2"])
    sentence = first.sentences[0]
    assert sentence.text == "Galileo Galilei saw Io Europa ."
    assert [sentence.text[a:b] for a, b in sentence.words] == sentence.text.split()
    assert [(sentence.text[m.start : m.end], m.type) for m in sentence.mentions] == [
        ("Galileo Galilei", "PER"),
        ("Io", "LOC"),
        ("Europa", "LOC"),
    ]
    assert sentence.tags == ("B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O")  # IOB2, of IOB1
    assert [m.type for m in second.sentences[0].mentions] == ["ORG", "LOC"]  # another type begins a mention


def test_without_document_marks_a_sentence_is_a_document(tmp_path: Path) -> None:
    documents = documents_of(tmp_path / "x", "\ufeffa\tB-x\n\t\nb\tI-x\nc\tI-x\n\n\n")
    assert [len(document.sentences) for document in documents] == [1, 1]
    assert [sentence.tags for sentence in sentences_of(documents)] == [("B-x",), ("B-x", "I-x")]


def test_odd_words_stay_words(tmp_path: Path) -> None:
    (document,) = documents_of(tmp_path / "x", "\ufe0f\tO\n\u00a0\tO\nNew York\tB-x\n\u2028\tO\n")
    (sentence,) = document.sentences
    assert [sentence.text[a:b] for a, b in sentence.words] == ["\ufe0f", "\u00a0", "New York", "\u2028"]


def test_windows_line_ends_and_no_last_line_end(tmp_path: Path) -> None:
    (document,) = documents_of(tmp_path / "x", "a B-x\r\nb I-x")
    assert document.sentences[0].tags == ("B-x", "I-x")


def test_empty_documents_are_counted(tmp_path: Path) -> None:
    path, left_out = tmp_path / "x", Counter[str]()
    path.write_text("-DOCSTART- -X- -X- O\n\n-DOCSTART- -X- -X- O\n\na O\n-DOCSTART- O\nb O\n")
    assert [s.text for s in sentences_of(list(read_file(path, left_out)))] == ["a", "b"]
    assert left_out == {"document: without a sentence": 1}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("a O\nb X-PER\n", ":2: 'X-PER' is no tag\n  tags are O, B-TYPE and I-TYPE"),
        ("a O\nb B-\n", ":2: 'B-' is no tag"),
        ("a O\nb\n", ":2: has one column\n  a line is a word and its tag"),
        ("a N O\n\nb O\n", ":3: has 2 columns, the lines above 3"),
        ("a O\n\n-DOCSTART- O\n\nb O\n", ": its first -DOCSTART- stands behind sentences"),
    ],
)
def test_a_damaged_line_is_named(content: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError) as caught:
        documents_of(tmp_path / "x.conll", content)
    assert str(caught.value).startswith(f"{tmp_path / 'x.conll'}{what}")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a O\nM\xfcnchen B-LOC\n")
    with pytest.raises(WikiprepError, match=r"x:2: not UTF-8"):
        list(read_file(tmp_path / "x", Counter()))


WORDS = st.text(st.characters(exclude_characters="\t\n\r \ufeff", exclude_categories=["Cs"]), min_size=1)
TAGS = st.sampled_from(["O", "B-x", "I-x", "B-y-z", "I-y-z"])


@given(st.lists(st.lists(st.tuples(WORDS, TAGS), min_size=1, max_size=6), min_size=1, max_size=4))
def test_any_words_and_tags(tmp_path_factory: pytest.TempPathFactory, rows: list[list[tuple[str, str]]]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.conll"
    content = "\n".join("".join(f"{word}\t{tag}\n" for word, tag in sentence) for sentence in rows)
    read_back = sentences_of(documents_of(path, content))
    for sentence, row in zip(read_back, rows, strict=True):
        assert [sentence.text[a:b] for a, b in sentence.words] == [word for word, _ in row]
        assert [tag[1:] for tag in sentence.tags] == [tag[1:] for _, tag in row]  # I- may become B-
        starts, ends = {a for a, _ in sentence.words}, {b for _, b in sentence.words}
        assert all(m.start in starts and m.end in ends and m.start < m.end for m in sentence.mentions)
