"""Names in any text, by the table alone: thresholds, longest matches, candidates, case."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_mentions import article, mentions_of, paragraph
from make_tables import page

from wikiprep.tables.mentions.detect import Detector
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.tables.mentions.normalize import folded_name, normal_name

TITLES = ["Apoptosis", "New York", "New York City", "Tokyo", "Cairo", "City", "Of (song)", "iPhone", "McDonald's"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> MentionTable:
    out = tmp_path_factory.mktemp("detect")
    pages = [page(i, title) for i, title in enumerate(TITLES, 1)] + [page(50 + i, f"Filler {i}") for i in range(200)]
    rows = [
        article(1, "Apoptosis", paragraph("Of ", ("apoptosis", "Apoptosis"), " in ", ("New York", "New York"))),
        article(2, "New York", paragraph(("New York City", "New York City"), " ", ("New York", "New York City"))),
        article(3, "Tokyo", paragraph(("東京", "Tokyo"), "は", ("of", "Of (song)"), " ", ("New York", "New York"))),
        article(4, "Cairo", paragraph(("القاهرة", "Cairo"), " ", ("iPhone", "iPhone"), " ", ("City", "City"))),
        article(5, "McDonald's", paragraph(("McDonald's", "McDonald's"), " of the ", ("of the city", "City"))),
        *[article(50 + i, f"Filler {i}", paragraph("of the city of New York, of all")) for i in range(200)],
    ]
    mentions_of(out, pages, rows)
    return MentionTable.open(out)


def found(table: MentionTable, text: str, **options: object) -> list[tuple[str, str]]:
    made = table.detect(text, **options)
    assert all(text[one.start : one.end] == one.text for one in made)
    return [(one.text, one.best.title) for one in made]


def test_names_with_their_candidates(table: MentionTable) -> None:
    one, two = table.detect("Is apoptosis known in New York City?")
    assert (one.start, one.end, one.name, one.link_probability) == (3, 12, "apoptosis", 1.0)
    assert [(c.title, c.page_id, c.prior) for c in one.candidates] == [("Apoptosis", 1, 1.0)]
    assert two.best.title == "New York City", "the longest"
    (york,) = table.detect("New York")
    assert [(c.title, round(c.prior, 3)) for c in york.candidates] == [("New York", 0.667), ("New York City", 0.333)]
    assert 0.01 < york.link_probability < 0.02


def test_a_rare_longer_name_hides_no_shorter_one(table: MentionTable) -> None:
    text = "of the city of New York"
    assert found(table, text) == [("New York", "New York")]
    assert found(table, text, min_link_probability=0.0)[0] == ("of the city", "City")
    assert found(table, text, min_link_probability=0.5) == []


def test_minimum_prior_and_number_of_candidates(table: MentionTable) -> None:
    (york,) = table.detect("New York", min_prior=0.5)
    assert [c.title for c in york.candidates] == ["New York"]
    assert table.detect("New York", min_prior=0.7) == []
    (york,) = table.detect("New York", k=1)
    assert [c.title for c in york.candidates] == ["New York"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京都は東京", ["Tokyo", "Tokyo"]),
        ("القاهرة، والقاهرة", ["Cairo"]),
        ("Newer York, New Yorker, New\u00a0York", ["New York"]),
        ("iPhones, iPhone", ["iPhone"]),
        ("IPHONE", []),
        ("McDonald's's", ["McDonald's"]),
        ("", []),
    ],
)
def test_scripts_case_and_borders(table: MentionTable, text: str, expected: list[str]) -> None:
    assert [title for _, title in found(table, text)] == expected


def test_whatever_the_case(table: MentionTable) -> None:
    assert found(table, "APOPTOSIS in NEW YORK CITY, Iphone", folded=True) == [
        ("APOPTOSIS", "Apoptosis"),
        ("NEW YORK CITY", "New York City"),
        ("Iphone", "iPhone"),
    ]
    assert found(table, "OF", folded=True) == []


def test_blocked_spans_stay_clear(table: MentionTable) -> None:
    text = "New York City and Cairo iPhone"
    for folded in (False, True):
        made = found(table, text, blocked=[(4, 8)], folded=folded)
        assert made == [("City", "City"), ("iPhone", "iPhone")] if not folded else made[-1] == ("iPhone", "iPhone")


def test_many_texts_are_as_one_after_the_other(table: MentionTable) -> None:
    texts = ["apoptosis", "", "in New York", "東京"]
    for folded in (False, True):
        detector = Detector(table, folded=folded)
        assert detector.detect(texts) == [table.detect(text, folded=folded) for text in texts]


WORDS = st.sampled_from(["new", "New", "YORK", "York", "City", "東京", "of", "iphone", ".", "  "])


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=8).map(" ".join), st.booleans(), st.sampled_from([0.0, 0.01, 0.5]))
def test_spans_spell_their_names_and_lie_apart(table: MentionTable, text: str, folded: bool, least: float) -> None:
    reached = 0
    form = folded_name if folded else normal_name
    for one in table.detect(text, least, folded=folded):
        assert reached <= one.start < one.end <= len(text)
        assert form(text[one.start : one.end]) == one.name
        assert one.link_probability >= least
        assert one.candidates == tuple(table.candidates(one.name, 10, folded=folded))
        reached = one.end
