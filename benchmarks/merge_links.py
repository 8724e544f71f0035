"""Adding up link counts (the stage vocabulary): arrays and partitions, as it does, beside one DuckDB query.

    python benchmarks/merge_links.py [--parts 24] [--titles 10000000]

Counts files of many parts (`tables/count_files.py`), made up by Zipf's law: 400,000 numbered titles and 60,000 without
a page each. Both sides give the count of every number and of every unknown title, in order; each is a process of its
own. Printed: wall and CPU seconds and the peak of the resident set. Exit code 1 where the sides differ.
"""

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.tables.count_files import PARTITIONS, CountFiles, CountWriter

Sums = tuple[npt.NDArray[np.int64], pa.Table]  # by number; (title, count) of titles without a page
NUMBERED, UNKNOWN, THREADS = 400_000, 60_000, 2
_QUERY = "SELECT number, title, sum(count)::BIGINT AS count FROM counts GROUP BY number, title ORDER BY number, title"


def write_part(path: Path, part: int, titles: int) -> None:
    """One counts file."""
    rng, writer = np.random.default_rng(part), CountWriter(path)
    unknown = np.unique((titles ** rng.random(UNKNOWN)).astype(np.int64))
    writer.unknown([f"Title without a page {number}" for number in unknown.tolist()], rng.integers(1, 9, len(unknown)))
    numbers = np.unique((titles ** rng.random(NUMBERED)).astype(np.int32) - 1)
    writer.close(numbers, rng.integers(1, 99, len(numbers)), {})


def by_arrays(paths: list[Path], titles: int) -> Sums:
    """What the stage does: counts by number, then the unknown titles, in order over all partitions."""
    files = CountFiles(paths)
    parts = [files.partition(index) for index in range(PARTITIONS)]
    return files.numbered(titles), pa.concat_tables(parts).sort_by("title")


def by_duckdb(paths: list[Path], titles: int) -> Sums:
    """The same by one query within 1,000 MB."""
    import duckdb

    def batches() -> Iterator[pa.RecordBatch]:
        for path in paths:
            with pa.ipc.open_file(pa.OSFile(str(path))) as reader:
                for number in range(reader.num_record_batches - 1):  # the last holds counters
                    yield reader.get_batch(number)

    with pa.ipc.open_file(pa.OSFile(str(paths[0]))) as first:
        schema = first.schema
    with duckdb.connect(config={"threads": THREADS, "memory_limit": "1000MB"}) as db:
        db.execute("SET enable_progress_bar = false")
        db.register("counts", pa.RecordBatchReader.from_batches(schema, batches()))
        rows = db.sql(_QUERY).to_arrow_table()
    numbered = rows.filter(rows["number"].is_valid())
    totals = np.zeros(titles, np.int64)
    totals[numbered["number"].to_numpy()] = numbered["count"].to_numpy()
    return totals, rows.filter(rows["number"].is_null()).select(["title", "count"])


SIDES = {"arrays and partitions": by_arrays, "DuckDB": by_duckdb}


def measure(side: str, folder: Path, titles: int) -> None:
    """Print one side's figures as JSON."""
    began = time.monotonic()
    totals, unknown = SIDES[side](sorted(folder.glob("part-*")), titles)
    wall, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF)
    digest = hashlib.sha256(totals.tobytes())
    digest.update("\n".join(unknown["title"].to_pylist()).encode() + unknown["count"].to_numpy().tobytes())
    cpu = used.ru_utime + used.ru_stime
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": used.ru_maxrss * 1024, "sum": digest.hexdigest()[:16]}))


def main() -> int:
    """Make the parts, measure the sides in turn, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=int, default=24)
    parser.add_argument("--titles", type=int, default=10_000_000)
    parser.add_argument("--side", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        measure(options.side[0], Path(options.side[1]), options.titles)
        return 0
    with tempfile.TemporaryDirectory(prefix="merge-links-") as folder:
        for part in range(options.parts):
            write_part(Path(folder) / f"part-{part:05}", part, options.titles)
        print(f"{'':24}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}  sum")
        sums = set()
        for side in SIDES:
            command = [sys.executable, __file__, "--titles", str(options.titles), "--side", side, folder]
            figures = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            peak = figures["peak"] / 1e6
            print(f"{side:24}{figures['wall']:8.1f}{figures['cpu']:8.1f}{peak:9.0f}  {figures['sum']}", flush=True)
            sums.add(figures["sum"])
    return 1 if len(sums) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
