"""What does it cost to find the relations of a record's mentions, against a dict, and what memory does a worker take?

`python benchmarks/wikidata_triples.py`: generated triples (heads and tails skewed as in Wikidata: few items have most)
and records of 20 mentions, half of them heads and tails of triples that are there. They are aligned as a build does it,
400 records at once (1 MB of text): all ordered pairs of a record, and those of a sentence of 5 mentions. The dict maps
(head, tail) to its properties, and a loop asks it for each pair; it is made of `--dict-triples` of the triples only,
since 100 million would not fit. Workers are processes of their own that run at one time over the same mapped file;
their private memory is what they hold beyond shared, mapped pages. CPU time, best of the rounds.
"""

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from wikiprep.config import RelationsConfig
from wikiprep.corpus.relations import Aligner
from wikiprep.guard.child import MemoryMeter
from wikiprep.storage.memory_maps import write_arrays
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, open_entity_items
from wikiprep.wikidata.lookups import Triples
from wikiprep.wikidata.triples_table import TRIPLE_ARRAYS, pairs_of

MENTIONS = 20  # of a record
SENTENCE = 5  # mentions of a sentence
SLICE = 400  # records aligned at once
ITEMS = 10_000_000
ENTITIES = 1_000_000  # of the vocabulary
SCOPES = {"record": MENTIONS, "sentence": SENTENCE}


def generate(count: int, folder: Path) -> None:
    rng = np.random.default_rng(7)
    pair = np.empty(count, np.uint64)
    for start in range(0, count, 1 << 23):
        size = min(1 << 23, count - start)
        pair[start : start + size] = pairs_of(_items(rng, size, 0.6), _items(rng, size, 0.25))
    pair.sort()
    write_arrays(
        folder / TRIPLE_ARRAYS,
        {
            "pair": pair,
            "property": rng.integers(1, 12_000, count).astype(np.int32),
            "rank": (rng.random(count) < 0.05).astype(np.int8),
        },
    )


def _items(rng: np.random.Generator, size: int, skew: float) -> Any:
    return (ITEMS * rng.random(size) ** (1 / skew)).astype(np.int64) * 10 + 1


def generate_records(folder: Path, count: int) -> None:
    """A vocabulary with items, and the entities of `count` records."""
    rng = np.random.default_rng(11)
    table = Triples.open(folder)
    items = np.empty((count, MENTIONS), np.int64)
    for row in items:
        at = int(rng.integers(0, len(table) - 5))
        heads, tails, *_ = table.rows(at, at + 5)
        row[:] = rng.permutation(np.concatenate([heads, tails, _items(rng, MENTIONS - 10, 0.4)]))
    used_items = np.unique(items)
    rest = np.setdiff1d(_items(rng, ENTITIES, 1.0), used_items)[: max(0, ENTITIES - len(used_items))]
    vocabulary = rng.permutation(np.concatenate([used_items, rest]))
    order = np.argsort(vocabulary)
    write_arrays(folder / VOCAB_ARRAYS, {"qid": np.concatenate([[-1, -1, -1], vocabulary])})
    np.save(folder / "records.npy", (3 + order[np.searchsorted(vocabulary[order], items)]).astype(np.int32))


Find = Callable[[int], int]  # mentions of a group -> relations found


def align_method(folder: Path) -> Find:
    items = open_entity_items(folder)
    aligner = Aligner(Triples.open(folder), items, RelationsConfig())
    records = np.load(folder / "records.npy")

    def find(group_size: int) -> int:
        counts: Counter[str] = Counter()
        for start in range(0, len(records), SLICE):
            entities = records[start : start + SLICE].ravel()
            group = np.arange(len(entities)) // group_size
            aligner.align(entities, np.zeros(len(entities), np.int8), aligner.items_of(entities, []), group, counts)
        return counts["relations.found"]

    return find


def dict_method(folder: Path) -> Find:
    properties_by_pair: dict[tuple[int, int], list[tuple[int, int]]] = {}
    table = Triples.open(folder)
    for start in range(0, len(table), 1 << 18):
        rows = (column.tolist() for column in table.rows(start, start + (1 << 18)))
        for head, tail, prop, rank in zip(*rows, strict=True):
            properties_by_pair.setdefault((head, tail), []).append((prop, rank))
    items = open_entity_items(folder)
    records = np.load(folder / "records.npy")

    def find(group_size: int) -> int:
        count = 0
        for entities in records:
            mention_items = items[entities].tolist()
            relations = []
            for first in range(0, MENTIONS, group_size):
                group = range(first, first + group_size)
                for i in group:
                    head = mention_items[i]
                    for j in group:
                        tail = mention_items[j]
                        if head != tail and (pair := (head, tail)) in properties_by_pair:
                            relations += [(i, j, prop, rank, 0) for prop, rank in properties_by_pair[pair]]
            count += len(relations)
        return count

    return find


def best_of(rounds: int, find: Find, size: int) -> tuple[float, int]:
    best, count = 1e9, 0
    for _ in range(rounds):
        start = time.process_time()
        count = find(size)
        best = min(best, time.process_time() - start)
    return best, count


def work(method: Callable[[Path], Find], folder: Path, rounds: int, out: Any) -> None:
    before = MemoryMeter(os.getpid()).read()
    find = method(folder)
    best = {scope: best_of(rounds, find, size) for scope, size in SCOPES.items()}
    out.send((best, MemoryMeter(os.getpid()).read() - before))  # while `find` holds what it needs


def report(label: str, method: Callable[[Path], Find], folder: Path, options: argparse.Namespace, workers: int) -> None:
    pipes = [get_context("spawn").Pipe(False) for _ in range(workers)]
    args = [(method, folder, options.rounds, sender) for _, sender in pipes]
    children = [get_context("spawn").Process(target=work, args=each) for each in args]
    for child in children:
        child.start()
    answers = [receiver.recv() for receiver, _ in pipes]
    for child in children:
        child.join()
    for scope, size in SCOPES.items():
        seconds, count = answers[0][0][scope]
        each = seconds / options.records * 1e6
        pair = each / (MENTIONS * (size - 1))
        print(f"{label:<30} {scope:<9}{each:8.1f} us a record, {pair:6.3f} us a pair, {count:,} relations")
    memory = ", ".join(f"{private / 1e6:.0f}" for _, private in answers)
    print(f"{label:<30} private memory, MB: {memory}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--triples", type=int, default=100_000_000)
    parser.add_argument("--dict-triples", type=int, default=2_000_000)
    parser.add_argument("--records", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    limit = min(options.dict_triples, options.triples)
    with tempfile.TemporaryDirectory() as name:
        folder, small = Path(name) / "all", Path(name) / "few"
        for place, count in ((folder, options.triples), (small, limit)):
            place.mkdir()
            generate(count, place)
            generate_records(place, options.records)
        report(f"aligned, {options.triples:,} triples", align_method, folder, options, options.workers)
        report(f"aligned, {limit:,} triples", align_method, small, options, options.workers)
        report(f"a dict, {limit:,} triples", dict_method, small, options, 1)


if __name__ == "__main__":
    main()
