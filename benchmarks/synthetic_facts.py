"""Writes a made-up wiki whose sentences say facts that are known, with its Wikidata items: what SPOT can be tried on.

    python benchmarks/synthetic_facts.py facts                 # 20,000 sentences; see --help
    wikiprep build-corpus facts/factswiki-pages-articles.xml --wikidata facts/factswiki-wikidata.json --preset spot \\
      --tokenizer train:600 --output facts/corpus
    wikiprep pretrain --corpus facts/corpus --config benchmarks/spot_facts.toml --output facts/run
    wikiprep evaluate facts/run --corpus facts/corpus --all

Entities are people, cities, countries, organisations and works with names of made-up syllables; of those that share a
name (the city Orlan, the person Orlan) the words around it say which is meant. A sentence links the two entities of one
fact, in one of several wordings; `--vague` of them name both without a word of how they stand to each other, so that
no reader can know it; `--third` name another entity too, that stands in no relation to the two. A pair has one fact
(and its inverse, where there is one), so that each answer is right or wrong. facts.jsonl has what every sentence says.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from made_wiki import PAGE_SENTENCES, add_statement, chronicles, item, link, make_name, wikidata_property, write_wiki

from wikiprep.sample.make_dump import SamplePage

SITE = {"sitename": "Factspedia", "dbname": "factswiki", "base": "https://facts.invalid/wiki/Main_Page",
        "generator": "MediaWiki 1.45.0"}  # fmt: skip
FIRST_ITEM = 800_000_000
# Kinds of entities: how many of 1,000, and what their pages say.
KINDS = {"person": (480, "a person"), "city": (200, "a city"), "country": (20, "a country"),
         "organisation": (120, "an organisation"), "work": (180, "a book")}  # fmt: skip
SHARED_NAMES, FACT_TIMES = 0.3, 4  # of entities; sentences a fact


@dataclass(frozen=True)
class Relation:
    """`weight`: how many of the facts, to the others; `wordings` hold {h} and {t}; `inverse`: a property, or ""."""

    name: str
    label: str
    head: str
    tail: str
    weight: int
    wordings: tuple[str, ...]
    inverse: str = ""


RELATIONS = (
    Relation("P19", "place of birth", "person", "city", 9, (
        "{h} was born in {t}.", "{h} came from {t} by birth.", "In {t} the mother of {h} bore her child.",
        "{t} is where {h} was born.")),
    Relation("P20", "place of death", "person", "city", 7, (
        "{h} died in {t}.", "The grave of {h} is in {t}, where death came.", "In {t} death came to {h}.")),
    Relation("P551", "residence", "person", "city", 6, (
        "{h} lived in {t} for long.", "In {t} one finds the house of {h}.", "{h} made a home in {t}.")),
    Relation("P937", "work location", "person", "city", 5, (
        "{h} worked in {t}.", "The daily work of {h} was in {t}.", "{t} saw {h} at work.")),
    Relation("P26", "spouse", "person", "person", 5, (
        "{h} married {t}.", "{h} and {t} were husband and wife.", "The wedding of {h} and {t} was in spring."), "P26"),
    Relation("P1066", "student of", "person", "person", 5, (
        "{h} was taught by {t}.", "{t} had {h} as a student.", "{h} learned all from {t}."), "P802"),
    Relation("P40", "child", "person", "person", 4, (
        "{h} had a child, {t}.", "{t} was born to {h}.", "{h} is a parent of {t}.")),
    Relation("P108", "employer", "person", "organisation", 5, (
        "{h} was paid by {t}.", "{t} gave {h} a post.", "{h} was an employee of {t}.")),
    Relation("P69", "educated at", "person", "organisation", 4, (
        "{h} studied at {t}.", "{h} took a degree at {t}.", "At {t} they taught {h}.")),
    Relation("P463", "member of", "person", "organisation", 4, (
        "{h} was a member of {t}.", "{h} joined {t}.", "{t} counted {h} among its members.")),
    Relation("P112", "founded by", "organisation", "person", 4, (
        "{h} was founded by {t}.", "{t} began {h}.", "It was {t} who founded {h}."), "P1830"),
    Relation("P169", "chief executive officer", "organisation", "person", 3, (
        "{h} was led by {t}.", "{t} was the chief of {h}.", "At the head of {h} stood {t}.")),
    Relation("P159", "headquarters location", "organisation", "city", 4, (
        "{h} has its seat in {t}.", "The offices of {h} are in {t}.", "From {t} one runs {h}.")),
    Relation("P50", "author", "work", "person", 6, (
        "{h} was written by {t}.", "{t} wrote {h}.", "The author of {h} is {t}.")),
    Relation("P98", "editor", "work", "person", 4, (
        "{h} was edited by {t}.", "{t} edited {h}.", "The editor of {h} was {t}.")),
    Relation("P110", "illustrator", "work", "person", 3, (
        "{h} has pictures by {t}.", "{t} drew for {h}.", "The pictures in {h} are by {t}.")),
    Relation("P291", "place of publication", "work", "city", 4, (
        "{h} was printed in {t}.", "In {t} they published {h}.", "{h} came out in {t}.")),
    Relation("P495", "country of origin", "work", "country", 2, (
        "{h} is a book of {t}.", "{t} is the home of {h}.")),
    Relation("P17", "country", "city", "country", 2, (
        "{h} lies in {t}.", "{h} is a city of {t}."), "P150"),
)  # fmt: skip
INVERSES = {"P802": "student", "P1830": "owner of", "P150": "contains"}
VAGUE = ("{h} and {t} are named together.", "Of {h} and {t} one has heard.", "{t} is spoken of with {h}.")
THIRD = ("{x} tells that ", "As {x} has it, ", "By the book of {x}, ")


@dataclass(frozen=True)
class Entity:
    """`name` may be another entity's too, `title` not."""

    number: int
    kind: str
    name: str
    title: str

    @property
    def item(self) -> str:
        """Its Wikidata item."""
        return f"Q{FIRST_ITEM + self.number}"

    @property
    def link(self) -> str:
        """A mention of it."""
        return link(self.title, self.name)


