"""Looking names up: candidates and their order, own titles, cased and folded forms, what is unknown."""

from pathlib import Path

import pytest
from make_mentions import article, mentions_of, paragraph
from make_tables import page

from wikiprep.errors import WikiprepError
from wikiprep.tables.mentions import link_probability
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.mention_table import Candidate, MentionTable, NameCounts

PAGES = [
    page(1, "Washington"), page(2, "George Washington"), page(3, "Washington, D.C."), page(4, "Seattle"),
    page(5, "!!!"), page(6, "Wash", target="Washington"), page(7, "washington", target="Seattle"),
    page(8, "Capital (disambiguation)", "disambiguation"), page(9, "Chk Chk Chk", target="!!!"),
]  # fmt: skip
CITY, MAN = ("Washington", "Washington, D.C."), ("Washington", "George Washington")
ARTICLES = [
    article(1, "Washington", paragraph("Not ", CITY, " nor ", MAN, ", only washington, Washington.")),
    article(2, "George Washington", paragraph(CITY, " was named for him; ", ("Washington", "Red link"), " too.")),
    article(3, "Washington, D.C.", paragraph(CITY, ", ", ("WASHINGTON", "Wash"), " and ", ("Washington", "Wash"))),
    article(4, "Seattle", paragraph("Of ", ("washington", "Washington"), ". Of ", ("the state", "Washington"), ".")),
    article(8, "Capital (disambiguation)", paragraph("The ", ("capital", "Washington, D.C."), " of ", MAN),
            kind="disambiguation"),
]  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> MentionTable:
    out = tmp_path_factory.mktemp("table")
    mentions_of(out, PAGES, ARTICLES)
    return MentionTable.open(out)


def test_candidates_are_in_order_of_links_then_title(table: MentionTable) -> None:
    assert table.candidates("Washington") == [
        Candidate("Washington, D.C.", 3, 3, 3, 3 / 5, False, False, False),
        Candidate("George Washington", 2, 1, 1, 1 / 5, False, False, False),
        Candidate("Washington", 1, 1, 1, 1 / 5, True, False, False),
    ]
    assert table.candidates(" Washington\u00a0") == table.candidates("Washington")


def test_raw_counts_of_a_name(table: MentionTable) -> None:
    # The red link is an occurrence, but leads to no page: no link.
    assert table.counts("Washington") == NameCounts("Washington", 5, 3, 7, 3)
    assert table.counts("washington") == NameCounts("washington", 1, 1, 2, 2)
    assert table.link_probability("washington") == 1 / 2
    assert table.prior("Washington", "George Washington") == table.commonness("Washington", "George Washington") == 0.2
    assert table.prior("Washington", "Seattle") == 0.0
    assert table.entropy("Washington") == link_probability.entropy([3, 1, 1])
    assert table.candidates("Washington")[0].commonness == 3 / 5


def test_the_page_of_that_title_stays_whatever_is_left_out(table: MentionTable) -> None:
    assert [c.title for c in table.candidates("Washington", k=2)] == ["Washington, D.C.", "Washington"]
    assert [c.title for c in table.candidates("Washington", k=1)] == ["Washington, D.C."]
    assert len(table.candidates("Washington", k=3)) == len(table.candidates("Washington", k=100)) == 3


def test_a_title_that_nobody_links_is_a_candidate_of_its_name(table: MentionTable) -> None:
    assert table.candidates("Seattle") == [Candidate("Seattle", 4, 0, 0, 0.0, True, False, False)]
    assert table.counts("Seattle") == NameCounts("Seattle")
    assert (table.link_probability("Seattle"), table.entropy("Seattle")) == (0.0, 0.0)


def test_titles_of_redirects_and_disambiguation_pages_are_marked(table: MentionTable) -> None:
    assert table.candidates("Wash") == [Candidate("Washington", 1, 0, 0, 0.0, False, True, False)]
    for name in ("Capital", "Capital (disambiguation)"):  # the first link of the paragraph is the entry
        assert table.candidates(name) == [Candidate("Washington, D.C.", 3, 0, 0, 0.0, False, False, True)]
    assert table.candidates("capital") == []  # a link of a disambiguation page is no use in text


def test_folded_look_up_takes_cased_forms_together(table: MentionTable) -> None:
    assert [form.name for form in table.forms("wAshington")] == ["Washington", "washington", "WASHINGTON"]
    assert table.counts("wAshington", folded=True) == NameCounts("washington", 7, 5, 10, 6)
    assert table.counts("wAshington") is None
    found = table.candidates("wAshington", folded=True)
    assert [(c.title, c.link_count, c.is_title, c.is_redirect_title) for c in found] == [
        ("Washington", 3, True, False),
        ("Washington, D.C.", 3, False, False),
        ("George Washington", 1, False, False),
        ("Seattle", 0, False, True),
    ]
    assert sum(c.prior for c in found) == pytest.approx(1)
    assert table.link_probability("WASHINGTON", folded=True) == 5 / 6


def test_unknown_names(table: MentionTable) -> None:
    for name in ("", " ", "Olympia", "Red link", "\ud800", "?", "the"):
        assert table.counts(name) is None
        assert table.counts(name, folded=True) is None
        assert table.candidates(name, 5) == table.candidates(name, folded=True) == table.forms(name) == []
        assert table.link_probability(name) == table.prior(name, "Washington") == table.entropy(name) == 0


def test_a_title_without_a_letter_is_no_name_but_its_page_is_found(table: MentionTable) -> None:
    assert table.counts("!!!") is None
    assert table.candidates("!!!", 1) == [Candidate("!!!", 5, 0, 0, 0.0, True, False, False)]
    assert table.candidates("Chk Chk Chk")[0].title == "!!!"


def test_ids_and_rows_for_work_on_many_names(table: MentionTable) -> None:
    name_id = table.names.id("Washington")
    assert name_id is not None
    assert table.candidates_of(name_id) == table.candidates("Washington")
    assert table.counts_of(name_id) == table.counts("Washington")
    assert table.targets(["Washington", "Red link"]).tolist() == [table.titles.number("Washington"), -1]
    with pytest.raises(ValueError, match="read-only"):
        table.links_at[0] = 1


def test_titles_without_a_page_are_targets_where_wanted(tmp_path: Path) -> None:
    mentions_of(tmp_path, PAGES, ARTICLES, rules=Rules(missing=True))
    table = MentionTable.open(tmp_path)
    assert table.counts("Washington") == NameCounts("Washington", 6, 3, 7, 3)
    assert table.candidates("Washington")[2:] == [
        Candidate("Red link", None, 1, 1, 1 / 6, False, False, False),
        Candidate("Washington", 1, 1, 1, 1 / 6, True, False, False),
    ]
    (place,) = table.targets(["Red link"]).tolist()
    assert place == len(table.titles)


def test_a_folder_without_a_mention_table(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="no mention statistics"):
        MentionTable.open(tmp_path)
