"""Pages and redirects: every case counted once, loops rejected, the same bytes however the pages arrive."""

import hashlib
import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_tables import PageRow, is_main, page, pages_of, write_partial

from wikiprep.errors import WikiprepError
from wikiprep.tables.page_tables import PAGES, REDIRECTS, REJECTS, build_pages
from wikiprep.tables.title_lookup import TITLE_ARRAYS, TITLE_TRIE, TitleTable

FILES = (PAGES, REDIRECTS, REJECTS, TITLE_TRIE, TITLE_ARRAYS)

# idio/wiki2vec#15: redirects in two hops, to a section, in a loop, to another namespace; pages of all namespaces.
CASES = [
    page(1, "United States", qid="Q30"),
    page(2, "USA", target="United States"),
    page(3, "U.S.A.", target="USA"),
    page(4, "American history", target="United States", fragment="History", qid="Q999"),
    page(5, "Loop A", target="Loop B"),
    page(6, "Loop B", target="Loop A"),
    page(7, "Into the loop", target="Loop A"),
    page(8, "Narcissus", target="Narcissus"),
    page(9, "WP policy", target="Wikipedia:Policy"),
    page(10, "Cat", target="Category:Cats"),
    page(11, "German page", problem="interwiki"),
    page(12, "To German page", target="German page"),
    page(13, "Nonsense", problem="illegal '['"),
    page(14, "Gone", target="Not in this dump"),
    page(15, "To gone", target="Gone"),
    page(16, "Mercury", "disambiguation"),
    page(17, "Mercurius", target="Mercury"),
    page(18, "2001: A Space Odyssey"),
    page(19, "Talk:United States"),
    page(20, "User:Example"),
    page(21, "Wikipedia:Policy"),
    page(22, "File:Flag.svg"),
    page(23, "Template:Infobox"),
    page(24, "Category:Cats"),
    page(25, "Portal:Space"),
    page(26, "Module:Math"),
    page(27, "Too large", "reject"),
    page(28, "To too large", target="Too large"),
    page(None, None, "reject"),
]


def digests(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}


def test_every_case_is_counted_once(tmp_path: Path) -> None:
    made = pages_of(tmp_path, CASES)
    counts = made.counts
    assert counts["pages.read"] == len(CASES)
    assert sum(n for key, n in counts.items() if key.startswith("pages.")) == 2 * len(CASES)
    assert {k: n for k, n in counts.items() if k.startswith("pages.")} == {
        "pages.read": 29,
        "pages.article": 2,
        "pages.disambiguation": 1,
        "pages.redirect": 7,
        "pages.other_namespace": 8,
        "pages.reject": 11,
    }
    assert {k: n for k, n in counts.items() if k.startswith("redirects.")} == {
        "redirects.read": 16,
        "redirects.one_hop": 3,
        "redirects.more_hops": 1,
        "redirects.missing": 3,
        "redirects.rejected.redirect_loop": 3,
        "redirects.rejected.redirect_to_itself": 1,
        "redirects.rejected.redirect_to_another_namespace": 2,
        "redirects.rejected.redirect_to_another_wiki": 2,
        "redirects.rejected.redirect_to_an_invalid_title": 1,
    }
    assert counts["also.redirects.to_section"] == 1
    assert counts["also.redirects.with_qid"] == 1


def test_unresolved_redirects_become_rejects_with_a_reason(tmp_path: Path) -> None:
    pages_of(tmp_path, CASES)
    rejects = {row["title"]: (row["page_id"], row["reason"], row["detail"]) for row in rows(tmp_path / REJECTS)}
    assert rejects["Loop A"] == (5, "redirect loop", "to Loop B")
    assert rejects["Narcissus"][1] == "redirect to itself"
    assert rejects["Cat"] == (10, "redirect to another namespace", "to Category:Cats")
    assert rejects["To German page"][1] == "redirect to another wiki"
    assert "Gone" not in rejects
    kinds = {row["title"]: row["kind"] for row in rows(tmp_path / PAGES)}
    assert kinds["Loop A"] == "reject"
    assert kinds["Gone"] == kinds["USA"] == "redirect"