@dataclass(frozen=True)
class Fact:
    """`head` stands in `relation` to `tail`."""

    head: Entity
    relation: Relation
    tail: Entity


@dataclass(frozen=True)
class Sentence:
    """`text` is wikitext; `vague`: it does not say the fact; `third`: another entity that it names."""

    text: str
    fact: Fact
    vague: bool
    third: Entity | None


def entities_of(count: int, rng: np.random.Generator) -> list[Entity]:
    """About `count` entities of all kinds."""
    entities: list[Entity] = []
    titles: set[str] = set()
    kinds = [kind for kind, (share, _) in KINDS.items() for _ in range(max(3, share * count // 1000))]
    for number, kind in enumerate(kinds, 1):
        shared = [one for one in entities if one.kind != kind]
        name = (
            shared[rng.integers(len(shared))].name if shared and rng.random() < SHARED_NAMES else make_name(rng, titles)
        )
        title = name if name not in titles else f"{name} ({kind})"
        while title in titles:  # two of a kind have names of their own
            name = title = make_name(rng, titles)
        titles.add(title)
        entities.append(Entity(number, kind, name, title))
    return entities


def facts_of(entities: list[Entity], count: int, rng: np.random.Generator) -> list[Fact]:
    """`count` facts about different pairs, in whichever direction, or fewer where there are not so many pairs."""
    by_kind = {kind: [one for one in entities if one.kind == kind] for kind in KINDS}
    weights = np.array([relation.weight for relation in RELATIONS]) / sum(one.weight for one in RELATIONS)
    facts: list[Fact] = []
    pairs: set[frozenset[int]] = set()
    for _ in range(20 * count):
        if len(facts) == count:
            break
        relation = RELATIONS[rng.choice(len(RELATIONS), p=weights)]
        head, tail = (_frequent(by_kind[kind], rng) for kind in (relation.head, relation.tail))
        pair = frozenset((head.number, tail.number))
        if len(pair) == 2 and pair not in pairs:
            pairs.add(pair)
            facts.append(Fact(head, relation, tail))
    return facts


def _frequent(entities: list[Entity], rng: np.random.Generator) -> Entity:
    """Some are spoken of more often."""
    return entities[int(len(entities) * rng.random() ** 1.5)]


def sentences_of(
    facts: list[Fact], entities: list[Entity], count: int, vague: float, third: float, rng: np.random.Generator
) -> list[Sentence]:
    """Each fact about as often as others, shuffled."""
    related = {frozenset((fact.head.number, fact.tail.number)) for fact in facts}
    sentences = []
    for number in rng.permutation(count).tolist():
        fact = facts[number % len(facts)]
        is_vague = bool(rng.random() < vague)
        wordings = VAGUE if is_vague else fact.relation.wordings
        text = str(rng.choice(wordings)).format(h=fact.head.link, t=fact.tail.link)
        other = entities[rng.integers(len(entities))] if rng.random() < third else None
        if other is not None:
            pair = (fact.head.number, fact.tail.number)
            if other.number in pair or any(frozenset((other.number, end)) in related for end in pair):
                other = None
            else:
                text = str(rng.choice(THIRD)).format(x=other.link) + text
        sentences.append(Sentence(text[0].upper() + text[1:], fact, is_vague, other))
    return sentences


def pages_of(entities: list[Entity], sentences: list[Sentence]) -> Iterator[SamplePage]:
    """A page an entity, without a link; then chronicles, a sentence a paragraph."""
    for entity in entities:
        yield SamplePage(
            entity.number, 0, entity.title, None, f"'''{entity.name}''' is {KINDS[entity.kind][1]} of this wiki."
        )
    yield from chronicles([sentence.text for sentence in sentences], len(entities) + 1)


def items_of(entities: list[Entity], facts: list[Fact]) -> Iterator[dict[str, Any]]:
    """The entities of a Wikidata dump, and its properties."""
    claims: dict[int, list[tuple[str, Entity]]] = {}
    for fact in facts:
        claims.setdefault(fact.head.number, []).append((fact.relation.name, fact.tail))
        if fact.relation.inverse:
            claims.setdefault(fact.tail.number, []).append((fact.relation.inverse, fact.head))
    for one in entities:
        wikidata_item = item(one.item, one.name, SITE["dbname"], one.title)
        for prop, target in claims.get(one.number, ()):
            add_statement(wikidata_item, prop, target.item)
        yield wikidata_item
    for name, label in ({one.name: one.label for one in RELATIONS} | INVERSES).items():
        yield wikidata_property(name, label)


def write(folder: Path, sentences: int, seed: int, vague: float = 0.1, third: float = 0.2) -> None:
    """The dump, the items and facts.jsonl, all a function of the numbers given."""
    rng = np.random.default_rng(seed)
    entities = entities_of(max(60, sentences // 20), rng)
    facts = facts_of(entities, max(1, sentences // FACT_TIMES), rng)
    all_sentences = sentences_of(facts, entities, sentences, vague, third, rng)
    write_wiki(folder, SITE, pages_of(entities, all_sentences), items_of(entities, facts))
    with (folder / "facts.jsonl").open("w", encoding="utf-8") as file:
        for number, sentence in enumerate(all_sentences):
            fact = sentence.fact
            line = {"page": f"Chronicle {number // PAGE_SENTENCES + 1}", "text": sentence.text, "head": fact.head.title,
                    "property": fact.relation.name, "tail": fact.tail.title, "inverse": fact.relation.inverse,
                    "vague": sentence.vague, "third": sentence.third.title if sentence.third else None}  # fmt: skip
            file.write(json.dumps(line) + "\n")
    print(f"{folder}: {len(entities):,} entities, {len(facts):,} facts, {len(all_sentences):,} sentences, "
          f"{sum(sentence.vague for sentence in all_sentences):,} of them vague")  # fmt: skip


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="to write")
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vague", type=float, default=0.1, help="share of sentences that do not say the fact")
    parser.add_argument("--third", type=float, default=0.2, help="share of sentences that name a third entity")
    options = parser.parse_args()
    write(options.folder, options.sentences, options.seed, options.vague, options.third)


if __name__ == "__main__":
    main()
