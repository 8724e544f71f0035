"""Rows of another model's entity table go to the same entities here, whatever their ids."""

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.pretrain.luke.entity_rows import Matches, match_rows

SPECIALS = {"[PAD]": 0, "[UNK]": 1, "[MASK]": 2}


def test_by_title_by_redirect_and_never_by_id() -> None:
    ours = SPECIALS | {"Oslo": 3, "Rome": 4, "Paris": 5, "[MASK2]": 6}
    theirs = SPECIALS | {"Rome": 3, "Christiania": 4, "Atlantis": 5, "[MASK2]": 6}
    rows, counts = match_rows(ours, theirs, {"Christiania": "Oslo"}, {}, {})
    assert rows.tolist() == [0, 1, 2, 4, 3, -1, 6]
    assert counts == Matches(by_qid=0, by_title=1, by_redirect=1, unmatched=1, unused=1)


def test_the_title_goes_before_its_redirect_and_the_lower_id_first() -> None:
    ours = SPECIALS | {"Oslo": 3}
    theirs = SPECIALS | {"Christiania": 3, "Kristiania": 4, "Oslo": 5}
    redirects = {"Christiania": "Oslo", "Kristiania": "Oslo"}
    rows, counts = match_rows(ours, theirs, redirects, {}, {})
    assert rows[3] == 5 and counts == Matches(0, 1, 0, 0, 2)
    del theirs["Oslo"]
    rows, counts = match_rows(ours, theirs, redirects, {}, {})
    assert rows[3] == 3 and counts == Matches(0, 0, 1, 0, 1)


def test_qids_decide_where_both_have_one() -> None:
    ours = SPECIALS | {"Springfield": 3, "Renamed": 4, "Plain": 5}
    our_qids = {"Springfield": "Q1", "Renamed": "Q2"}
    theirs = SPECIALS | {"Springfield": 3, "Old name": 4, "Plain": 5}
    their_qids = {"Springfield": "Q9", "Old name": "Q2", "Plain": "Q3"}
    rows, counts = match_rows(ours, theirs, {}, our_qids, their_qids)
    # Another Springfield; a renamed page; and one whose QID only they know.
    assert rows[3:].tolist() == [-1, 4, 5]
    assert counts == Matches(by_qid=1, by_title=1, by_redirect=0, unmatched=1, unused=1)


def test_titles_with_underscores_are_titles() -> None:
    rows, _ = match_rows(SPECIALS | {"New York": 3}, SPECIALS | {"New_York": 7}, {}, {}, {})
    assert rows[3] == 7


titles = st.sampled_from("ABCDEFGH")


@given(st.sets(titles), st.sets(titles), st.dictionaries(titles, titles))
def test_counts_add_up(ours: set[str], theirs: set[str], redirects: dict[str, str]) -> None:
    mine = SPECIALS | {title: number for number, title in enumerate(sorted(ours), 3)}
    others = SPECIALS | {title: number for number, title in enumerate(sorted(theirs, reverse=True), 3)}
    rows, counts = match_rows(mine, others, redirects, {}, {})
    matched = counts.by_qid + counts.by_title + counts.by_redirect
    assert matched + counts.unmatched == len(ours)
    assert matched + counts.unused == len(theirs)
    assert matched == int((rows[3:] >= 0).sum())
    for title in ours & theirs:
        assert rows[mine[title]] == others[title]
