"""An entity of the dump as what later stages need of it: one frozen object, whatever the dump's quirks.

PHP writes an empty map as `[]`; `claims` can be missing or null; older dumps have plain strings for links and labels.
All of these are read. What is wrong in one statement costs that statement; only an entity without a usable id is lost.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wikiprep.counts import Count
from wikiprep.wikidata.statements import (
    LARGEST_ITEM,
    ItemTriple,
    named_properties,
    qualified_items,
    triples_of,
)

Kind = Literal["item", "property", "lexeme"]

INSTANCE_OF, INVERSE_PROPERTY, CONSTRAINT, CLASS = 31, "P1696", "P2302", "P2308"
SUBJECT_TYPE_CONSTRAINT = 21503250
# Disambiguation pages, and the classes of them that have instances of their own: of human names, of municipalities, of
# surnames. Categories and templates of disambiguation are no pages of that kind.
DISAMBIGUATIONS = frozenset({4167410, 22808320, 61996773, 66480449})
LISTS = frozenset({13406463})

_ID = re.compile(r"([QPL])([1-9]\d{0,17})")
_KINDS: dict[str, Kind] = {"Q": "item", "P": "property", "L": "lexeme"}


@dataclass(frozen=True, slots=True)
class Text:
    """A label or description, and the language that it is in."""

    value: str
    language: str


@dataclass(frozen=True, slots=True)
class WikidataEntity:
    """`number` is 5 of Q5. `sitelinks` are (wiki, title) of the chosen wikis, in their order.

    `triples` are the truthy statements to other items; `inverses` and `subject_types` are of properties alone.
    """

    kind: Kind
    number: int
    sitelinks: tuple[tuple[str, str], ...] = ()
    label: Text | None = None
    description: Text | None = None
    triples: tuple[ItemTriple, ...] = ()
    datatype: str | None = None
    inverses: tuple[int, ...] = ()
    subject_types: tuple[int, ...] = ()

    @property
    def instance_of(self) -> tuple[int, ...]:
        """Items of the truthy P31."""
        return tuple(t.tail for t in self.triples if t.property == INSTANCE_OF)

    @property
    def is_disambiguation(self) -> bool:
        """Whether Wikidata calls it a disambiguation page."""
        return not DISAMBIGUATIONS.isdisjoint(self.instance_of)

    @property
    def is_list(self) -> bool:
        """Whether Wikidata calls it a list of things."""
        return not LISTS.isdisjoint(self.instance_of)


@dataclass(frozen=True, slots=True)
class BadEntity:
    """Why an object of the dump is no entity; `id` as far as it can be told."""

    id: str | None
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class MergedEntity:
    """An entity that was merged into another: `old` and `new` are numbers of items, 0 of properties and lexemes."""

    old: int
    new: int


@dataclass(frozen=True, slots=True)
class WikiSelection:
    """Which wikis' titles, and which languages' texts, in order of choice.

    Without a text in these languages the one for all languages ("mul") is taken, then the English one.
    """

    wikis: tuple[str, ...]
    languages: tuple[str, ...]

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """All languages that are tried."""
        return tuple(dict.fromkeys((*self.languages, "mul", "en")))


def read_entity(
    entity: dict[str, Any], selection: WikiSelection, counts: Counter[Count]
) -> WikidataEntity | BadEntity | MergedEntity:
    """The entity of a JSON object. Statements of items with a page in a chosen wiki are counted into `counts`."""
    if is_redirect(entity):
        return read_redirect(entity.get("entity", entity.get("id")), entity["redirect"])
    name = entity.get("id")
    if name is None:
        return BadEntity(None, "no id", f"fields: {', '.join(list(entity)[:8])}")
    match = _ID.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        return BadEntity(str(name)[:40], "bad id", f"{str(name)[:40]!r} is not Q, P or L with a number")
    kind = _KINDS[match[1]]
    if entity.get("type", kind) != kind:
        return BadEntity(name, "unknown type", f"type {str(entity['type'])[:40]!r} with the id {name}")
    number = int(match[2])
    if number > LARGEST_ITEM:
        return BadEntity(name, "id too large", f"ids up to {LARGEST_ITEM:,} are understood")
    if kind == "lexeme":
        return WikidataEntity(kind, number)
    claims = entity.get("claims", entity.get("statements"))
    label = _text(entity.get("labels"), selection.fallbacks)
    description = _text(entity.get("descriptions"), selection.fallbacks)
    if kind == "property":
        claims = claims if isinstance(claims, dict) else {}
        datatype = entity.get("datatype")
        return WikidataEntity(
            kind,
            number,
            label=label,
            description=description,
            datatype=datatype if isinstance(datatype, str) else None,
            inverses=tuple(named_properties(claims.get(INVERSE_PROPERTY))),
            subject_types=tuple(qualified_items(claims.get(CONSTRAINT), SUBJECT_TYPE_CONSTRAINT, CLASS)),
        )
    sitelinks = _sitelinks(entity.get("sitelinks"), selection.wikis)
    if not sitelinks:
        return WikidataEntity(kind, number)
    return WikidataEntity(kind, number, sitelinks, label, description, tuple(triples_of(claims, counts)))


def is_redirect(entity: dict[str, Any]) -> bool:
    """Whether an object says of an entity that it was merged into another, and nothing else.

    Wikibase writes {"entity": "Q1", "redirect": "Q2"} as the content of such a page, and so do dumps that hold them.
    """
    return "redirect" in entity and not any(entity.get(key) for key in ("labels", "claims", "statements", "sitelinks"))


def redirect_beside(entity: dict[str, Any]) -> MergedEntity | BadEntity | None:
    """What an entity says of the name it was asked for: Wikibase's API adds "redirects": {"from": "Q1", "to": "Q2"}."""
    pair = entity.get("redirects")
    if not isinstance(pair, dict) or "from" not in pair:
        return None
    return read_redirect(pair["from"], pair.get("to", entity.get("id")))


def read_redirect(source: Any, target: Any) -> MergedEntity | BadEntity:
    """The redirect from one id to another, both of one kind."""
    old, new = (_ID.fullmatch(name) if isinstance(name, str) else None for name in (source, target))
    source_id = str(source)[:40] if old else None
    if old is None or new is None or old[1] != new[1]:
        return BadEntity(source_id, "bad redirect", f"from {str(source)[:40]!r} to {str(target)[:40]!r}")
    if old[1] != "Q":
        return MergedEntity(0, 0)
    if max(int(old[2]), int(new[2])) > LARGEST_ITEM:
        return BadEntity(source_id, "id too large", f"ids up to {LARGEST_ITEM:,} are understood")
    return MergedEntity(int(old[2]), int(new[2]))


def _sitelinks(links: Any, wikis: Sequence[str]) -> tuple[tuple[str, str], ...]:
    if not isinstance(links, dict):
        return ()
    sitelinks = []
    for wiki in wikis:
        link = links.get(wiki)
        title = link.get("title") if isinstance(link, dict) else link
        if isinstance(title, str) and (title := title.replace("_", " ").strip()):
            sitelinks.append((wiki, title))
    return tuple(sitelinks)


def _text(texts: Any, languages: Sequence[str]) -> Text | None:
    if not isinstance(texts, dict):
        return None
    for language in languages:
        text = texts.get(language)
        value = text.get("value") if isinstance(text, dict) else text
        if isinstance(value, str) and value:
            return Text(value, language)
    return None
