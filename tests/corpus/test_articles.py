"""Article parts: what goes in comes out, bytes repeat, memory is bounded, wrong files are named."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.corpus.articles import ArticleRow, ArticleWriter, article_batch, article_rows, read_articles
from wikiprep.corpus.schema import article_schema
from wikiprep.errors import WikiprepError
from wikiprep.storage.tables import reject_schema
from wikiprep.wikitext.article import Link, Paragraph

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ids = st.none() | st.integers(0, 2**62)
links = st.builds(Link, st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1), words, st.none() | words)
paragraphs = st.builds(
    Paragraph,
    st.lists(words, max_size=3).map(tuple),
    st.sampled_from(["prose", "list_item", "table"]),
    st.integers(0, 9),
    words,
    st.lists(links, max_size=3).map(tuple),
)
articles = st.builds(
    ArticleRow,
    page_id=ids,
    revision_id=ids,
    timestamp=st.none() | words,
    title=words,
    qid=st.none() | words,
    kind=st.sampled_from(["article", "disambiguation"]),
    categories=st.lists(words, max_size=2),
    interlanguage=st.lists(st.tuples(words, words), max_size=2),
    flags=st.lists(words, max_size=2),
    paragraphs=st.lists(paragraphs, max_size=4),
)


def article(number: int, text: str = "Some text.") -> ArticleRow:
    paragraph = Paragraph(("History",), "prose", 0, text, (Link(0, 4, "Some", None), Link(5, 9, "Text", "Use")))
    return ArticleRow(number, number + 10, "2026-09-01T00:00:00Z", f"Page {number}", paragraphs=[paragraph])


def write(path: Path, rows: list[ArticleRow], **limits: int) -> Path:
    writer = ArticleWriter(path, **limits)
    for row in rows:
        writer.add(row)
    writer.close()
    return path


@settings(deadline=None)  # the first batch of a process loads a part of numpy
@given(st.lists(articles, max_size=5))
def test_batch_holds_the_rows(rows: list[ArticleRow]) -> None:
    batch = article_batch(rows)
    batch.validate(full=True)
    assert batch.schema.equals(article_schema(), check_metadata=True)
    assert list(article_rows(batch)) == rows


def test_file_holds_the_rows_in_order(tmp_path: Path) -> None:
    rows = [article(n) for n in range(25)]
    path = write(tmp_path / "part.parquet", rows, group_rows=10)
    batches = list(read_articles(path, batch_rows=4))
    assert [b.num_rows for b in batches] == [4, 4, 2, 4, 4, 2, 4, 1]
    assert [r.title for b in batches for r in article_rows(b)] == [r.title for r in rows]
    assert [len(r.paragraphs[0].links) for b in batches for r in article_rows(b)] == [2] * 25


def test_same_rows_same_bytes(tmp_path: Path) -> None:
    rows = [article(n) for n in range(100)]
    one, two = write(tmp_path / "one", rows), write(tmp_path / "two", rows)
    assert one.read_bytes() == two.read_bytes()


def test_row_groups_are_bounded_by_text(tmp_path: Path) -> None:
    path = write(tmp_path / "part", [article(n, "word " * 100) for n in range(20)], group_characters=1_000)
    assert pq.ParquetFile(path).num_row_groups == 10


def test_empty_part_is_valid(tmp_path: Path) -> None:
    path = write(tmp_path / "part", [])
    assert list(read_articles(path)) == []
    schema = pq.read_schema(path)
    assert schema.equals(article_schema()) and schema.metadata == article_schema().metadata


def test_some_columns_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "part", [article(1)])
    (batch,) = read_articles(path, ["title", "paragraphs.list.element.links.list.element.target"])
    assert batch.to_pylist() == [
        {"title": "Page 1", "paragraphs": [{"links": [{"target": "Some"}, {"target": "Text"}]}]}
    ]


@pytest.mark.parametrize("content", [b"", b"<!DOCTYPE html><title>404</title>", b"PAR1 cut"])
def test_not_parquet_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "part.parquet"
    path.write_bytes(content)
    with pytest.raises(WikiprepError, match=r"part\.parquet.*not a whole Parquet"):
        list(read_articles(path))


def test_cut_file_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "part.parquet", [article(n) for n in range(50)])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(WikiprepError, match=r"part\.parquet"):
        list(read_articles(path))


def test_other_tables_are_refused(tmp_path: Path) -> None:
    pq.write_table(reject_schema().empty_table(), tmp_path / "rejects.parquet")
    with pytest.raises(WikiprepError, match="holds rejects/1, not articles/1"):
        list(read_articles(tmp_path / "rejects.parquet"))
    pq.write_table(pa.table({"a": [1]}), tmp_path / "own.parquet")
    with pytest.raises(WikiprepError, match="not made by wikiprep"):
        list(read_articles(tmp_path / "own.parquet"))
    with pytest.raises(WikiprepError, match="no such article part"):
        list(read_articles(tmp_path / "none.parquet"))
