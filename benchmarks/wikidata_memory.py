"""Does the memory of reading and merging Wikidata grow with the dump?

`python benchmarks/wikidata_memory.py`: makes dumps of generated items (`--items 100000 1000000`) in the dump's own
form, one of ten without a page, and reads each as one range and with one merge, in a process of its own. Prints the
peak of its private memory and the CPU time of both steps. The baseline is the smallest dump.
"""

import argparse
import os
import random
import resource
import tempfile
import threading
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from wikiprep.guard.child import MemoryMeter
from wikiprep.wikidata.item import WikiSelection
from wikiprep.wikidata.json_dump_files import find_files, plan_entity_ranges
from wikiprep.wikidata.merge_runs import UnitRuns, build_tables
from wikiprep.wikidata.merged_ids import MergedIds
from wikiprep.wikidata.read_range import read_range

WANTED = WikiSelection(("enwiki",), ("en",))
STATEMENT = (
    '{"mainsnak":{"snaktype":"value","property":"P%d","datavalue":{"value":{"entity-type":"item","numeric-id":%d,'
    '"id":"Q%d"},"type":"wikibase-entityid"},"datatype":"wikibase-item"},"type":"statement","rank":"normal"}'
)


def write_dump(path: Path, items: int) -> None:
    """Items with up to 12 statements about each other, in no order."""
    rng = random.Random(1)
    numbers = list(range(1, items + 1))
    rng.shuffle(numbers)
    with path.open("w") as file:
        file.write("[\n")
        for place, number in enumerate(numbers):
            claims = ",".join(
                '"P%d":[%s]' % (p, STATEMENT % (p, t, t))  # noqa: UP031 - braces of JSON
                for p in range(1, rng.randint(2, 13))
                for t in [rng.randint(1, items)]
            )
            link = '{"enwiki":{"site":"enwiki","title":"Page %d","badges":[]}}' % number if number % 10 else "[]"  # noqa: UP031 - same
            file.write(
                f'{{"type":"item","id":"Q{number}","labels":{{"en":{{"language":"en","value":"Label of {number}"}}}},'
                f'"descriptions":{{}},"aliases":{{}},"claims":{{{claims}}},"sitelinks":{link},"lastrevid":{number}}}'
                + (",\n" if place + 1 < items else "\n")
            )
        file.write("]\n")


def work(dump: Path, out: Path, connection: Any) -> None:
    """Read and merge, and send what it took."""
    peak, done = [0, 0], threading.Event()
    stage = [0]

    def watch() -> None:
        meter = MemoryMeter(os.getpid())
        while not done.wait(0.02):
            peak[stage[0]] = max(peak[stage[0]], meter.read())

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.process_time()
    (range_,) = plan_entity_ranges(find_files(str(dump)), 1 << 40)
    runs = out / "runs"
    runs.mkdir()
    range_runs = read_range(range_, WANTED, runs)
    read_seconds = time.process_time() - start
    stage[0], start = 1, time.process_time()
    result = build_tables([UnitRuns(tuple(range_runs.files), dump.name, 0, 0)], out, MergedIds.none())
    merge_seconds = time.process_time() - start
    done.set()
    watcher.join()
    triples = result.counts["triples.kept"]
    connection.send(
        (read_seconds, merge_seconds, peak, triples, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[100_000, 1_000_000])
    for items in parser.parse_args().items:
        with tempfile.TemporaryDirectory() as name:
            dump, out = Path(name) / "dump.json", Path(name) / "out"
            out.mkdir()
            write_dump(dump, items)
            receiver, sender = get_context("spawn").Pipe(False)
            child = get_context("spawn").Process(target=work, args=(dump, out, sender))
            child.start()
            read_seconds, merge_seconds, peak, triples, resident = receiver.recv()
            child.join()
            megabytes, peaks = dump.stat().st_size / 1e6, [f"{p / 1e6:.0f} MB" for p in peak]
            print(
                f"{items:>10,} items, {megabytes:7.0f} MB: read {read_seconds:6.1f} s "
                f"({megabytes / read_seconds:.0f} MB/s), "
                f"peak {peaks[0]}; merge {merge_seconds:5.1f} s, {triples:,} triples, peak {peaks[1]}"
                f" (resident with mapped files: {resident / 1e6:.0f} MB)"
            )


if __name__ == "__main__":
    main()