def test_the_redirect_table(tmp_path: Path) -> None:
    pages_of(tmp_path, CASES)
    table = {row["title"]: row for row in rows(tmp_path / REDIRECTS)}
    assert len(table) == 16
    two = table["U.S.A."]
    assert (two["target"], two["final"], two["hops"], two["status"]) == ("USA", "United States", 2, "resolved")
    section = table["American history"]
    assert (section["final"], section["fragment"], section["qid"]) == ("United States", "History", "Q999")
    assert (table["To gone"]["final"], table["To gone"]["status"]) == ("Not in this dump", "missing")
    assert (table["Loop A"]["target"], table["Loop A"]["final"], table["Loop A"]["hops"]) == ("Loop B", None, 0)
    assert table["German page"]["target"] is None
    assert table["To too large"]["status"] == "missing"


def test_a_redirects_own_item_is_not_its_targets(tmp_path: Path) -> None:
    pages_of(tmp_path, CASES)
    qids = {row["title"]: row["qid"] for row in rows(tmp_path / PAGES)}
    assert (qids["American history"], qids["United States"], qids["USA"]) == ("Q999", "Q30", None)


def test_look_ups(tmp_path: Path) -> None:
    pages_of(tmp_path, CASES)
    table = TitleTable.open(tmp_path)
    found = {t: (r.title, r.page_id, r.status, r.via_redirect) for t in ALL_TITLES for r in [table.resolve(t)]}
    assert found == {
        "United States": ("United States", 1, "article", False),
        "U.S.A.": ("United States", 1, "article", True),
        "Mercurius": ("Mercury", 16, "disambiguation", True),
        "To gone": ("Not in this dump", None, "missing", True),
        "Not in this dump": ("Not in this dump", None, "missing", False),
        "Never seen": ("Never seen", None, "missing", False),
        "Loop A": ("Loop A", None, "loop", True),
        "Into the loop": ("Into the loop", None, "loop", True),
        "Narcissus": ("Narcissus", None, "self", True),
        "Cat": ("Category:Cats", None, "other_namespace", True),
        "German page": ("German page", None, "interwiki", True),
        "To German page": ("To German page", None, "interwiki", True),
        "Nonsense": ("Nonsense", None, "invalid", True),
        "2001: A Space Odyssey": ("2001: A Space Odyssey", 18, "article", False),
    }
    assert [table.direct(t) for t in ("U.S.A.", "United States", "Cat", "German page", "?")] == [
        "USA",
        "United States",
        "Category:Cats",
        "German page",
        "?",
    ]


ALL_TITLES = [
    "United States",
    "U.S.A.",
    "Mercurius",
    "To gone",
    "Not in this dump",
    "Never seen",
    "Loop A",
    "Into the loop",
    "Narcissus",
    "Cat",
    "German page",
    "To German page",
    "Nonsense",
    "2001: A Space Odyssey",
]


def test_titles_with_quotes_and_signs_round_trip(tmp_path: Path) -> None:
    """WikiExtractor#6."""
    titles = ['"Hello, World!" program', "A < B", "AT&T", "C#", "Q?", "Ørsted", "日本", "𐍈", "b" * 255]
    pages_of(tmp_path, [page(i, t) for i, t in enumerate(titles)])
    table = TitleTable.open(tmp_path)
    assert [table.resolve(t).page_id for t in titles] == list(range(len(titles)))
    assert [row["title"] for row in rows(tmp_path / PAGES)] == titles


def test_the_title_list_of_a_small_dump(tmp_path: Path) -> None:
    """facebookresearch/GENRE#56: 10 articles, 8 redirects, 3 disambiguation pages, 4 templates."""
    pages = [page(i, f"Article {i}") for i in range(10)]
    pages += [page(10 + i, f"Redirect {i}", target=f"Article {i}") for i in range(8)]
    pages += [page(18 + i, f"Name {i}", "disambiguation") for i in range(3)]
    pages += [page(21 + i, f"Template:T{i}") for i in range(4)]
    one, two = pages_of(tmp_path / "1", pages, 1), pages_of(tmp_path / "2", pages, 4)
    assert one == two
    assert digests(tmp_path / "1") == digests(tmp_path / "2")
    kinds = ("article", "redirect", "disambiguation", "other_namespace", "reject")
    assert [one.counts[f"pages.{kind}"] for kind in kinds] == [10, 8, 3, 4, 0]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), parts=st.integers(1, 6))
