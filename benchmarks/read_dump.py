"""How much CPU reading costs: bz2 -> Page objects against plain decompression by the bz2 module, in one run.

    python benchmarks/read_dump.py DUMP.xml.bz2 [--range-mb 32] [--rounds 3]

Prints CPU seconds (the least of the rounds) and their ratio; the target is 1.2.
"""

import argparse
import bz2
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges


def plain(path: str) -> int:
    """Bytes of XML, by the module alone."""
    total = 0
    with bz2.open(path) as file:
        while data := file.read(1 << 20):
            total += len(data)
    return total


def pages(path: str, range_mb: float) -> int:
    """Pages read."""
    parts = find_parts([path])
    ranges = plan_ranges(parts, int(range_mb * 1e6))
    return sum(isinstance(p, Page) for r in ranges for p in RangeReader(r, parts[0].siteinfo))


def cpu(work: Callable[[], int]) -> tuple[float, int]:
    """(CPU seconds, result)."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("--range-mb", type=float, default=32.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    # Rounds take turns, so that a busy machine slows both.
    rounds = [
        (cpu(lambda: plain(options.dump)), cpu(lambda: pages(options.dump, options.range_mb)))
        for _ in range(options.rounds)
    ]
    base, size = min(both[0] for both in rounds)
    ours, count = min(both[1] for both in rounds)
    print(f"plain bz2      {base:8.2f} s   {size / base / 1e6:6.1f} MB/s of XML")
    print(f"bz2 -> pages   {ours:8.2f} s   {size / ours / 1e6:6.1f} MB/s of XML   {count:,} pages")
    print(f"ratio          {ours / base:8.2f}")


if __name__ == "__main__":
    main()
