"""Which names a page has: its links' texts, for one referent each, linked often enough."""

from collections import Counter

import numpy as np
import pytest
from make_mentions import article, mentions_of, paragraph
from make_tables import is_main, page

from wikiprep.corpus.article_arrays import flatten
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.tables.mentions.page_names import PageNamer

PAGES = [
    page(1, "Sun"),
    page(2, "Mercury (planet)"),
    page(3, "Mercury (element)"),
    page(4, "Venus"),
    page(5, "Old Sol", target="Sun"),
    page(6, "Venus (goddess)"),
    page(7, "Mercury", kind="disambiguation"),
    page(8, "Moon (song)"),
]
ARTICLES = [
    article(
        1,
        "Sun",
        paragraph("The ", ("Mercury", "Mercury (planet)"), " and ", ("the  star", "Sun"), "."),
        paragraph(("star", "Old Sol"), " ", ("star", "Sun"), " ", ("Venus", "Venus"), " of ", ("of", "Venus")),
        paragraph(
            ("Venus", "Venus (goddess)"), " ", ("!!", "Venus"), " ", ("red", "No such page"), " ", ("m", "Mercury")
        ),
    ),
    article(2, "Mercury (planet)", paragraph("Mercury of the ", ("Sun", "Sun"))),
    article(3, "Mercury (element)", paragraph("Mercury of old. ", ("Mercury", "Mercury (element)"))),
    article(8, "Moon (song)", paragraph("The Moon of ", ("Venus", "Venus"))),
    *[article(100 + i, f"Filler {i}", paragraph("of course, of all, Moon")) for i in range(120)],
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> MentionTable:
    out = tmp_path_factory.mktemp("names")
    filler = [page(100 + i, f"Filler {i}") for i in range(120)]
    mentions_of(out, PAGES + filler, ARTICLES)
    return MentionTable.open(out)


def names(
    table: MentionTable, rows: list[ArticleRow], rules: Rules | None = None, **options: object
) -> tuple[dict[tuple[int, str], str], Counter[str]]:
    counts: Counter[str] = Counter()
    namer = PageNamer(table, rules or Rules(), is_main, **options)
    found = namer.names_of(flatten(article_batch(rows)), counts)
    assert counts["names.read"] == len(found) + sum(n for key, n in counts.items() if key.startswith("names.dropped."))
    assert counts["names.used"] == len(found)
    return dict(zip(zip(found.page.tolist(), found.name, strict=True), found.title, strict=True)), counts


def test_names_of_links_after_redirects_with_one_referent(table: MentionTable) -> None:
    made, counts = names(table, ARTICLES[:1])
    assert made == {(0, "Mercury"): "Mercury (planet)", (0, "the star"): "Sun", (0, "star"): "Sun"}
    assert {key.removeprefix("names.dropped."): n for key, n in counts.items() if n and "dropped" in key} == {
        "two_referents": 1,  # Venus
        "link_probability": 1,  # of: on 1 of 124 pages
        "no_name": 1,  # !!
        "no_page": 2,  # red, and a disambiguation page
    }


def test_the_threshold_is_applied_when_asked_for(table: MentionTable) -> None:
    assert names(table, ARTICLES[:1], min_link_probability=0.0)[0][0, "of"] == "Venus"
    assert (0, "of") in names(table, ARTICLES[:1], min_link_probability=1 / 124)[0]
    assert (0, "of") not in names(table, ARTICLES[:1], min_link_probability=1 / 123)[0]


def test_titles_without_a_page_are_referents_where_they_count_as_entities(table: MentionTable) -> None:
    made, _ = names(table, ARTICLES[:1], Rules(missing=True))
    assert (0, "red") not in made, "the table was counted without them, so it lacks the name"


def test_the_subject_is_meant_by_its_title_and_by_what_links_call_it(table: MentionTable) -> None:
    made, _ = names(table, [ARTICLES[1], ARTICLES[2], ARTICLES[3]], subject=True)
    assert made[0, "Mercury"] == "Mercury (planet)"
    assert made[1, "Mercury"] == "Mercury (element)"
    assert made[2, "Venus"] == "Venus"
    assert (2, "Moon") not in made, "no link on Moon leads to the song"
    assert (2, "Moon (song)") not in made, "nowhere linked: a link probability of 0"
    assert (0, "Mercury") not in names(table, [ARTICLES[1]])[0]


def test_a_name_of_the_subject_and_of_a_link_has_two_referents(table: MentionTable) -> None:
    rows = [article(2, "Mercury (planet)", paragraph(("Mercury", "Mercury (element)"), " and Mercury"))]
    assert names(table, rows, subject=True)[0] == {}
    assert names(table, rows)[0] == {(0, "Mercury"): "Mercury (element)"}


def test_where_the_first_link_to_a_referent_stands(table: MentionTable) -> None:
    namer = PageNamer(table, Rules(), is_main, subject=True)
    rows = [
        article(2, "Mercury (planet)", paragraph("Mercury")),
        article(
            9, "Other", paragraph("no"), paragraph(("star", "Sun")),
            paragraph(("Sun", "Sun"), ("Mercury", "Mercury (planet)")),
        ),
    ]  # fmt: skip
    found = namer.names_of(flatten(article_batch(rows)))
    columns = (found.page, found.since_text, found.since_place)
    places = [(name, *place) for name, *place in zip(found.name, *(c.tolist() for c in columns), strict=True)]
    assert sorted(places) == [("Mercury", 0, -1, -1), ("Mercury", 1, 3, 10), ("Sun", 1, 2, 4), ("star", 1, 2, 4)]


def test_no_articles_and_no_links(table: MentionTable) -> None:
    assert names(table, [])[0] == {}
    assert names(table, [article(50, "Alone", paragraph("nothing"))])[0] == {}
    found = PageNamer(table, Rules(), is_main).names_of(flatten(article_batch([])))
    assert len(found.finder().find([], np.empty(0, np.int64), *np.empty((3, 0), np.int64))) == 0


CASES = [
    page(1, "Io (moon)"),
    page(2, "IO"),
    page(3, "Apple"),
    page(4, "Apple Inc."),
    page(5, "Istanbul"),
    page(6, "A"),
]
CASED = [
    article(
        6,
        "A",
        paragraph(("Io", "Io (moon)"), " ", ("Apple", "Apple Inc."), " ", ("apple", "Apple"), " ", ("of", "Io (moon)")),
        paragraph(("İstanbul", "Istanbul"), " ", ("ISTANBUL", "Istanbul"), " ", ("Red", "Nowhere"), " ", ("OF", "IO")),
    ),
    *[article(100 + i, f"Filler {i}", paragraph("of course, of all, ISTANBUL")) for i in range(120)],
]


@pytest.fixture(scope="module")
def cased(tmp_path_factory: pytest.TempPathFactory) -> MentionTable:
    out = tmp_path_factory.mktemp("cased")
    mentions_of(out, CASES + [page(100 + i, f"Filler {i}") for i in range(120)], CASED)
    return MentionTable.open(out)


def test_names_without_case_are_ambiguous_where_any_of_their_forms_are(cased: MentionTable) -> None:
    """ "of" is under 1 % and is gone before "OF" is compared with it, so that "OF" has one referent."""
    made, counts = names(cased, CASED[:1], folded=True)
    assert made == {(0, "io"): "Io (moon)", (0, "i\u0307stanbul"): "Istanbul", (0, "of"): "IO"}
    assert {key.removeprefix("names.dropped."): n for key, n in counts.items() if n and "dropped" in key} == {
        "two_referents": 2,  # Apple, apple
        "link_probability": 2,  # of, ISTANBUL
        "no_name": 1,  # Red
    }
    with_case, _ = names(cased, CASED[:1])
    assert with_case == {
        (0, "Io"): "Io (moon)", (0, "Apple"): "Apple Inc.", (0, "apple"): "Apple",
        (0, "İstanbul"): "Istanbul", (0, "OF"): "IO",
    }  # fmt: skip


def test_forms_of_one_name_are_one_name(cased: MentionTable) -> None:
    rows = [article(6, "A", paragraph(("Io", "Io (moon)"), " ", ("IO", "Io (moon)"), " ", ("OF", "IO")))]
    namer = PageNamer(cased, Rules(), is_main, folded=True, min_link_probability=0.0)
    counts: Counter[str] = Counter()
    found = namer.names_of(flatten(article_batch(rows)), counts)
    assert (found.name, found.written) == (["io", "of"], ["Io", "OF"])
    assert counts["names.read"] == 3 and counts["names.used"] == 2 and counts["names.dropped.other_case"] == 1
    texts = ["io, IO, Iota, of"]
    spans = found.finder().find(texts, np.zeros(1, np.int64), *np.empty((3, 0), np.int64))
    assert [texts[0][a:b] for a, b in zip(spans.start, spans.end, strict=True)] == ["io", "IO", "of"]
    rows = [article(6, "A", paragraph(("OF", "IO"), " ", ("of", "IO")))]
    counts = Counter()
    found = namer.names_of(flatten(article_batch(rows)), counts)
    assert (found.name, found.written, found.title) == (["of"], ["OF"], ["IO"])
    assert counts["names.dropped.other_case"] == 1
