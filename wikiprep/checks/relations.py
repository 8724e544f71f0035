"""Whether the relations of records are relations of Wikidata, between mentions of one sentence, and all are counted.

A shard is read a batch at a time; the triples are mapped.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.corpus.record_counts import records_in
from wikiprep.corpus.relations import FlatRelations, mention_items
from wikiprep.corpus.schema import RELATIONS_KEY
from wikiprep.corpus.shards import open_shard
from wikiprep.corpus.spans import UNK
from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Advance, Progress
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, open_entity_items
from wikiprep.tables.relation_vocab import READ, RELATION_VOCAB
from wikiprep.wikidata.lookups import Triples
from wikiprep.wikidata.triples_table import TRIPLE_ARRAYS, pairs_of

RELATIONS = "relations"  # a part of what `verify` reads

_SHIFT, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
Mask = npt.NDArray[np.bool_]


def check_relations(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line a problem; nothing for a corpus without relations."""
    if manifest.has_stage("relations"):
        with progress.part(RELATIONS, records_in(manifest), "record") as advance:
            yield from _check_relations(store, manifest, advance)


def _check_relations(store: Store, manifest: Manifest, advance: Advance) -> Iterator[str]:
    counts = manifest.counts["relations"]
    items = open_entity_items(store.fetch(f"tables/{VOCAB_ARRAYS}").parent)
    triples = Triples.open(store.fetch(f"tables/{TRIPLE_ARRAYS}").parent)
    scope = manifest.options["records"]["relations"]["relations"]
    table = pq.read_table(store.fetch(f"tables/{RELATION_VOCAB}"), columns=["property", "count"])
    vocabulary = dict(zip(table["property"].to_pylist(), table["count"].to_pylist(), strict=True))
    property_counts: Counter[int] = Counter()
    for path in manifest.paths("records/"):
        reader, wrong = open_shard(store.fetch(path)), Counter[str]()
        if (reader.schema.metadata or {}).get(RELATIONS_KEY) != scope.encode():
            yield f"{path}: its metadata does not say that mentions of a {scope} were looked up"
            continue
        for number in range(reader.num_record_batches):
            batch = reader.get_batch(number)
            relations = FlatRelations(batch)
            for what, bad in _find_problems(batch, relations, items, triples, scope):
                wrong[what] += int(bad.sum())
            property_counts.update(relations.property.tolist())
            advance(batch.num_rows)
        for what, n in wrong.items():
            if n:
                yield f"{path}: {n} {what}"
    if property_counts.total() != counts[READ]:
        yield f"records/: holds {property_counts.total()} relations, the manifest counts {counts[READ]}"
    where = f"tables/{RELATION_VOCAB}"
    if unknown := [p for p in sorted(property_counts) if p not in vocabulary]:
        yield f"{where}: {len(unknown)} properties of records are not in it, such as P{unknown[0]}"
    if other := [p for p in sorted(vocabulary) if vocabulary[p] != property_counts[p]]:
        name, listed_count = f"P{other[0]}", vocabulary[other[0]]
        yield (
            f"{where}: {len(other)} counts differ from the records: {name} has {property_counts[other[0]]}, "
            f"not {listed_count}"
        )
    if list(vocabulary) != sorted(vocabulary, key=lambda p: (-vocabulary[p], p)):
        yield f"{where}: not in order of count"


def _find_problems(
    batch: pa.RecordBatch, relations: FlatRelations, items: npt.NDArray[np.int64], triples: Triples, scope: str
) -> Iterator[tuple[str, Mask]]:
    """What can be wrong with relations of a batch, and with which it is."""
    entities = _flat(batch["entity_ids"])
    if ((entities < 0) | (entities >= len(items))).any():
        return  # reported by check_dangling
    item_of_mention = mention_items(batch, items)
    if "entity_qids" in batch.schema.names:
        if len(item_of_mention) != len(entities):
            yield "batches have more or fewer items than mentions", np.ones(1, bool)
            return
        is_known = entities != UNK
        yield (
            "items of mentions are not those of their entities",
            items[entities[is_known]] != item_of_mention[is_known],
        )
    outside = np.zeros(len(relations), bool)
    for index in (relations.head_index, relations.tail_index):
        outside |= (index < 0) | (index >= relations.mentions)
    yield "relations are of no mention of their record", outside
    if outside.any():
        return
    head, tail = relations.head, relations.tail
    yield "relations lead from an entity to itself", item_of_mention[head] == item_of_mention[tail]
    yield "relations are not in Wikidata's triples with that rank", ~_holds(relations, item_of_mention, triples)
    if scope == "sentence":
        sentence = _sentence_of_mentions(batch)
        yield "relations are between mentions of two sentences", sentence[head] != sentence[tail]
    sources = _flat(batch["entity_sources"])
    yield (
        "relations have another source than their mentions",
        relations.source != np.maximum(sources[head], sources[tail]),
    )
    keys = (head.astype(np.uint64) << _SHIFT | tail.astype(np.uint64), relations.property)
    disorder = np.zeros(len(relations), bool)
    disorder[1:] = (keys[0][1:] < keys[0][:-1]) | ((keys[0][1:] == keys[0][:-1]) & (keys[1][1:] <= keys[1][:-1]))
    yield "relations are not in order of head, tail and property", disorder


def _holds(relations: FlatRelations, item_of_mention: npt.NDArray[np.int64], triples: Triples) -> Mask:
    """Whether each relation is a triple between the items of its mentions."""
    heads, tails = item_of_mention[relations.head], item_of_mention[relations.tail]
    valid = (heads >= 0) & (tails >= 0)
    pairs, pair_index = np.unique(pairs_of(np.where(valid, heads, 0), np.where(valid, tails, 0)), return_inverse=True)
    known_triples = triples.between((pairs >> _SHIFT).astype(np.int64), (pairs & _LOW).astype(np.int64))
    # Place of the pair, property and rank as one number: properties have fewer than 30 bits.
    known_keys = known_triples.pair << 32 | known_triples.property.astype(np.int64) << 1 | known_triples.rank
    relation_keys = pair_index.astype(np.int64) << 32 | relations.property.astype(np.int64) << 1 | relations.rank
    holds: Mask = valid & np.isin(relation_keys, known_keys)
    return holds


def _sentence_of_mentions(batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
    """The sentence of each mention, numbered through the batch."""
    tokens = pc.list_value_length(batch["word_ids"]).to_numpy(zero_copy_only=False).astype(np.int64)
    first = np.cumsum(tokens) - tokens
    starts, mentions = (
        _flat(batch[name]) + first[pc.list_parent_indices(batch[name]).to_numpy(zero_copy_only=False)]
        for name in ("sentence_starts", "entity_starts")
    )
    sentences: npt.NDArray[np.int64] = np.searchsorted(starts, mentions, "right")
    return sentences


def _flat(column: pa.Array) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = pc.list_flatten(column).to_numpy(zero_copy_only=False)
    return values
