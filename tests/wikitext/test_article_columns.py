"""Columns are paragraphs: what goes in comes out, and a build writes the same of both."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wikiprep
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.dump.site import Site
from wikiprep.wikitext import article_columns
from wikiprep.wikitext.article import Link, Paragraph
from wikiprep.wikitext.article_columns import ParagraphColumns, columns_of
from wikiprep.wikitext.extract import extract


@st.composite
def paragraphs(draw: st.DrawFn) -> Paragraph:
    text = draw(st.text(max_size=30))  # with line ends, as text from elsewhere may have
    bounds = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = zip(bounds[::2], bounds[1::2], strict=False)
    links = [Link(a, b, draw(st.text(max_size=5)), draw(st.none() | st.text(max_size=3))) for a, b in pairs]
    return Paragraph(tuple(draw(st.lists(st.text(max_size=3), max_size=2))), "prose", 0, text, tuple(links))


@settings(deadline=None)
@given(st.lists(paragraphs(), max_size=6))
def test_columns_are_the_paragraphs(rows: list[Paragraph]) -> None:
    made = columns_of(rows)
    assert list(made) == rows
    assert made == rows
    assert len(made) == len(rows)
    assert [made[i] for i in range(len(rows))] == rows
    assert [made[i - len(rows)] for i in range(len(rows))] == rows
    assert list(reversed(made)) == rows[::-1]
    assert made.characters == sum(len(p.text) for p in rows)
    assert columns_of(made) is made
    assert pickle.loads(pickle.dumps(made)) == rows
    for wrong in (len(rows), -len(rows) - 1):
        with pytest.raises(IndexError):
            made[wrong]


@settings(deadline=None)
@given(st.lists(paragraphs(), max_size=6), st.slices(6))
def test_slices_are_those_of_the_list(rows: list[Paragraph], part: slice) -> None:
    assert columns_of(rows)[part] == rows[part]


def test_a_paragraph_by_its_index_makes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of 300, each asked for by its index: 300 are made, not the 90,000 of all for each."""
    made: list[str] = []

    def counted(kind: type) -> object:
        def make(*args: object) -> object:
            made.append(kind.__name__)
            return kind(*args)

        return make

    page = wikiprep.extract("\n\n".join(f"a [[B{n}]] c [[D|e]]" for n in range(300)), title="T")
    rows = page.paragraphs
    expected = list(rows)
    monkeypatch.setattr(article_columns, "Paragraph", counted(Paragraph))
    monkeypatch.setattr(article_columns, "Link", counted(Link))
    assert [rows[i] for i in range(len(rows))] == expected
    assert made.count("Paragraph") == 300
    assert made.count("Link") == 600


def test_a_build_writes_the_same_of_both() -> None:
    pages = ["[[A]] ü [[B#c|d]]s.\n\n* x [[Ö|é]]\n== h ==\ny", "", "no link", "\U0001f600 [[A|\U0001f600 b]] c"]
    found = [extract(page, "T", Site.for_language("en")).paragraphs for page in pages]
    assert all(isinstance(p, ParagraphColumns) for p in found)
    rows = [ArticleRow(i, None, None, "T", paragraphs=p) for i, p in enumerate(found)]
    plain = [ArticleRow(i, None, None, "T", paragraphs=list(p)) for i, p in enumerate(found)]
    assert article_batch(rows).equals(article_batch(plain))
    assert [k.target for p in found for q in p for k in q.links] == ["A", "B", "Ö", "A"]
