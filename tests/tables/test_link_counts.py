"""Link counts against a simple count in memory; the reasons add up to the links read."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_tables import counts_of, is_main, page, pages_of, write_articles

from wikiprep.errors import WikiprepError
from wikiprep.tables import link_counts
from wikiprep.tables.count_files import PARTITIONS, CountFiles
from wikiprep.tables.link_counts import count_links
from wikiprep.tables.title_lookup import TitleTable

PAGES = [
    page(1, "A"),
    page(2, "B"),
    page(3, "To A", target="A"),
    page(4, "To to A", target="To A"),
    page(5, "Loop", target="Pool"),
    page(6, "Pool", target="Loop"),
    page(7, "To nothing", target="Nothing"),
    page(8, "Name", "disambiguation"),
    page(9, "To name", target="Name"),
    page(10, "To category", target="Category:C"),
    page(11, "Abroad", problem="interwiki"),
]
TITLES = [row[1] or "" for row in PAGES]
TARGETS = [*TITLES, "Nothing", "Absent", "Category:C", "Category:D", "2001: A Space Odyssey"]


def merged(folder: Path, paths: list[Path]) -> dict[str, int]:
    """All counts of the files by title."""
    table = TitleTable.open(folder)
    files = CountFiles(paths)
    numbered = files.numbered(len(table))
    found = {table.title(n): int(numbered[n]) for n in np.flatnonzero(numbered).tolist()}
    for index in range(PARTITIONS):
        part = files.partition(index)
        found |= dict(zip(part["title"].to_pylist(), part["count"].to_pylist(), strict=True))
    return found


def by_hand(targets: list[str]) -> Counter[str]:
    ends = {"To A": "A", "To to A": "A", "To nothing": "Nothing", "To name": "Name"}
    nowhere = {"Loop", "Pool", "To category", "Abroad"}
    return Counter(ends.get(t, t) for t in targets if t not in nowhere and is_main(t))


def test_each_reason_is_counted(tmp_path: Path) -> None:
    pages_of(tmp_path, PAGES)
    path, counts = counts_of(tmp_path, [("A", TARGETS), ("Name", ["A", "B", "B"], "disambiguation")])
    assert counts == {
        "links.read": 19,
        "links.from_disambiguation": 3,
        "links.article.direct": 2,
        "links.article.redirect": 2,
        "links.disambiguation.direct": 1,
        "links.disambiguation.redirect": 1,
        "links.missing.direct": 3,
        "links.missing.redirect": 1,
        "links.other_namespace": 2,
        "links.unresolved.loop": 2,
        "links.unresolved.other_namespace": 1,
        "links.unresolved.interwiki": 1,
    }
    assert CountFiles([path]).counters() == counts
    assert merged(tmp_path, [path]) == by_hand(TARGETS)


def test_links_of_disambiguation_pages_by_option(tmp_path: Path) -> None:
    pages_of(tmp_path, PAGES)
    path, counts = counts_of(tmp_path, [("Name", ["A", "B", "B"], "disambiguation")], keep=True)
    assert (counts["links.read"], counts["links.article.direct"], counts["links.from_disambiguation"]) == (3, 3, 0)
    assert merged(tmp_path, [path]) == {"A": 1, "B": 2}


def test_a_link_of_a_page_to_itself_counts(tmp_path: Path) -> None:
    pages_of(tmp_path, PAGES)
    path, _ = counts_of(tmp_path, [("A", ["A"])])
    assert merged(tmp_path, [path]) == {"A": 1}


@pytest.mark.parametrize("articles", [[], [("A", [])]])
def test_no_links(tmp_path: Path, articles: list[tuple[str, list[str]]]) -> None:
    pages_of(tmp_path, PAGES)
    path, counts = counts_of(tmp_path, articles)
    assert not any(counts.values())
    assert merged(tmp_path, [path]) == {}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from(TARGETS), max_size=12), max_size=8), st.integers(1, 4))
def test_counts_equal_a_simple_count(
    tmp_path_factory: pytest.TempPathFactory, articles: list[list[str]], parts: int
) -> None:
    folder = tmp_path_factory.mktemp("counts")
    pages_of(folder, PAGES)
    table = TitleTable.open(folder)
    paths, total = [], Counter[str]()
    for number in range(parts):
        part = write_articles(folder / f"{number}.parquet", [("A", targets) for targets in articles[number::parts]])
        paths.append(folder / f"{number}.arrow")
        total.update(count_links(part, table, is_main, paths[-1]).counts)
    flat = [t for targets in articles for t in targets]
    assert total["links.read"] == len(flat) == total.total() - total["links.read"]
    assert merged(folder, paths) == by_hand(flat)


def test_a_part_with_more_targets_than_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_counts, "DISTINCT_HELD", 5)
    pages_of(tmp_path, PAGES)
    articles = [("A", [f"Red {i % 40}", "To A", f"Red {i}"]) for i in range(5000)]
    path, counts = counts_of(tmp_path, articles)
    assert counts["links.missing.direct"] == 10_000
    assert merged(tmp_path, [path]) == by_hand([t for _, targets in articles for t in targets])


def test_counts_of_another_title_table_are_refused(tmp_path: Path) -> None:
    pages_of(tmp_path, PAGES)
    path, _ = counts_of(tmp_path, [("A", TITLES)])
    with pytest.raises(WikiprepError, match="another title table"):
        CountFiles([path]).numbered(2)
    (tmp_path / "cut.arrow").write_bytes(path.read_bytes()[:100])
    with pytest.raises(WikiprepError, match="not a whole file of link counts"):
        CountFiles([tmp_path / "cut.arrow"]).counters()
