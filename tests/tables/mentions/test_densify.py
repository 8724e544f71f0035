"""Spans beside the links of a page: later mentions of what it links, and of itself."""

from collections import Counter

import numpy as np
import pytest
from make_mentions import article, mentions_of, paragraph
from make_tables import is_main, page

from wikiprep.corpus.article_arrays import flatten
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.corpus.spans import DENSIFIED, SUBJECT, AddedSpans
from wikiprep.tables.mentions.densify import Densifier
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.tables.mentions.page_names import PageNamer

SUN = article(
    1,
    "Sun",
    paragraph("Venus, the Sun, ", ("Venus", "Venus"), ", Venus; ", ("Tokyo", "Tokyo")),
    paragraph("Venus and ", ("New York", "New York"), " City. New York City, Suns", kind="list_item"),
    paragraph("Tokyo東京, New York-Venus ", ("Sun", "Sun"), " Sun."),
)
ROWS = [
    SUN,
    article(2, "Venus", paragraph("Venus is no ", ("Sun", "Sun"), ". The Sun is no Tokyo.")),
    article(3, "Tokyo", paragraph("Nothing")),
    article(4, "New York", paragraph("of the ", ("Sun", "Sun"))),
]


@pytest.fixture(scope="module")
def densifier(tmp_path_factory: pytest.TempPathFactory) -> Densifier:
    out = tmp_path_factory.mktemp("densify")
    pages = [page(i, title) for i, title in enumerate(("Sun", "Venus", "Tokyo", "New York"), 1)]
    mentions_of(out, pages, ROWS)
    return Densifier(PageNamer(MentionTable.open(out), Rules(), is_main, subject=True))


def added(
    densifier: Densifier, rows: list[ArticleRow], without: tuple[int, ...] = ()
) -> tuple[AddedSpans, list[list[object]]]:
    flat = flatten(article_batch(rows))
    chosen = np.ones(len(flat.texts), bool)
    chosen[list(without)] = False
    made = densifier.added(flat, chosen, Counter())
    texts = flat.texts.to_pylist()
    columns = zip(
        *(c.tolist() for c in (made.paragraph, made.start, made.end, made.target, made.source, made.late)), strict=True
    )
    return made, [[p, s, texts[p][s:e], made.targets[t], source, late] for p, s, e, t, source, late in columns]


def test_later_mentions_and_the_subject(densifier: Densifier) -> None:
    made, spans = added(densifier, [SUN])
    assert spans == [
        [0, 0, "Venus", "Venus", DENSIFIED, False],  # before the page's first link to it
        [0, 11, "Sun", "Sun", SUBJECT, True],
        [0, 23, "Venus", "Venus", DENSIFIED, True],
        [1, 0, "Venus", "Venus", DENSIFIED, True],
        [1, 25, "New York", "New York", DENSIFIED, True],
        [2, 0, "Tokyo", "Tokyo", DENSIFIED, True],
        [2, 9, "New York", "New York", DENSIFIED, True],
        [2, 18, "Venus", "Venus", DENSIFIED, True],
        [2, 28, "Sun", "Sun", SUBJECT, True],
    ]
    assert len(made) == 9


def test_paragraphs_that_are_not_chosen_have_names_but_no_spans(densifier: Densifier) -> None:
    _, spans = added(densifier, [SUN], without=(1,))
    assert [span[0] for span in spans] == [0, 0, 0, 2, 2, 2, 2]
    assert [2, 9, "New York", "New York", DENSIFIED, True] in spans


def test_pages_of_a_batch_do_not_share_names(densifier: Densifier) -> None:
    for order in (ROWS, ROWS[::-1]):
        _, together = added(densifier, order)
        alone, before = [], 0
        for row in order:
            alone += [[span[0] + before, *span[1:]] for span in added(densifier, [row])[1]]
            before += len(row.paragraphs)
        assert together == alone
    assert [span[2:5] for span in added(densifier, [ROWS[1]])[1]] == [
        ["Venus", "Venus", SUBJECT],
        ["Sun", "Sun", DENSIFIED],
    ]


def test_nothing_of_nothing(densifier: Densifier) -> None:
    assert len(added(densifier, [])[0]) == 0
    assert len(added(densifier, [ROWS[2]])[0]) == 0
