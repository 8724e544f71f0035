"""How long hostile megabytes take: units that are never closed, and mixtures of them; the slowest first.

    python benchmarks/hostile.py --mixtures 200

CPU seconds a megabyte, beside those of a megabyte of plain words in the same run. Tests hold only that time grows with
size (tests/wikitext/growth.py); here is how much it is.
"""

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from tests.wikitext.hostile import UNITS, mixture, repeated  # noqa: E402
from wikiprep.dump.site import Site  # noqa: E402
from wikiprep.wikitext.extract import Extractor  # noqa: E402

MEGABYTE = 1_000_000


def main() -> None:
    """Time all, print the slowest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mixtures", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--slowest", type=int, default=10)
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.mixtures)
    texts = {repr(unit): repeated(unit, MEGABYTE) for unit in UNITS}
    texts |= {f"mixture {seed}": mixture(seed, MEGABYTE) for seed in seeds}
    extractor = Extractor(Site.for_language("zh"))
    plain = seconds(extractor, "word " * (MEGABYTE // 5))
    times = sorted(((seconds(extractor, text), name) for name, text in texts.items()), reverse=True)
    mean = sum(one for one, _ in times) / len(times)
    print(f"plain words: {plain:.2f} s; {len(times)} hostile megabytes, mean {mean:.2f} s")
    for cpu_time, name in times[: options.slowest]:
        print(f"{cpu_time:6.2f} s  {cpu_time / plain:6.1f} times  {name}")


def seconds(extractor: Extractor, text: str) -> float:
    """CPU seconds of one extraction."""
    start = time.process_time()
    extractor.extract(text, "T")
    return time.process_time() - start


if __name__ == "__main__":
    main()
