"""Does DuckDB count names as well as our own code: the same rows, within a memory limit, in 1.2 times the time?

    python benchmarks/duckdb_counts.py [--rows 30000000] [--names 8000000] [--limit-mb 1000] [--rounds 2]
    python benchmarks/duckdb_counts.py --corpus OUT    # the parts of a build with --mentions instead of made-up ones

Both get the (name, target) pairs of many parts, made up by Zipf's law, and give all pairs with their sums in order of
name. `own` is what the stages mention_links and mention_names do with pairs, and the order in which later stages read
them: two processes. `units` has DuckDB do the same steps in the same units, a process and a thread each, with half of
the limit; `whole` lets one query with two threads and the limit sum up and sort all parts at once. What no candidate
changes is left out: which page a link leads to, and the normal form of a name.

Printed of each: wall and CPU seconds, peak of private memory of all its processes together (RssAnon, asked for 20
times a second), greatest size of the files that it spilled, and of those that its parts handed on; then the ratio to
`own`. Exit code 1 where rows differ. Last: the same query with other numbers of threads and other limits.
"""

import argparse
import hashlib
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from tables_memory import titles, words

from wikiprep.stages.mention_links import LINKS_A_PARTITION
from wikiprep.tables.mentions.in_order import in_order
from wikiprep.tables.mentions.merge import merge_partition
from wikiprep.tables.mentions.partials import PartialWriter
from wikiprep.tables.mentions.schema import MARKS, merged_schema, partial_schema

PART, BATCH = 1_000_000, 8_000  # rows of a part and of a batch; in a batch a pair comes once, as counted pages have it
CORES = 2
SUMS = ", ".join(f"sum({c})::BIGINT AS {c}" for c in ("link_count", "link_page_count", "name_pages"))
ANY = ", ".join(f"bool_or({mark}) AS {mark}" for mark in MARKS)
PARTIAL = f"SELECT name, title, {SUMS}, {ANY} FROM rows GROUP BY name, title"
MERGED = f"""
    WITH pairs AS (SELECT name, title AS target, {SUMS}, {ANY} FROM read_parquet($files) {{where}} GROUP BY ALL),
    names AS (
        SELECT name, sum(link_count)::BIGINT AS name_link_count, sum(name_pages)::BIGINT AS name_link_page_count
        FROM pairs GROUP BY name
    )
    SELECT name, -1::INTEGER AS number, target, link_count, link_page_count, name_link_count, name_link_page_count,
        {", ".join(MARKS)}
    FROM pairs JOIN names USING (name) ORDER BY name, link_count DESC, target
"""


class NoTitles:
    """A title table without titles: all targets come as titles."""

    def __len__(self) -> int:
        return 0


# ---- input


def write_part(folder: Path, number: int, names: int) -> None:
    """Pairs in batches, each distinct in its batch: one link, on one page."""
    rng, vocabulary = np.random.default_rng(number), words()
    ranks = (names ** rng.random(PART)).astype(np.int64) - 1
    others = rng.integers(0, 8, PART)  # a name has a usual target and some unusual ones
    places = ranks * 2 // 5 + np.where(others < 6, 0, others)
    name, target = titles(vocabulary, ranks), titles(vocabulary, places, "T ")
    with pa.OSFile(str(folder / f"in-{number:05}"), "wb") as sink, pa.ipc.new_file(sink, partial_schema()) as writer:
        for start in range(0, PART, BATCH):
            pair = pa.table({"name": name.slice(start, BATCH), "title": target.slice(start, BATCH)})
            writer.write_table(_counted(pair).combine_chunks())


def _counted(pairs: pa.Table) -> pa.Table:
    made = pairs.group_by(["name", "title"], use_threads=False).aggregate([([], "count_all")])
    count, no = made["count_all"], pa.array(np.zeros(made.num_rows, bool))
    nothing = pa.nulls(made.num_rows, pa.int32())
    return pa.Table.from_arrays(
        [made["name"], nothing, made["title"], count, count, count, no, no, no], schema=partial_schema()
    )


