"""Entities nearest to phi(h, r): what the graph has there, and what the vectors estimate."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
import orjson

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.folder import Floats, Knowledge, Table
from wikiprep.knowledge.lexicons import OFFSETS, lexicon_of, name_kind
from wikiprep.knowledge.linker import NONE
from wikiprep.knowledge.phi import target
from wikiprep.knowledge.text_words import PARTS_OF_SPEECH
from wikiprep.knowledge.wordnet import open_wordnet

L1, COSINE = MEASURES = ("l1", "cosine")


@dataclass(frozen=True)
class Near:
    """An entity, what it is called, its distance (L1) or likeness (cosine), and whether the triple is in the graph."""

    name: str
    shown: str
    value: float
    in_graph: bool


@dataclass(frozen=True)
class Neighbours:
    """Of the entity that `word` means, the nearest first."""

    word: str
    name: str
    shown: str
    relation: str
    tail: bool
    by: str
    near: list[Near]


def neighbours(
    knowledge: Knowledge,
    word: str,
    relation: str,
    *,
    tail: bool = False,
    count: int = 10,
    by: str = L1,
    pos: str | None = None,
    wordnet: str | Path | None = None,
    corpus: str | Path | None = None,
) -> Neighbours:
    """The `count` entities nearest to phi(word, relation), or with `tail` to the estimated head; not the word's own.

    Raises UsageError for a relation that the graph does not have, WikiprepError for a word that means no entity of it.
    """
    row = _find_entity_row(knowledge, word, pos, wordnet, corpus)
    number = _find_relation_row(knowledge.relation_table, relation)
    values = nearness(knowledge, row, number, tail=tail, by=by)
    values[row] = -np.inf if by == COSINE else np.inf
    order = np.argsort(-values if by == COSINE else values, kind="stable")[: min(count, len(values) - 1)]
    display_names = _display_names(knowledge, wordnet)
    names = knowledge.entity_table["name"]
    near = [
        Near(
            names[other],
            display_names[other],
            float(values[other]),
            ((other, number, row) if tail else (row, number, other)) in knowledge.edges,
        )
        for other in order.tolist()
    ]
    return Neighbours(word, names[row], display_names[row], knowledge.relation_table["name"][number], tail, by, near)


def nearness(
    knowledge: Knowledge, entity: int, relation: int, *, tail: bool = False, by: str = L1
) -> npt.NDArray[np.float64]:
    """Of all entities [N] the L1 distance or the cosine to phi(entity, relation), in the space of phi."""
    estimate = knowledge.phi(knowledge.entities[entity], relation, tail=tail).astype(np.float64)
    others: Floats = target(knowledge.form, knowledge.entities, knowledge.relation(relation))
    if by == L1:
        return np.asarray(np.abs(others - estimate).sum(axis=1), np.float64)
    lengths = np.linalg.norm(others, axis=1) * np.linalg.norm(estimate)
    return np.asarray(others @ estimate / np.maximum(lengths, 1e-30), np.float64)


def _find_entity_row(
    knowledge: Knowledge, word: str, pos: str | None, wordnet: str | Path | None, corpus: str | Path | None
) -> int:
    names = knowledge.entity_table["name"]
    if word in names:
        return names.index(word)
    row = lexicon_of(knowledge, wordnet=wordnet, corpus=corpus).lexicon.find(word, pos)
    if row == NONE:
        raise WikiprepError(
            f"{word!r} means no entity of {knowledge.folder}", f"its entities are {', '.join(names[:3])}, …"
        )
    return row


def _find_relation_row(table: Table, relation: str) -> int:
    for column in table.values():
        for name in (relation, f"_{relation}"):
            if name in column:
                return column.index(name)
    known_names = ", ".join(table["name"][:20])
    more = ", …" if len(table["name"]) > 20 else ""
    raise UsageError(f"the graph has no relation {relation!r}", f"it has {known_names}{more}")


def _display_names(knowledge: Knowledge, wordnet: str | Path | None) -> list[str]:
    """What entities are called: titles, labels, of WordNet's offsets the words of their synsets."""
    table = knowledge.entity_table
    names = table["name"]
    if name_kind(names) != OFFSETS:
        columns = (table.get("title"), table.get("label"))
        return [next((c[row] for c in columns if c and c[row]), name) for row, name in enumerate(names)]
    words: defaultdict[int, list[str]] = defaultdict(list)
    files = open_wordnet(wordnet)
    for pos in PARTS_OF_SPEECH:
        for lemma, offsets in files.senses[pos].items():
            for offset in offsets:
                words[offset].append(lemma)
    return [", ".join(dict.fromkeys(words.get(int(name), [name]))) for name in names]


def show_neighbours(result: Neighbours, *, as_json: bool) -> None:
    """A line an entity; or one JSON object."""
    if as_json:
        neighbours = [
            {"name": n.name, "called": n.shown, result.by: n.value, "in_graph": n.in_graph} for n in result.near
        ]
        about = {"word": result.word, "entity": result.name, "called": result.shown, "relation": result.relation}
        click.echo(orjson.dumps(about | {"tail": result.tail, "neighbours": neighbours}).decode())
        return
    triple = f"(?, {result.relation}, {result.word})" if result.tail else f"({result.word}, {result.relation}, ?)"
    means = "" if result.word == result.name == result.shown else f": {result.name} ({result.shown})"
    click.echo(f"{triple}, {result.word}{means}")
    click.echo(f"{'L1' if result.by == L1 else 'cosine':>8}  {'':12}entity")
    for near in result.near:
        mark = "in the graph" if near.in_graph else "estimated"
        text = near.name if near.shown == near.name else f"{near.name} ({near.shown})"
        click.echo(f"{near.value:8.3f}  {mark:12}  {text}")
