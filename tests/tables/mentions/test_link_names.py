"""Links under their names: every reason for which one does not count, pages against links, entries of lists."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from make_mentions import article, mentions_of, paragraph
from make_tables import page

from wikiprep.tables.mentions.link_names import names_of_disambiguation
from wikiprep.tables.mentions.link_targets import Rules

PAGES = [
    page(1, "A"), page(2, "B"), page(3, "To A", target="A"), page(4, "To to A", target="To A"),
    page(5, "Loop", target="Pool"), page(6, "Pool", target="Loop"), page(7, "To nothing", target="Nothing"),
    page(8, "List", "disambiguation"), page(9, "To list", target="List"), page(10, "To category", target="Category:C"),
    page(11, "Abroad", problem="interwiki"), page(12, "+"),
]  # fmt: skip


def rows(out: Path) -> dict[tuple[str, str], tuple[int, ...]]:
    found = pq.read_table(out / "tables" / "mentions.parquet").to_pylist()
    return {
        (r["name"], r["target"]): tuple(r[c] for c in ("link_count", "link_page_count", "name_link_page_count"))
        for r in found
        if r["link_count"]
    }


def test_each_reason_is_counted(tmp_path: Path) -> None:
    targets = ["A", "To A", "To to A", "B", "Loop", "Pool", "To nothing", "List", "To list", "To category", "Abroad",
               "Category:C", "Nothing", "Absent", "2001: A Space Odyssey"]  # fmt: skip
    pieces = [(f"name {target}", target) for target in targets]
    bad = [("…", "A"), ("   ", "A"), ("—", "Loop")]
    pages = [
        article(1, "A", paragraph(*pieces), paragraph(*bad)),
        article(8, "List", paragraph(("a", "A"), ("b", "B")), paragraph(("no", "Absent")), kind="disambiguation"),
    ]
    counts = mentions_of(tmp_path, PAGES, pages)
    assert {key: n for key, n in counts.items() if key.startswith("mentions.links.")} == {
        "mentions.links.read": 21,
        "mentions.links.counted": 4,
        "mentions.links.dropped.from_disambiguation": 3,
        "mentions.links.dropped.missing": 4,
        "mentions.links.dropped.disambiguation": 2,
        "mentions.links.dropped.other_namespace": 1,
        "mentions.links.dropped.unresolved_loop": 3,  # where a link leads is asked before what it stands on
        "mentions.links.dropped.unresolved_other_namespace": 1,
        "mentions.links.dropped.unresolved_interwiki": 1,
        "mentions.links.dropped.no_letter_or_digit": 1,
        "mentions.links.dropped.empty": 1,
    }
    assert rows(tmp_path).keys() == {("name A", "A"), ("name To A", "A"), ("name To to A", "A"), ("name B", "B")}
    assert (counts["mentions.entries.read"], counts["mentions.entries.used"]) == (2, 1)
    assert counts["mentions.entries.dropped.missing"] == 1


@pytest.mark.parametrize(
    ("rules", "counted"), [(Rules(disambiguation=True), 8), (Rules(missing=True), 7), (Rules(True, True), 12)]
)
def test_what_can_be_meant_is_a_choice(tmp_path: Path, rules: Rules, counted: int) -> None:
    targets = ["A", "To A", "To to A", "B", "List", "To list", "Absent", "To nothing", "Nothing"]
    text = paragraph(*[(f"to {target}", target) for target in targets])
    listed = article(8, "List", paragraph(("a", "A"), ("b", "B"), ("c", "Absent")), kind="disambiguation")
    counts = mentions_of(tmp_path, PAGES, [article(1, "A", text), listed], rules=rules)
    assert counts["mentions.links.counted"] == counts["mentions.rows.links"] == counted


def test_pages_are_counted_once_a_name_and_once_a_target(tmp_path: Path) -> None:
    one = article(1, "A", paragraph(("X", "A"), " ", ("X", "To A"), " ", ("X", "B")), paragraph(("X", "A")))
    two = article(2, "B", paragraph(("X", "B"), " ", ("x", "B")))
    mentions_of(tmp_path, PAGES, [one, two], parts=2)
    assert rows(tmp_path) == {("X", "A"): (3, 1, 2), ("X", "B"): (2, 2, 2), ("x", "B"): (1, 1, 1)}


def test_a_name_is_its_normal_form(tmp_path: Path) -> None:
    text = paragraph(("cafe\u0301  au lait", "A"), " ", ("café au\u00a0lait", "A"), " ", (" café au lait ", "A"))
    mentions_of(tmp_path, PAGES, [article(1, "A", text)])
    assert rows(tmp_path) == {("café au lait", "A"): (3, 1, 1)}


def test_no_links_and_no_articles(tmp_path: Path) -> None:
    counts = mentions_of(tmp_path / "a", PAGES, [article(1, "A")])
    assert counts["mentions.links.read"] == counts["mentions.occurrences"] == 0
    assert counts["mentions.titles.article"] == 2  # "+" is no name
    assert counts["mentions.titles.dropped.no_letter_or_digit"] == 1
    assert mentions_of(tmp_path / "b", PAGES, [])["mentions.names"] == 4  # A, B, To A, To to A


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Mercury", ["Mercury"]),
        ("Mercury (disambiguation)", ["Mercury (disambiguation)", "Mercury"]),
        ("水星 (曖昧さ回避)", ["水星 (曖昧さ回避)", "水星"]),
        ("水星（消歧义）", ["水星（消歧义）", "水星"]),
        ("(disambiguation)", ["(disambiguation)"]),
        ("A (b) (c)", ["A (b) (c)", "A (b)"]),
        ("A (b", ["A (b"]),
        ("!!! (disambiguation)", ["!!! (disambiguation)"]),
        ("?", []),
    ],
)
def test_names_of_a_disambiguation_page(title: str, names: list[str]) -> None:
    assert names_of_disambiguation(title) == names


def test_every_title_is_a_name_or_counted_by_reason(tmp_path: Path) -> None:
    counts = mentions_of(tmp_path, PAGES, [article(1, "A")], shares=5)
    assert {key.removeprefix("mentions.titles."): n for key, n in counts.items() if ".titles." in key} == {
        "read": 12,
        "article": 2,
        "redirect": 2,
        "dropped.disambiguation": 2,
        "dropped.missing": 1,
        "dropped.no_letter_or_digit": 1,
        "dropped.unresolved_interwiki": 1,
        "dropped.unresolved_loop": 2,
        "dropped.unresolved_other_namespace": 1,
    }