def copy_parts(corpus: Path, folder: Path) -> int:
    """The partial files of a build as input, numbers of pages as titles; how many."""
    found = sorted((corpus / "_state/mention_links/parts").glob("*.arrow"))
    for number, path in enumerate(found):
        with pa.ipc.open_file(pa.OSFile(str(path))) as reader:
            table = reader.read_all()
        title = pc.coalesce(table["title"], pc.binary_join_element_wise("#", table["number"].cast(pa.string()), ""))
        table = table.set_column(2, "title", title).set_column(1, "number", pa.nulls(table.num_rows, pa.int32()))
        table = table.cast(partial_schema())
        with pa.OSFile(str(folder / f"in-{number:05}"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=BATCH)
    return len(found)


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    with pa.ipc.open_file(pa.OSFile(str(path))) as reader:
        yield from (reader.get_batch(number) for number in range(reader.num_record_batches))


# ---- own code, and DuckDB in its place


@dataclass(frozen=True)
class Work:
    """Where: `folder` has the input, `out` takes what is made. `limit` in MB, of all processes together."""

    folder: Path
    out: Path
    partitions: int
    limit: int
    threads: int = CORES


def own_part(work: Work, number: int) -> None:
    writer = PartialWriter(work.out / f"l-{number:05}", work.partitions)
    for batch in _batches(work.folder / f"in-{number:05}"):
        writer.add(pa.Table.from_batches([batch]))
    writer.close()


def own_merge(work: Work, index: int) -> None:
    titles_: Any = NoTitles()
    merge_partition(sorted(work.out.glob("l-*")), index, work.partitions, titles_, work.out / f"n-{index:05}")


def connected(work: Work, share: int = 1) -> duckdb.DuckDBPyConnection:
    """`share`: how many of these there are at a time."""
    threads = max(1, work.threads // share)
    spill = work.out / "spill" / str(os.getpid())
    spill.mkdir(parents=True, exist_ok=True)
    given = {"threads": threads, "memory_limit": f"{work.limit // share}MB", "temp_directory": str(spill)}
    db = duckdb.connect(config=given)
    db.execute("SET enable_progress_bar = false")
    return db


def duck_part(work: Work, number: int, split: bool) -> None:
    """`split`: with the partition of each name, rows of a partition beside one another."""
    path = work.folder / f"in-{number:05}"
    with connected(work, CORES) as db, pa.ipc.open_file(pa.OSFile(str(path))) as reader:
        rows = pa.RecordBatchReader.from_batches(reader.schema, _batches(path))
        db.register("rows", rows)
        part = f", (hash(name) % {work.partitions})::INTEGER AS part" if split else ""
        order = "part, name, title" if split else "name, title"
        target = work.out / f"l-{number:05}"
        summed = f"SELECT *{part} FROM ({PARTIAL}) ORDER BY {order}"
        db.execute(f"COPY ({summed}) TO '{target}' (FORMAT parquet, CODEC zstd)")


def duck_merge(work: Work, index: int | None) -> None:
    """One partition, or (None) all in one query."""
    files = [str(path) for path in sorted(work.out.glob("l-*"))]
    query = MERGED.format(where="" if index is None else f"WHERE part = {index}")
    with connected(work, 1 if index is None else CORES) as db:
        path = work.out / f"n-{index or 0:05}"
        reader = db.sql(query, params={"files": files}).to_arrow_reader(1 << 13)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, merged_schema()) as writer:
            for batch in reader:
                writer.write_batch(batch.cast(merged_schema()))


def read_in_order(work: Work) -> None:
    """What name_table and mentions do with what was merged."""
    for _ in in_order(sorted(work.out.glob("n-*")), merged_schema().names):
        pass


def digest(out: Path) -> str:
    """Of all rows in order of name, by column: how they were cut into files and batches does not show."""
    sums, rows = {name: hashlib.sha256() for name in merged_schema().names}, 0
    for table in in_order(sorted(out.glob("n-*")), merged_schema().names):
        rows += table.num_rows
        for name, one in sums.items():
            values = table[name].combine_chunks()
            if pa.types.is_string(values.type):
                one.update("".join(f"{value}\n" for value in values.to_pylist()).encode())
            else:
                one.update(values.to_numpy(zero_copy_only=False).tobytes())
    return f"{rows:,} rows, " + hashlib.sha256(b"".join(one.digest() for one in sums.values())).hexdigest()[:16]


def in_pool(calls: list[Callable[[], None]]) -> None:
    """On two processes, as the local driver has them."""
    with ProcessPoolExecutor(CORES, multiprocessing.get_context("spawn")) as pool:
        for waiting in [pool.submit(call) for call in calls]:
            waiting.result()


# ---- what is measured


@dataclass(frozen=True)
class Measured:
    """Seconds and MB."""

    wall: float
    cpu: float
    peak: float
    spilled: float


def measured(out: Path, step: Callable[[], None]) -> Measured:
    """`step` in a fresh process, with all processes that it starts."""
    process = multiprocessing.get_context("spawn").Process(target=step)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process.start()
    peak = spilled = 0
    while process.is_alive():
        peak = max(peak, sum(_private(pid) for pid in _family(process.pid or 0)))
        spilled = max(spilled, _size(out / "spill"))
        time.sleep(0.05)
    process.join()
    if process.exitcode:
        raise SystemExit(f"{step}: exit code {process.exitcode}")
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    shutil.rmtree(out / "spill", ignore_errors=True)
    return Measured(wall, cpu, peak / 1000, spilled / 1e6)


def _family(pid: int) -> list[int]:
    """A process and all below it."""
    try:
        below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in below for one in _family(int(child)))]