def test_bytes_do_not_depend_on_how_pages_arrive(
    tmp_path_factory: pytest.TempPathFactory, seed: int, parts: int
) -> None:
    rng = random.Random(seed)
    folder = tmp_path_factory.mktemp("pages")
    whole = folder / "whole"
    expected = pages_of(whole, CASES)
    dealt: list[list[PageRow]] = [[] for _ in range(parts)]
    for row in CASES:
        rng.choice(dealt).append(row)
    partials = []
    for number, part in enumerate(dealt):
        rng.shuffle(part)
        partials.append(write_partial(folder / f"{number}.arrow", part, rng.randint(1, 5)))
    rng.shuffle(partials)
    made = build_pages(partials, folder / "dealt", is_main=is_main)
    assert made == expected
    assert digests(folder / "dealt") == digests(whole)


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([f"T{i}" for i in range(12)]),
        st.sampled_from([None, "Category:C", "M1", "M2", *[f"T{i}" for i in range(12)]]),
        min_size=1,
    )
)
def test_resolution_equals_a_simple_walk(
    tmp_path_factory: pytest.TempPathFactory, graph: dict[str, str | None]
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    pages_of(folder, [page(i, t, target=target) for i, (t, target) in enumerate(graph.items())], 3)
    table = TitleTable.open(folder)
    status = {row["title"]: (row["final"], row["status"], row["hops"]) for row in rows(folder / REDIRECTS)}
    for title in graph:
        seen = [title]
        while (further := graph.get(seen[-1])) is not None and further not in seen:
            seen.append(further)
        end, hops = seen[-1], len(seen) - 1
        if graph.get(end) is not None:
            expected = "self" if graph[title] == title else "loop"
        elif end in graph:
            expected = "resolved"
        else:
            expected = "other_namespace" if end.startswith("Category:") else "missing"
        found = table.resolve(title)
        assert found.status == ("article" if expected == "resolved" else expected)
        if hops or expected in ("self", "loop"):
            shown = end if expected in ("resolved", "missing") else None
            wanted_hops = 0 if expected in ("self", "loop") else hops
            assert status[title] == (shown, expected, wanted_hops)


def test_the_page_of_smallest_id_keeps_a_title(tmp_path: Path) -> None:
    pages = [
        page(9, "X"),
        page(3, "X", target="Y"),
        page(4, "Y"),
        page(12, "X", "disambiguation"),
        page(2, "A", "reject"),
    ]
    made = pages_of(tmp_path, pages, 2)
    assert made.counts["also.rejects.duplicate_title"] == 2
    assert made.counts["pages.reject"] == 3
    assert TitleTable.open(tmp_path).resolve("X").title == "Y"
    assert [(r["page_id"], r["reason"]) for r in rows(tmp_path / REJECTS)] == [
        (9, "duplicate title"),
        (12, "duplicate title"),
    ]


def test_the_same_dump_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"page id 4 comes twice: 'A' in .*-0.arrow and 'B' in .*-1.arrow"):
        pages_of(tmp_path, [page(4, "A"), page(4, "B")], 2)


def test_two_dumps_are_refused(tmp_path: Path) -> None:
    pages = [page(i, f"T{i % 150}") for i in range(300)]
    with pytest.raises(WikiprepError, match=r"150 titles come twice.*'T0' \(ids 0 and 150\)"):
        pages_of(tmp_path, pages)


def test_a_rejects_id_may_be_another_pages(tmp_path: Path) -> None:
    made = pages_of(tmp_path, [page(1, "A"), page(1, "B", "reject"), page(0, "C", "reject")])
    assert made.counts["pages.reject"] == 2
    assert [row["title"] for row in rows(tmp_path / PAGES)] == ["C", "A", "B"]


def test_no_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="no pages in the 1 page files"):
        pages_of(tmp_path, [])


def test_foreign_and_missing_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "x.arrow").write_bytes(b"<html>")
    with pytest.raises(WikiprepError, match=r"x\.arrow: not a whole page file"):
        build_pages([tmp_path / "x.arrow"], tmp_path, is_main=is_main)
    with pytest.raises(WikiprepError, match="is gone"):
        build_pages([tmp_path / "y.arrow"], tmp_path, is_main=is_main)
    write_partial(tmp_path / "z.arrow", [page(1, "A", "essay")])
    with pytest.raises(WikiprepError, match="unknown kind 'essay'"):
        build_pages([tmp_path / "z.arrow"], tmp_path, is_main=is_main)
    with pytest.raises(WikiprepError, match="no such table"):
        TitleTable.open(tmp_path / "nowhere")


def rows(path: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pq.read_table(path).to_pylist()
    return found
