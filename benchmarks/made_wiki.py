"""Writes a made-up wiki: a dump of its pages and a dump of its Wikidata items, as builds read them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wikiprep.sample.make_dump import SCHEMA, SamplePage, page_xml, siteinfo_xml

PAGE_SENTENCES = 20  # sentences a page
SYLLABLES = ("or", "lan", "mi", "ka", "tre", "vo", "sul", "en", "dra", "pel", "qui", "zan", "bo", "rim", "ash", "el")


def make_name(rng: np.random.Generator, taken: set[str]) -> str:
    """A name of two to four syllables that is none of the `taken` ones."""
    while True:
        name = "".join(rng.choice(SYLLABLES, int(rng.integers(2, 5)))).capitalize()
        if name not in taken:
            return name


def link(title: str, name: str) -> str:
    """A mention of the page `title` by `name`."""
    return f"[[{title}]]" if title == name else f"[[{title}|{name}]]"


def chronicles(sentences: Sequence[str], first: int) -> Iterator[SamplePage]:
    """Pages of PAGE_SENTENCES sentences each, a sentence a paragraph, with ids from `first` on."""
    for number, start in enumerate(range(0, len(sentences), PAGE_SENTENCES)):
        text = "\n\n".join(sentences[start : start + PAGE_SENTENCES])
        yield SamplePage(first + number, 0, f"Chronicle {number + 1}", None, text)


def item(number: str, label: str, wiki: str, title: str) -> dict[str, Any]:
    """An item ("Q1") whose page in `wiki` ("enwiki") has that title."""
    return _entity("item", number, label) | {"sitelinks": {wiki: {"site": wiki, "title": title, "badges": []}}}


def wikidata_property(name: str, label: str) -> dict[str, Any]:
    """A property ("P1") of items."""
    return _entity("property", name, label) | {"datatype": "wikibase-item"}


def add_statement(subject: dict[str, Any], prop: str, target: str) -> None:
    """`subject` stands in `prop` to the item `target`."""
    statements = subject["claims"].setdefault(prop, [])
    value = {"entity-type": "item", "numeric-id": int(target[1:]), "id": target}
    data = {"value": value, "type": "wikibase-entityid"}
    snak = {"snaktype": "value", "property": prop, "datavalue": data, "datatype": "wikibase-item"}
    name = f"{subject['id']}${prop}-{len(statements) + 1}"
    statements.append({"mainsnak": snak, "type": "statement", "id": name, "rank": "normal"})


def write_wiki(
    folder: Path, site: dict[str, str], pages: Iterable[SamplePage], items: Iterable[dict[str, Any]]
) -> None:
    """DBNAME-pages-articles.xml and DBNAME-wikidata.json; `site` as `siteinfo_xml` takes it."""
    folder.mkdir(parents=True, exist_ok=True)
    head = f'<mediawiki xmlns="{SCHEMA}" version="0.11" xml:lang="en">'
    dump = "\n".join([head, siteinfo_xml(site, {"0": ""}), *map(page_xml, pages), "</mediawiki>", ""])
    (folder / f"{site['dbname']}-pages-articles.xml").write_text(dump, encoding="utf-8")
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in items)
    (folder / f"{site['dbname']}-wikidata.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _entity(kind: str, name: str, label: str) -> dict[str, Any]:
    labels = {"en": {"language": "en", "value": label}}
    return {"type": kind, "id": name, "labels": labels, "descriptions": {}, "aliases": {}, "claims": {}}