def _private(pid: int) -> int:
    """KB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("RssAnon")), 0)


def _size(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        try:
            size += path.stat().st_blocks * 512
        except OSError:  # gone meanwhile
            continue
    return size


def steps(way: str, work: Work, parts: int) -> dict[str, Callable[[], None]]:
    """By name; each can be pickled."""
    every, order = range(parts), partial(read_in_order, work)
    if way == "own":
        part = [partial(own_part, work, number) for number in every]
        merge = [partial(own_merge, work, index) for index in range(work.partitions)]
        return {"parts": partial(in_pool, part), "merge": partial(in_pool, merge), "in order": order}
    part = [partial(duck_part, work, number, way == "units") for number in every]
    merge = [partial(duck_merge, work, index) for index in (range(work.partitions) if way == "units" else (None,))]
    together = partial(in_pool, merge) if way == "units" else merge[0]
    return {"parts": partial(in_pool, part), "merge": together, "in order": order}


def run(way: str, work: Work, parts: int) -> tuple[dict[str, Measured], float, str]:
    """Figures by step, MB of the parts' files, and the digest."""
    shutil.rmtree(work.out, ignore_errors=True)
    work.out.mkdir()
    figures = {name: measured(work.out, step) for name, step in steps(way, work, parts).items()}
    return figures, sum(path.stat().st_size for path in work.out.glob("l-*")) / 1e6, digest(work.out)


def total(figures: dict[str, Measured]) -> Measured:
    """Of all steps."""
    all_ = list(figures.values())
    wall, cpu = sum(one.wall for one in all_), sum(one.cpu for one in all_)
    return Measured(wall, cpu, max(one.peak for one in all_), max(one.spilled for one in all_))


def show(name: str, one: Measured, more: str = "") -> None:
    """A row."""
    print(f"{name:22}{one.wall:8.1f}{one.cpu:8.1f}{one.peak:9.0f}{one.spilled:11.0f}{more}", flush=True)


def compare(work: Work, parts: int, rounds: int) -> int:
    """Print the table; how many digests there are, which should be one."""
    digests, sums = set[str](), dict[str, list[Measured]]()
    print(f"{'':22}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}{'spilled MB':>11}")
    for number in range(rounds):
        for way in ("own", "units", "whole"):
            figures, handed_on, found = run(way, work, parts)
            digests.add(found)
            for name, one in figures.items():
                show(f"{way}: {name}", one)
            sums.setdefault(way, []).append(total(figures))
            show(f"{way}, round {number + 1}", sums[way][-1], f"   parts {handed_on:.0f} MB; {found}")
    for way in ("units", "whole"):
        pairs = list(zip(sums[way], sums["own"], strict=True))
        ratios = (f"{what} {_ratio(pairs, what)}" for what in ("wall", "cpu", "peak"))
        print(f"{way} over own: {', '.join(ratios)}", flush=True)
    return len(digests)


def _ratio(pairs: list[tuple[Measured, Measured]], what: str) -> str:
    return " ".join(f"{getattr(one, what) / getattr(own, what):.2f}" for one, own in pairs)


def vary(work: Work, parts: int) -> int:
    """The whole query by threads and limits, on the parts that are there; how many digests."""
    digests, given = set[str](), work.limit
    for threads, limit in ((1, given), (2, given), (4, given), (2, given // 2), (2, given // 4)):
        other = replace(work, threads=threads, limit=limit)
        for path in work.out.glob("n-*"):
            path.unlink()
        try:
            one = measured(work.out, partial(duck_merge, other, None))
        except SystemExit as error:
            print(f"{threads} threads, {limit} MB: {error}", flush=True)
            shutil.rmtree(work.out / "spill", ignore_errors=True)
            continue
        digests.add(found := digest(work.out))
        show(f"{threads} threads, {limit} MB", one, f"   {found}")
    return len(digests)


def main() -> int:
    """Make the input, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=30_000_000)
    parser.add_argument("--names", type=int, default=8_000_000)
    parser.add_argument("--limit-mb", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--corpus", type=Path, help="a build with --mentions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="duckdb-counts-") as made:
        folder = Path(made)
        if options.corpus:
            parts = copy_parts(options.corpus, folder)
        else:
            parts = max(1, options.rows // PART)
            with ProcessPoolExecutor(CORES) as pool:
                list(pool.map(write_part, [folder] * parts, range(parts), [options.names] * parts))
        work = Work(folder, folder / "out", parts * PART // LINKS_A_PARTITION + 1, options.limit_mb)
        print(f"{parts} parts, {work.partitions} partitions, DuckDB {duckdb.__version__}", flush=True)
        different = compare(work, parts, options.rounds) > 1
        return 1 if vary(work, parts) > 1 or different else 0


if __name__ == "__main__":
    sys.exit(main())
