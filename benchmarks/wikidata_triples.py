"""What does it cost to find all properties between two items, against a dict, and how much memory does a worker take?

`python benchmarks/wikidata_triples.py`: generated triples (heads and tails skewed as in Wikidata: few items have most),
looked up for batches of pairs as a record has them: all ordered pairs of 20 entities. The dict maps (head, tail) to
its properties; it is made of `--dict-triples` of the triples only, since 100 million would not fit. Each reader is a
process of its own; its private memory is what it holds beyond shared, mapped pages. CPU time, best of the rounds.
"""

import argparse
import os
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from wikiprep.stages.memory import Meter
from wikiprep.tables.arrays import write_arrays
from wikiprep.wikidata.lookups import Triples
from wikiprep.wikidata.triples_table import TRIPLE_ARRAYS, pairs_of

ENTITIES = 20  # of a record
ITEMS = 10_000_000


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


def records(folder: Path, count: int, limit: int) -> list[np.ndarray]:
    """Entities of records: half of them heads and tails of triples that are there."""
    rng = np.random.default_rng(11)
    table = Triples.open(folder)
    made = []
    for _ in range(count):
        at = int(rng.integers(0, min(limit, len(table)) - 5))
        heads, tails, *_ = table.rows(at, at + 5)
        made.append(np.concatenate([heads, tails, _items(rng, ENTITIES - 10, 0.4)]))
    return made


def pairs(entities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    heads, tails = np.repeat(entities, len(entities)), np.tile(entities, len(entities))
    return heads[heads != tails], tails[heads != tails]


def mapped(folder: Path, limit: int, batches: list[np.ndarray], rounds: int, out: Any) -> None:
    before = Meter(os.getpid()).read()
    table = Triples.open(folder)
    best, found = 1e9, 0
    for _ in range(rounds):
        start = time.process_time()
        found = sum(len(table.between(*pairs(entities)).pair) for entities in batches)
        best = min(best, time.process_time() - start)
    out.send((best, found, Meter(os.getpid()).read() - before))


def as_dict(folder: Path, limit: int, batches: list[np.ndarray], rounds: int, out: Any) -> None:
    before = Meter(os.getpid()).read()
    known: dict[tuple[int, int], list[tuple[int, int]]] = {}
    table = Triples.open(folder)
    for start in range(0, limit, 1 << 18):
        rows = (column.tolist() for column in table.rows(start, min(start + (1 << 18), limit)))
        for head, tail, prop, rank in zip(*rows, strict=True):
            known.setdefault((head, tail), []).append((prop, rank))
    best, found = 1e9, 0
    for _ in range(rounds):
        start_time = time.process_time()
        found = 0
        for entities in batches:
            heads, tails = pairs(entities)
            for head, tail in zip(heads.tolist(), tails.tolist(), strict=True):
                found += len(known.get((head, tail), ()))
        best = min(best, time.process_time() - start_time)
    out.send((best, found, Meter(os.getpid()).read() - before))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--triples", type=int, default=100_000_000)
    parser.add_argument("--dict-triples", type=int, default=2_000_000)
    parser.add_argument("--records", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    limit = min(options.dict_triples, options.triples)
    with tempfile.TemporaryDirectory() as name:
        folder, few = Path(name) / "all", Path(name) / "few"
        for place, count in ((folder, options.triples), (few, limit)):
            place.mkdir()
            generate(count, place)
        batches = {folder: records(folder, options.records, options.triples), few: records(few, options.records, limit)}
        looked_up = options.records * ENTITIES * (ENTITIES - 1)
        for label, work, place in (
            (f"mapped, {options.triples:,} triples", mapped, folder),
            (f"mapped, {limit:,} triples", mapped, few),
            (f"dict,   {limit:,} triples", as_dict, few),
        ):
            here, there = get_context("spawn").Pipe(False)
            child = get_context("spawn").Process(
                target=work, args=(place, limit, batches[place], options.rounds, there)
            )
            child.start()
            seconds, found, memory = here.recv()
            child.join()
            each = seconds / looked_up * 1e6
            print(f"{label:<32}{each:7.2f} us a pair, {found:,} relations, {memory / 1e6:8.1f} MB private")


if __name__ == "__main__":
    main()
