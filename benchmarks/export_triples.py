"""What do choosing and splitting triples for an export cost, and how much memory a triple?

`python benchmarks/export_triples.py`: generated triples, skewed as Wikidata's are (`--triples 2500000 10000000`), one
relation in twenty the inverse of another. The baseline is the smaller number of triples: seconds and bytes a triple
must not grow with it. Each is a process of its own; the peak is that of private memory above its start.
"""

import argparse
import os
import threading
import time
from collections import Counter
from multiprocessing import get_context
from typing import Any

import numpy as np

from wikiprep.guard.child import MemoryMeter
from wikiprep.wikidata.graph.graph import WikidataGraph
from wikiprep.wikidata.graph.select import Selection, select
from wikiprep.wikidata.graph.split import split

RELATIONS = 1000


def generate(count: int) -> tuple[Any, Any, Any]:
    """(heads, properties, tails), each triple once."""
    rng = np.random.default_rng(5)
    items = count // 8
    size = count * 20 // 21
    heads, tails = ((items * rng.random(size) ** skew).astype(np.int64) * 10 + 1 for skew in (1.3, 4.0))
    properties = (RELATIONS * rng.random(size) ** 3).astype(np.int32) * 2
    inverted = properties % 40 == 0
    heads, tails, properties = (
        np.concatenate(pair)
        for pair in ((heads, tails[inverted]), (tails, heads[inverted]), (properties, properties[inverted] + 1))
    )
    order = np.lexsort((properties, tails, heads))
    heads, tails, properties = heads[order], tails[order], properties[order]
    is_new = np.ones(len(heads), bool)
    is_new[1:] = (np.diff(heads) != 0) | (np.diff(tails) != 0) | (np.diff(properties) != 0)
    return heads[is_new], properties[is_new], tails[is_new]


def work(count: int, connection: Any) -> None:
    columns = generate(count)
    meter, peak, done = MemoryMeter(os.getpid()), [0], threading.Event()
    before = meter.read()

    def watch() -> None:
        while not done.wait(0.02):
            peak[0] = max(peak[0], meter.read())

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.process_time()
    graph = WikidataGraph.of(*columns)
    counts: Counter[str] = Counter()
    selected = select(graph, Selection(min_degree=2), counts)
    select_seconds = time.process_time() - start
    triple_split = split(selected.graph, 0.05, 0.05, 0)
    seconds = time.process_time() - start
    done.set()
    watcher.join()
    connection.send(
        (len(columns[0]), select_seconds, seconds, peak[0] - before, len(selected.redundant), triple_split.sizes())
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--triples", type=int, nargs="+", default=[2_500_000, 10_000_000])
    for count in parser.parse_args().triples:
        receiver, sender = get_context("spawn").Pipe(False)
        child = get_context("spawn").Process(target=work, args=(count, sender))
        child.start()
        size, select_seconds, seconds, peak, redundant, parts = receiver.recv()
        child.join()
        print(
            f"{size:>12,} triples: chosen in {select_seconds:.1f} s, "
            f"split in {seconds - select_seconds:.1f} s of CPU time "
            f"({1e6 * seconds / size:.2f} us a triple), peak {peak / 1e6:,.0f} MB ({peak / size:.0f} bytes a triple); "
            f"{redundant} redundant relations, parts of {parts}"
        )


if __name__ == "__main__":
    main()
