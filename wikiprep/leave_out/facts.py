"""Pairs of items and triples that lists name: no relation of theirs is in records or exports."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.leave_out.lists import FACT_KINDS, Entry
from wikiprep.wikidata.lookups import Relations
from wikiprep.wikidata.triples_table import are_in, pairs_of

Keys = npt.NDArray[np.uint64]


class LeftOutFacts:
    """`facts`: (head, property, tail); property 0: the pair of items in both directions, whatever the property."""

    def __init__(self, facts: Iterable[tuple[int, int, int]]) -> None:
        rows = np.array(sorted(set(facts)), np.int64).reshape(-1, 3)
        pairs = rows[rows[:, 1] == 0]
        ends = np.concatenate([pairs[:, [0, 2]], pairs[:, [2, 0]]])
        self._pairs = np.unique(pairs_of(ends[:, 0], ends[:, 1]))
        triples = rows[rows[:, 1] > 0]
        self._triples = {
            (int(key), prop)
            for key, prop in zip(pairs_of(triples[:, 0], triples[:, 2]), triples[:, 1].tolist(), strict=True)
        }
        self._of_triples = np.unique(np.array([key for key, _ in self._triples], np.uint64))

    def __len__(self) -> int:
        return len(self._pairs) + len(self._triples)

    @classmethod
    def of_entries(cls, entries: Iterable[Entry]) -> "LeftOutFacts":
        """Those that lists name."""
        return cls(entry.fact for entry in entries if entry.kind in FACT_KINDS)

    @classmethod
    def open(cls, left_out: Path) -> "LeftOutFacts":
        """Those of a corpus: `left_out` is tables/left_out.parquet."""
        return cls(entry.fact for entry in fact_entries(left_out))

    def hidden(self, pairs: Keys, properties: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Whether each triple (its head and tail as in `pairs_of`) is left out."""
        found = self.hides(pairs)
        for row in np.flatnonzero(are_in(self._of_triples, pairs) & ~found).tolist():
            found[row] = (int(pairs[row]), int(properties[row])) in self._triples
        return found

    def hides(self, pairs: Keys) -> npt.NDArray[np.bool_]:
        """Whether each pair is left out with all that holds between the two."""
        return are_in(self._pairs, pairs)

    def without(self, pairs: Keys, found: Relations) -> tuple[Relations, npt.NDArray[np.bool_]]:
        """`found` (by place in `pairs`) without what is left out, and which pairs were touched by that: they have no
        relation that may be told, or fewer, and so are no pairs without a relation either."""
        gone = self.hidden(pairs[found.pair], found.property)
        touched = self.hides(pairs)
        touched[found.pair[gone]] = True
        return Relations(found.pair[~gone], found.property[~gone], found.rank[~gone]), touched


def fact_entries(left_out: Path) -> list[Entry]:
    """The pairs and triples of tables/left_out.parquet, of items as they are called now."""
    table = pq.read_table(left_out, columns=["file", "line", "kind", "now"])
    table = table.filter(pc.is_in(table["kind"], pa.array(FACT_KINDS)))
    return [Entry(row["file"], row["line"], row["kind"], row["now"]) for row in table.to_pylist()]


def strange_facts(entries: Iterable[Entry], items: Path) -> list[Entry]:
    """The facts with an item that `items` (wikidata_items.parquet) does not have: no record or triple is of it."""
    facts = list(entries)
    named = np.unique(np.array([e.fact[end] for e in facts for end in (0, 2)], np.int64))
    found = np.zeros(len(named), bool)
    for batch in pq.ParquetFile(items).iter_batches(columns=["qid"]):
        found |= np.isin(named, batch["qid"].to_numpy())
    known = set(named[found].tolist())
    return [e for e in facts if not {e.fact[0], e.fact[2]} <= known]
