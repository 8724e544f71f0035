"""Spans of any text, with a source page and without: what they carry, and that they are where they say."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikiprep.annotate.annotator import PAGE_LINK, PAGE_SUBJECT, PRIOR, Annotator, Rule
from wikiprep.api.mentions import Mentions, annotator_of
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.tables.mentions.normalize import normal_name


@pytest.fixture(scope="module")
def annotator(tiny_corpus: Path) -> Annotator:
    return Annotator(str(tiny_corpus))


def spans(
    annotator: Annotator, text: str, page: str | int | None = None, blocked: object = ()
) -> list[tuple[str, str]]:
    (made,) = annotator.annotate([text], annotator.page_id(page), [blocked])
    for span in made:
        assert text[span.start : span.end] == span.text
    return [(span.text, span.target) for span in made]


def test_names_are_those_of_the_page(annotator: Annotator) -> None:
    text = "Mercury, the Sun, Venus, Cairo and AC/DC."
    assert spans(annotator, text, "Solar System") == [("Mercury", "Mercury (planet)"), ("Sun", "Sun")]
    assert spans(annotator, text, "Cairo") == [("AC/DC", "AC/DC")]
    assert spans(annotator, "mercury", "Gold") == [("mercury", "Mercury (element)")]


def test_names_of_a_page_are_found_whatever_their_case(annotator: Annotator, tiny_corpus: Path) -> None:
    """As the published code does; the other by option."""
    text = "Mercury, the SUN, Venus, CAIRO, Cairo and ac/dc in İCairo."
    element, cairo = ("Mercury", "Mercury (element)"), ("Cairo", "Cairo")
    assert spans(annotator, text, "Gold") == [element, ("CAIRO", "Cairo"), cairo], "it links mercury"
    assert spans(annotator, text, "Cairo") == [("ac/dc", "AC/DC")]
    with_case = Annotator(str(tiny_corpus), Rule(match_case=True))
    assert spans(with_case, text, "Gold") == [cairo]
    assert spans(with_case, "mercury", "Gold") == [("mercury", "Mercury (element)")]
    assert spans(with_case, text, "Cairo") == []
    (made,) = annotator.annotate(["MERCURY"], annotator.page_id("Gold"))
    (exact,) = annotator.annotate(["mercury"], annotator.page_id("Gold"))
    assert made[0].link_probability == exact[0].link_probability and made[0].prior == exact[0].prior > 0


@pytest.mark.parametrize("page", ["Solar System", "Solar_System", "solar System", " Solar  System ", 1])
def test_a_page_is_known_by_title_or_id(annotator: Annotator, page: str | int) -> None:
    assert annotator.page_id(page) == 1


@pytest.mark.parametrize("page", ["Nowhere", "Mercury (other)", "", "\ud800", 10**6, -1, None])
def test_an_unknown_page_is_none(annotator: Annotator, page: str | int | None) -> None:
    assert annotator.page_id(page) is None


@pytest.mark.parametrize("page", ["کتاب\u200cها", 'R&B_"Hits"', "what? (band)", "AC/DC"])
def test_odd_titles_are_known(annotator: Annotator, page: str) -> None:
    assert annotator.page_id(page) is not None


def test_a_redirect_is_its_page(annotator: Annotator) -> None:
    assert annotator.page_id("東京") == annotator.page_id("Tokyo")


def test_without_a_page_each_name_means_what_it_means_most(annotator: Annotator) -> None:
    (made,) = annotator.annotate(["Mercury and 東京都, not a band What?"])
    assert [(s.text, s.target, s.source) for s in made] == [
        ("Mercury", "Mercury (planet)", PRIOR),
        ("東京", "Tokyo", PRIOR),
        ("band What?", "What? (band)", PRIOR),
    ]


def test_what_a_span_carries(annotator: Annotator) -> None:
    (made,) = annotator.annotate(["The band What? and gold"], annotator.page_id("Cairo"))
    (span,) = made
    assert span.as_json() == {
        "start": 4, "end": 14, "text": "band What?", "target": "What? (band)", "page_id": 12, "qid": "Q1012",
        "url": "https://en.wikipedia.org/wiki/What%3F_(band)", "link_probability": 1.0, "prior": 1.0,
        "source": PAGE_LINK,
    }  # fmt: skip
    (made,) = annotator.annotate(["gold"])
    assert (made[0].qid, made[0].page_id) == (None, 8), "no QID is known of it"
    assert 0 < made[0].link_probability < 1


def test_the_subject_only_where_it_is_asked_for(tiny_corpus: Path) -> None:
    text = "Mercury is near the Sun, says the Solar System."
    for subject, expected in ((False, []), (True, [("Mercury", PAGE_SUBJECT)])):
        annotator = Annotator(str(tiny_corpus), Rule(subject=subject))
        (made,) = annotator.annotate([text], annotator.page_id("Mercury (planet)"))
        assert [(s.text, s.source) for s in made if s.text == "Mercury"] == expected
        assert [s.text for s in made if s.source == PAGE_LINK] == ["Sun", "Solar System"]


def test_thresholds(tiny_corpus: Path) -> None:
    text = "Mercury and gold and the Sun"
    for page in (None, "Gold", "Solar System"):
        everything, strict = (Annotator(str(tiny_corpus), rule) for rule in (Rule(0.0), Rule(0.6, min_prior=0.9)))
        (loose,) = everything.annotate([text], everything.page_id(page))
        (kept,) = strict.annotate([text], strict.page_id(page))
        assert page is None or set(kept) <= set(loose), "a lower threshold lets longer names in"
        assert all(s.link_probability >= 0.6 and s.prior >= 0.9 for s in kept)


def test_links_that_are_there_are_kept_clear_of(annotator: Annotator) -> None:
    text = "Mercury and Mercury and the Sun"
    for page in (None, "Solar System"):
        assert spans(annotator, text, page, [(2, 5), (28, 31)]) == [("Mercury", "Mercury (planet)")]


def test_by_prior_forgets_the_page(tiny_corpus: Path) -> None:
    assert Annotator(str(tiny_corpus), Rule(by_prior=True)).page_id("Gold") is None


def test_whatever_the_case(tiny_corpus: Path) -> None:
    annotator = Annotator(str(tiny_corpus), Rule(folded=True))
    assert spans(annotator, "MERCURY and ac/dc") == [("MERCURY", "Mercury (planet)"), ("ac/dc", "AC/DC")]


def test_a_corpus_without_counts_and_wrong_thresholds_are_errors(sample_corpus: Path, tiny_corpus: Path) -> None:
    with pytest.raises(WikiprepError, match="no mention statistics"):
        Annotator(str(sample_corpus))
    with pytest.raises(WikiprepError, match="min_prior = 2 is no probability"):
        annotator_of(Mentions(Store(str(tiny_corpus))), Rule(min_prior=2))


words = st.sampled_from(["Mercury", "the Sun", "Sun", "東京", "القاهرة", "AC/DC", "What?", "gold", ",", "\u00a0", "x"])


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(words, max_size=10).map("".join), st.sampled_from([None, "Cairo", "Rome", "Solar System"]), st.data())
def test_spans_lie_inside_and_apart(annotator: Annotator, text: str, page: str | None, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=4)))
    blocked = list(zip(cuts[0::2], cuts[1::2], strict=False))
    (made,) = annotator.annotate([text], annotator.page_id(page), [blocked])
    reached = 0
    for span in made:
        assert reached <= span.start < span.end <= len(text)
        assert all(span.end <= low or span.start >= high for low, high in blocked)
        assert text[span.start : span.end] == span.text
        assert normal_name(span.text)
        assert 0 <= span.prior <= 1
        assert 0.01 <= span.link_probability <= 1
        reached = span.end


def test_own_names_go_before_those_of_the_corpus(tiny_corpus: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.tsv"
    names.write_text("solar wind\tphys:wind\nwind\tphys:air\nSun\tphys:Sol\nRome\ta\nrome\tb\n")
    annotator = Annotator(str(tiny_corpus), Rule(names=str(names)))
    assert annotator.own_names is not None and annotator.own_names.two_titles == 1  # Rome, whatever the case
    text = "The Solar wind of the Sun and Mercury; Rome."
    (found,) = annotator.annotate([text], annotator.page_id("Solar System"), [[(22, 25)]])
    assert [(span.text, span.target, span.source) for span in found] == [
        ("Solar wind", "phys:wind", "own_name"),
        ("Mercury", "Mercury (planet)", "page_link"),
    ]  # the Sun is a link already
    assert found[0].as_json()["qid"] is None and found[0].link_probability is None
    cased = Annotator(str(tiny_corpus), Rule(names=str(names), match_case=True))
    (found,) = cased.annotate([text])
    assert ("Rome", "a") in [(span.text, span.target) for span in found] and found[0].text != "Solar wind"


@pytest.mark.parametrize(
    ("line", "what"), [("no title\n", ":2: not name<TAB>title"), ("--\tx\n", ":2: '--' is no name")]
)
def test_a_bad_list_of_names_is_named_with_its_line(line: str, what: str, tiny_corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text(f"good\tone\n{line}")
    with pytest.raises(WikiprepError, match=what):
        Annotator(str(tiny_corpus), Rule(names=str(tmp_path / "names.tsv")))
