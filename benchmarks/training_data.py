"""What reading records in random order costs, with and without their checksums, beside the plain ways of the same file.

    python benchmarks/training_data.py CORPUS [--records 200000] [--reads 20000] [--rounds 3]

The records of CORPUS are repeated into one large corpus (disk: some 2 KB a record). Baselines: `datasets` on the same
table, row by row, and pyarrow's own rows. CPU time of one process, rounds alternating, the file in the system's
cache. Also: opening the corpus, and the shuffled order of ten million records against numpy's permutation.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa

from wikiprep.corpus.shards import ShardWriter, open_shard
from wikiprep.pretrain.data.stream import Stream
from wikiprep.records.held_out import Split
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus

SHARD = "records/part-00000-of-00001.arrow"


def write_repeated(corpus: Path, target: Path, records: int) -> None:
    """A corpus with the records of `corpus` over and over."""
    batches = []
    for path in sorted((corpus / "records").glob("*.arrow")):
        reader = open_shard(path)
        batches += [reader.get_batch(number) for number in range(reader.num_record_batches)]
    (target / "records").mkdir(parents=True)
    writer = ShardWriter(target / SHARD, batches[0].schema)
    written_rows = 0
    while written_rows < records:
        for batch in batches:
            writer.write(batch)
            written_rows += batch.num_rows
    writer.close()
    manifest = orjson.loads((corpus / "manifest.json").read_bytes())
    others = [entry for entry in manifest["files"] if not entry["path"].startswith("records/")]
    manifest["files"] = [*others, {"path": SHARD, "size": (target / SHARD).stat().st_size, "sha256": ""}]
    (target / "manifest.json").write_bytes(orjson.dumps(manifest))


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--reads", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "corpus"
        write_repeated(options.corpus, target, options.records)
        read(target, options.reads, options.rounds)
    order(10_000_000)


def read(corpus: Path, reads: int, rounds: int) -> None:
    """Print microseconds a record for each way."""
    import datasets

    readers: list[RecordReader] = []
    seconds = cpu(lambda: readers.append(RecordReader(open_corpus(str(corpus), 0.002))))
    reader = readers[0]
    print(f"{len(reader):,} records, {(corpus / SHARD).stat().st_size / 1e6:,.0f} MB; opening {seconds:.2f} s")
    numbers = np.random.default_rng(0).integers(0, len(reader), reads).tolist()
    table = pa.ipc.open_file(pa.memory_map(str(corpus / SHARD))).read_all()
    rows = datasets.Dataset(datasets.table.MemoryMappedTable(table, str(corpus / SHARD))).with_format("numpy")
    ways: dict[str, Callable[[int], object]] = {
        "by number, checked": reader.read,
        "by number, sizes only": reader.peek,
        "datasets": lambda number: rows[number],
        "pyarrow": lambda number: table.slice(number, 1).to_pylist(),
    }
    microseconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            numbers_read = numbers if name.startswith("by") else numbers[: reads // 20]
            seconds = cpu(lambda: [way(number) for number in numbers_read])  # noqa: B023 - called at once
            microseconds[name].append(seconds / len(numbers_read) * 1e6)
    base = statistics.median(microseconds["by number, checked"])
    for name, values in microseconds.items():
        print(f"{name:24} {statistics.median(values):9.1f} us a record  x {statistics.median(values) / base:.1f}")


def order(size: int) -> None:
    """Print what a global batch of the shuffled order costs, and numpy's permutation of the whole."""
    stream = Stream.of(0, [Split(size, np.arange(0, size, 500))], 0.7)
    ours = cpu(lambda: [stream.places(start, start + 2048) for start in range(0, 100 * 2048, 2048)]) / 100
    whole: list[np.ndarray] = []
    numpys = cpu(lambda: whole.append(np.random.default_rng(0).permutation(size)))
    print(f"order of {size:,}: {ours * 1e3:.2f} ms a global batch of 2,048, nothing kept")
    print(f"numpy's permutation: {numpys:.2f} s and {whole[0].nbytes / 1e6:.0f} MB an epoch, in every process")


if __name__ == "__main__":
    main()
