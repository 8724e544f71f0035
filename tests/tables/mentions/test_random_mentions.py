"""Random small wikis, counted by all steps and by hand: the same table, however the parts are cut."""

from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_mentions import Piece, article, mentions_of, paragraph
from make_tables import PageRow, is_main, page
from naive_mentions import Wiki, articles_of, count

from wikiprep.corpus.articles import ArticleRow
from wikiprep.tables.mentions import merge_counts, text_counts, title_names, write_table
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.mention_table import MentionTable

ARTICLES = ["New York", "New York City", "York", "Duke of York", "東京", "東京都", "القاهرة", "Apple", "café", "!!!"]
LISTS = ["York (disambiguation)", "Apple （曖昧さ回避）", "NY"]
REDIRECTS = {
    "NYC": "New York City",
    "Big Apple": "NYC",
    "Loop": "Pool",
    "Pool": "Loop",
    "Gone": "Nowhere",
    "apple": "NY",
}
TARGETS = [*ARTICLES, *LISTS, *REDIRECTS, "Nowhere", "Red link", "Category:X"]
# Cases, nested and overlapping names, punctuation, scripts without spaces, prefixes, decomposed letters, odd spaces.
WORDS = [
    "New", "York", "City", "new york", "apple", "Apples", "Duke", "of", "東京都庁", "は", "والقاهرة", "cafe\u0301",
    "NYC",
    "(", ")", "-", ".", "\u00a0", "  ", "!!!", "†", "Nowhere", "Big Apple", "New  York",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from([*WORDS, *ARTICLES]), max_size=6).map(" ".join)
SURFACES = st.one_of(st.sampled_from([*ARTICLES, *WORDS, "the city", "Big\u00a0Apple"]))
PIECES = st.lists(st.one_of(TEXTS, st.tuples(SURFACES, st.sampled_from(TARGETS))), max_size=5)
KINDS = st.sampled_from(["prose", "list_item"])


def wiki_pages() -> list[PageRow]:
    numbers = iter(range(1, 100))
    return [
        *[page(next(numbers), title) for title in ARTICLES],
        *[page(next(numbers), title, "disambiguation") for title in LISTS],
        *[page(next(numbers), title, target=target) for title, target in REDIRECTS.items()],
    ]


@st.composite
def documents(draw: st.DrawFn) -> list[ArticleRow]:
    made = []
    for number, title in enumerate([*ARTICLES, *LISTS], 1):
        paragraphs = draw(st.lists(st.tuples(PIECES, KINDS), max_size=3))
        kind = "disambiguation" if title in LISTS else "article"
        made.append(article(number, title, *[_paragraph(pieces, what) for pieces, what in paragraphs], kind=kind))
    return made


def _paragraph(pieces: list[Piece], kind: str) -> Any:
    return paragraph(*pieces, kind=kind)


def without_pages(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "page_id"} for row in rows]


@settings(max_examples=25, deadline=None)
@given(
    documents(), st.integers(1, 4), st.integers(1, 3), st.booleans(), st.booleans(),
    st.sampled_from([1, 3, 1000]),
)  # fmt: skip
def test_any_wiki_cut_in_any_way_gives_the_counts_made_by_hand(
    tmp_path_factory: pytest.TempPathFactory,
    articles: list[ArticleRow],
    parts: int,
    shares: int,
    keep: bool,
    linked: bool,
    held: int,
) -> None:
    out = tmp_path_factory.mktemp("mentions")
    rules = Rules(disambiguation=keep, missing=linked)
    with pytest.MonkeyPatch.context() as patch:
        # So that all that is summed up now and then, or read in pieces, is.
        patch.setattr(text_counts, "HELD_ROWS", held)
        patch.setattr(merge_counts, "BATCH_ROWS", held)
        patch.setattr(title_names, "SLICE", held)
        patch.setattr(write_table, "RANGE", held)
        counts = mentions_of(out, wiki_pages(), articles, rules=rules, parts=parts, shares=shares)
    wanted = count(articles_of(out), Wiki(out, is_main, keep=keep, linked=linked)).rows()
    assert without_pages(pq.read_table(out / "tables" / "mentions.parquet").to_pylist()) == wanted
    for whole in ("mentions.links", "mentions.entries", "mentions.titles"):
        parts_of = [n for key, n in counts.items() if key.startswith(f"{whole}.") and not key.endswith(".read")]
        assert counts[f"{whole}.read"] == sum(parts_of)
    check_lookups(MentionTable.open(out), wanted)


def check_lookups(table: MentionTable, wanted: list[dict[str, Any]]) -> None:
    """The look-up files say what the table says, and every ratio is one."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for row in wanted:
        by_name.setdefault(row["name"], []).append(row)
    assert len(table) == len(by_name)
    for name, rows in by_name.items():
        counts, candidates = table.counts(name), table.candidates(name)
        assert counts is not None
        first = rows[0]
        assert (counts.link_count, counts.link_page_count) == (first["name_link_count"], first["name_link_page_count"])
        assert (counts.text_count, counts.text_page_count) == (first["text_count"], first["text_page_count"])
        found = [(c.title, c.link_count, c.link_page_count, c.is_title, c.is_redirect_title, c.is_disambiguation_title)
                 for c in candidates]  # fmt: skip
        assert found == [
            (row["target"], row["link_count"], row["link_page_count"], row["is_title"], row["is_redirect_title"],
             row["is_disambiguation_title"])
            for row in rows
        ]  # fmt: skip
        assert 0 <= counts.link_probability <= 1
        assert 0 <= table.entropy(name) <= 1
        assert sum(c.prior for c in candidates) == pytest.approx(1 if counts.link_count else 0)
        together = table.counts(name, folded=True)
        assert together is not None and together.text_count >= counts.text_count
        assert {c.title for c in candidates} <= {c.title for c in table.candidates(name, folded=True)}
