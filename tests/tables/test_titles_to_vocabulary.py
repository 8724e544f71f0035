"""Titles of one dump as entities of another's vocabulary."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tables.carried_links import CARRIED, CarriedLinks, write_carried
from wikiprep.tables.title_source import WithRedirects, open_title_source
from wikiprep.tables.titles_to_vocabulary import Carrier, EntityMatch

IDS = {"Mars": 3, "Sun": 4, "Bombay": 5, "Springfield": 6}
QIDS = {"Mars": "Q111", "Sun": "Q525"}
REDIRECTS = {"Sol": "Sun", "Ares": "Roman gods", "The_Star": "Mars"}


@dataclass
class Source:
    """A dump of the links: redirects that lead on, and items by title."""

    ends: Mapping[str, str] = field(default_factory=dict)
    qids: Mapping[str, str] = field(default_factory=dict)

    def end(self, title: str) -> str:
        return self.ends.get(title, title)

    def qid(self, title: str) -> str | None:
        return self.qids.get(self.end(title))


def carrier(source: Source | None = None) -> Carrier:
    return Carrier(IDS, QIDS, lambda: REDIRECTS, source)


@pytest.mark.parametrize(
    ("title", "qid", "expected"),
    [
        ("Mars", None, EntityMatch("Mars", "title")),
        ("Planet Mars", "Q111", EntityMatch("Mars", "qid")),  # renamed since
        (None, "Q525", EntityMatch("Sun", "qid")),
        ("Mars", "Q999", None),  # another of that name: both know an item
        ("Sol", None, EntityMatch("Sun", "redirect")),
        ("Sol", "Q999", None),
        ("Mars", "Q111", EntityMatch("Mars", "qid")),
        ("Ares", None, None),  # its end is no entity
        ("Nowhere", "Q1", None),
        (None, None, None),
    ],
)
def test_an_entity_is_found_by_item_then_title_then_redirect(
    title: str | None, qid: str | None, expected: EntityMatch | None
) -> None:
    assert carrier().find(title, qid) == expected


def test_underscores_are_spaces() -> None:
    known = Carrier({"New York": 3}, {}, lambda: {"Big Apple": "New York"})
    assert known.find("New_York") == EntityMatch("New York", "title")
    assert known.find("Big_Apple", "Q60") == EntityMatch("New York", "redirect")  # only one side knows an item


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Red planet", EntityMatch("Mars", "qid")),  # a redirect there, whose page has the item of Mars
        ("Our star", EntityMatch("Sun", "redirect")),  # two maps: there to Sol, here from Sol to Sun
        ("Mumbai", EntityMatch("Bombay", "redirect")),  # moved since: Bombay, our title, leads to Mumbai there
        ("Springfield", EntityMatch("Springfield", "title")),
        ("Mars", None),  # the page Mars is another item's there
        ("Loop", None),
    ],
)
def test_the_dump_of_the_titles_says_what_they_mean(title: str, expected: EntityMatch | None) -> None:
    source = Source(
        {"Red planet": "Mars (planet)", "Our star": "Sol", "Bombay": "Mumbai"},
        {"Mars (planet)": "Q111", "Mars": "Q112", "Mumbai": "Q1156"},
    )
    assert carrier(source).find(title) == expected


def test_a_table_of_items_knows_moved_pages_where_redirects_have_items() -> None:
    source = Source(qids={"Bombay": "Q1156", "Mumbai": "Q1156"})
    assert carrier(source).find("Mumbai") == EntityMatch("Bombay", "redirect")


def test_redirects_that_a_text_lists_go_first_and_loops_end() -> None:
    source = WithRedirects({"A": "B", "B": "C", "X": "Y", "Y": "X"}, Source({"C": "Mars"}))
    assert source.end("A") == "Mars"
    assert source.end("X") in {"X", "Y"}


def test_every_link_has_a_way_and_the_ways_add_up(tmp_path: Path) -> None:
    links = {"Mars": 4, "Sol": 3, "Red one": 2, "Nowhere": 1}
    counts = write_carried(links, {"Red one": "Q111"}, carrier(), tmp_path)
    assert counts == {
        "carried.links": 10, "carried.title": 4, "carried.redirect": 3, "carried.qid": 2, "carried.lost": 1,
    }  # fmt: skip
    there = CarriedLinks.open(tmp_path)
    assert [there.entity(title) for title in (*links, "Else")] == ["Mars", "Sun", "Mars", None, None]
    assert (tmp_path / CARRIED).is_file()


@pytest.mark.parametrize("text", ['{"Mars": "Q111", "Red planet": "Q111"}', "Mars\tQ111\nRed planet\tQ111\n"])
def test_items_come_of_a_file_too(text: str, tmp_path: Path) -> None:
    (tmp_path / "qids").write_text(text)
    source = open_title_source(str(tmp_path / "qids"))
    assert source.qid("Red planet") == "Q111" and source.end("Red planet") == "Red planet"
    assert source.qid("Sun") is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Mars\tQ111\nSun\n", ":2: not title<TAB>QID"),
        ("Mars\tP31\n", ":1: 'P31' is no QID"),
        (json.dumps({"Mars": 111}), "'Mars': 111 is no QID"),
        ('{"Mars": ', "invalid JSON"),
    ],
)
def test_a_bad_file_of_items_is_named_with_its_line(text: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "qids").write_text(text)
    with pytest.raises(WikiprepError, match=str(tmp_path / "qids")) as bad:
        open_title_source(str(tmp_path / "qids"))
    assert what in bad.value.what and "wikiprep qids" in bad.value.hint


def test_what_is_no_source_of_titles_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no titles of a dump"):
        open_title_source(str(tmp_path))
    with pytest.raises(UsageError, match="no such file"):
        open_title_source(str(tmp_path / "none"))
