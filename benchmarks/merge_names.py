"""Adding up names (the stage mention_names): does it keep to its limit of memory, and give the same bytes each time?

    python benchmarks/merge_names.py [--rows 24000000] [--names 8000000] [--folder /tmp/names]

(name, target) pairs of many parts, made up by Zipf's law as units count them, are added up by one DuckDB query under
several limits and numbers of threads, each in a process of its own. Printed: wall and CPU seconds, the peak of private
memory (RssAnon, asked for 20 times a second) and its ratio to the limit, the greatest size of what was spilled, the
hash of the file. Exit code 1 where two files differ.
"""

import argparse
import hashlib
import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from tables_memory import titles, words

from wikiprep.tables.mentions.merge_counts import merge_names
from wikiprep.tables.mentions.partials import PartialWriter
from wikiprep.tables.mentions.schema import partial_schema

PART, BATCH = 1_000_000, 8_000  # rows of a part and of a batch; in a batch a pair comes once, as counted pages have it


def write_part(path: Path, number: int, names: int) -> None:
    """Pairs in batches, each distinct in its batch: one link, on one page."""
    rng, vocabulary, writer = np.random.default_rng(number), words(), PartialWriter(path)
    ranks = (names ** rng.random(PART)).astype(np.int64) - 1
    others = rng.integers(0, 8, PART)  # a name has a usual target and some unusual ones
    places = ranks * 2 // 5 + np.where(others < 6, 0, others)
    name, target = titles(vocabulary, ranks), titles(vocabulary, places, "T ")
    for start in range(0, PART, BATCH):
        pairs = pa.table({"name": name.slice(start, BATCH), "target": target.slice(start, BATCH)})
        grouped = pairs.group_by(["name", "target"], use_threads=False).aggregate([([], "count_all")])
        number_ = pa.array(np.full(grouped.num_rows, -1), pa.int32())
        count, false_column = grouped["count_all"], pa.array(np.zeros(grouped.num_rows, bool))
        columns = [
            grouped["name"],
            number_,
            grouped["target"],
            count,
            count,
            count,
            false_column,
            false_column,
            false_column,
        ]
        writer.add(pa.Table.from_arrays(columns, schema=partial_schema()))
    writer.close()


def merge(folder: Path, out: Path, threads: int, limit: int) -> None:
    """What the stage does."""
    merge_names(sorted(folder.glob("part-*")), out / "names", out / "spill", memory_mb=limit, threads=threads)


def measure_merge(folder: Path, threads: int, limit: int) -> str | None:
    """Print a row; the hash of the file, None where there is none."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    process = multiprocessing.get_context("spawn").Process(target=partial(merge, folder, out, threads, limit))
    before, start, peak, spilled = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0, 0
    process.start()
    while process.is_alive():
        peak, spilled = max(peak, _private(process.pid or 0)), max(spilled, _size(out / "spill"))
        time.sleep(0.05)
    process.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, wall = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - start
    row = f"{threads:7}{limit:10}{wall:8.1f}{cpu:8.1f}{peak / 1000:9.0f}{peak / 1000 / limit:7.2f}{spilled / 1e6:11.0f}"
    if process.exitcode:
        print(f"{row}  failed", flush=True)
        return None
    with (out / "names").open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    print(f"{row}  {digest}", flush=True)
    return digest


def _private(pid: int) -> int:
    """Private memory of a process, in KB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("RssAnon")), 0)


def _size(folder: Path) -> int:
    try:
        return sum(path.stat().st_blocks * 512 for path in folder.iterdir())
    except OSError:  # gone meanwhile
        return 0


def main() -> int:
    """Make the parts, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=24_000_000)
    parser.add_argument("--names", type=int, default=8_000_000)
    parser.add_argument("--folder", type=Path, help="keep the parts here; a temporary folder by default")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="merge-names-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"part-{number:05}" for number in range(max(1, options.rows // PART))]
        with ProcessPoolExecutor(2) as pool:
            missing_parts = [(path, number) for number, path in enumerate(paths) if not path.exists()]
            for future in [pool.submit(write_part, path, number, options.names) for path, number in missing_parts]:
                future.result()
        size = sum(path.stat().st_size for path in paths)
        print(
            f"{len(paths)} parts, {size / 1e6:.0f} MB\n{'threads':>7}{'limit MB':>10}{'wall s':>8}{'CPU s':>8}", end=""
        )
        print(f"{'peak MB':>9}{'/limit':>7}{'spilled MB':>11}", flush=True)
        digests = {
            measure_merge(folder, *arguments)
            for arguments in ((2, 1000), (2, 500), (2, 250), (1, 125), (4, 1000), (1, 1000))
        }
        return 1 if len(digests - {None}) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
