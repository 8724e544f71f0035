"""The pairs of items and the triples that lists name."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.leave_out.lists import FACT_KINDS, Entry
from wikiprep.wikidata.left_out_facts import LeftOutFacts


def listed_facts(entries: Iterable[Entry]) -> LeftOutFacts:
    """Those that lists name."""
    return LeftOutFacts(entry.fact for entry in entries if entry.kind in FACT_KINDS)


def open_left_out_facts(left_out: Path) -> LeftOutFacts:
    """Those of a corpus: `left_out` is tables/left_out.parquet."""
    return LeftOutFacts(entry.fact for entry in fact_entries(left_out))


def fact_entries(left_out: Path) -> list[Entry]:
    """The pairs and triples of tables/left_out.parquet, of items as they are called now."""
    table = pq.read_table(left_out, columns=["file", "line", "kind", "now"])
    table = table.filter(pc.is_in(table["kind"], pa.array(FACT_KINDS)))
    return [Entry(row["file"], row["line"], row["kind"], row["now"]) for row in table.to_pylist()]


def strange_facts(entries: Iterable[Entry], items: Path) -> list[Entry]:
    """The facts with an item that `items` (wikidata_items.parquet) does not have: no record or triple is of it."""
    facts = list(entries)
    named_items = np.unique(np.array([e.fact[end] for e in facts for end in (0, 2)], np.int64))
    found = np.zeros(len(named_items), bool)
    for batch in pq.ParquetFile(items).iter_batches(columns=["qid"]):
        found |= np.isin(named_items, batch["qid"].to_numpy())
    known_items = set(named_items[found].tolist())
    return [e for e in facts if not {e.fact[0], e.fact[2]} <= known_items]
