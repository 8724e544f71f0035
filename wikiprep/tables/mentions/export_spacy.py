"""The mention table for spaCy: rows for an InMemoryLookupKB, and patterns for an EntityRuler. It imports no spaCy.

A knowledge base of spaCy has entities, with a frequency and a vector, and aliases, with prior probabilities of at most
1 together (spacy.io/api/inmemorylookupkb); a pattern is a label, a phrase and an identifier (spacy.io/api/entityruler).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wikiprep.files import Store
from wikiprep.tables.mentions import link_probability
from wikiprep.tables.mentions.export import Row
from wikiprep.tables.qids import Qids

Named = Callable[[str, int | None], str | None]  # title and page id -> identifier, None for an entity without one


@dataclass(frozen=True, slots=True)
class Alias:
    """A name, its entities' identifiers, the most linked first, and the prior of each."""

    name: str
    entities: tuple[str, ...]
    priors: tuple[float, ...]


def alias_of(rows: Sequence[Row], name: Named, counts: Counter[str]) -> Alias | None:
    """Of the rows of one name; None where none of its entities has an identifier.

    A candidate without one is left out and counted; the others keep their priors, which then sum to less than 1. Of two
    pages with one item the priors are one sum. A name that is never linked has its page by the title alone, prior 0.
    """
    priors: dict[str, float] = {}
    for row in rows:
        entity = name(row["target"], row["page_id"])
        if entity is None:
            counts["candidates.without_id"] += 1
            continue
        counts["candidates.kept"] += 1
        prior = link_probability.prior(row["link_count"], row["name_link_count"])
        priors[entity] = priors.get(entity, 0.0) + prior
    if not priors:
        counts["names.without_entity"] += 1
        return None
    counts["names.kept"] += 1
    total = sum(priors.values())
    scale = 1.0 if total <= 1 else 1 / total  # a sum of many floats may be 1 and a little
    return Alias(rows[0]["name"], tuple(priors), tuple(prior * scale for prior in priors.values()))


def patterns(
    names: Iterator[list[Row]], name: Named, label: str, min_prior: float, counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    """One a name: {"label", "pattern", "id"}, of the entity that links on it lead to most often.

    A ruler has one entity for a phrase. Left out, and counted: names whose first entity has a smaller share of the
    links than `min_prior`, or has no identifier.
    """
    for rows in names:
        first = rows[0]
        prior = link_probability.prior(first["link_count"], first["name_link_count"])
        entity = name(first["target"], first["page_id"])
        if prior < min_prior:
            counts["names.under_min_prior"] += 1
        elif entity is None:
            counts["names.without_id"] += 1
        else:
            counts["names.kept"] += 1
            yield {"label": label, "pattern": first["name"], "id": entity}


def entity_namer(store: Store, ids: str | None) -> tuple[str, Named]:
    """`ids`: "qid", "title", or None for items where the corpus has any. Gives which it is, and the names."""
    if ids == "title":
        return "title", lambda title, _: title
    qids = Qids(store)
    if ids is None and not qids:
        return "title", lambda title, _: title
    return "qid", lambda _, page: qids.of(page)
