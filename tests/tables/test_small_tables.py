"""Redirects of annotated text, namespaces of titles, counts of templates, and the way from a link to an entity."""

from collections import Counter
from pathlib import Path

import pytest

from wikiprep.dump.site import MainNamespace, Site
from wikiprep.files import Store
from wikiprep.stages.tables_of_unit import TemplateRows
from wikiprep.tables.resolver import RedirectMap, build_redirect_map, open_resolver
from wikiprep.tables.templates import TEMPLATES, merge_templates


def redirect_map(folder: Path, *pairs: tuple[str, str]) -> RedirectMap:
    assert build_redirect_map(pairs, folder) == len(dict(pairs))
    return RedirectMap.open(folder)


def test_redirects_are_followed_to_their_end(tmp_path: Path) -> None:
    found = redirect_map(tmp_path, ("a", "b"), ("b", "c"), ("ünï", "日本"), ("x", "c"))
    assert [found.one_hop(t) for t in ("a", "b", "c", "ünï")] == ["b", "c", "c", "日本"]
    assert [found.end(t) for t in ("a", "b", "c", "ünï", "unknown", "")] == ["c", "c", "c", "日本", "unknown", ""]


def test_loops_end_nowhere_and_a_redirect_to_itself_is_none(tmp_path: Path) -> None:
    found = redirect_map(tmp_path, ("a", "b"), ("b", "a"), ("into", "a"), ("self", "self"))
    assert [found.end(t) for t in ("a", "b", "into", "self")] == [None, None, None, "self"]


def test_the_first_target_of_a_source_counts(tmp_path: Path) -> None:
    assert build_redirect_map([("a", "first"), ("a", "second")], tmp_path) == 1
    assert RedirectMap.open(tmp_path).end("a") == "first"


def test_no_redirects_are_a_map_too(tmp_path: Path) -> None:
    assert redirect_map(tmp_path).end("a") == "a"


@pytest.mark.parametrize(
    ("language", "title", "main"),
    [
        ("en", "2001: A Space Odyssey", True),
        ("en", "Oslo", True),
        ("en", "Category:Films", False),
        ("en", "Image:Oslo.jpg", False),
        ("en", "WP:About", False),
        ("en", "Talk:Oslo", False),
        ("en", "de:Oslo", False),
        ("en", "Ficheiro:Oslo.jpg", True),
        ("pt", "Ficheiro:Oslo.jpg", False),
        ("pt", "Category:Films", False),
        ("en", "Mission: Impossible", True),
    ],
)
def test_titles_of_the_main_namespace(language: str, title: str, main: bool) -> None:
    is_main = MainNamespace(Site.for_language(language).titles)
    assert is_main(title) is main
    assert is_main(title) is main  # from its memory


def test_template_counts_of_units_are_added(tmp_path: Path) -> None:
    for number, counts in enumerate(
        (
            {("A", "dropped"): 2, ("A", "words"): 5, ("B", "rendered"): 1},
            {("A", "dropped"): 1, ("A", "words"): 2},
            {},
        )
    ):
        rows = TemplateRows()
        rows.add(Counter(counts))
        rows.write(tmp_path / f"{number}.parquet")
    counts = merge_templates([tmp_path / f"{i}.parquet" for i in range(3)], tmp_path)
    assert counts == {"templates.found": 4, "templates.rendered": 1, "templates.dropped": 3}
    import pyarrow.parquet as pq

    assert pq.read_table(tmp_path / TEMPLATES).to_pylist() == [
        {"name": "A", "rendered": 0, "dropped": 3, "pages": 2, "dropped_words": 7},
        {"name": "B", "rendered": 1, "dropped": 0, "pages": 1, "dropped_words": 0},
    ]
    assert merge_templates([], tmp_path)["templates.found"] == 0


def test_a_link_of_the_sample_becomes_its_entity(sample_corpus: Path) -> None:
    resolver = open_resolver(Store(str(sample_corpus)))
    vocabulary = resolver.vocabulary
    for entity in range(3, len(vocabulary) - 1):
        assert resolver.entity_id(vocabulary.title(entity)) == entity
        assert vocabulary.page_id(entity) is not None
    assert resolver.entity_id("No such page anywhere") is None
    assert resolver.entity_id("[MASK]") is None
    from inline import rows

    for redirect in rows(sample_corpus, "tables/redirects.parquet"):
        if redirect["status"] == "resolved":
            assert resolver.end(redirect["title"]) == redirect["final"]
            assert resolver.entity_id(redirect["title"]) == vocabulary.id(redirect["final"])
        else:
            assert resolver.entity_id(redirect["title"]) is None
