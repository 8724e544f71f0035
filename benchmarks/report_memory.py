"""Seconds and peak memory of `wikiprep report` on tables of the English Wikipedia's size.

    python benchmarks/report_memory.py FOLDER [--rows 20000000]

builds the sample in FOLDER, then puts made-up tables in the place of its own: `--rows` rows of mentions.parquet, two
targets a name, half as many pages with QIDs, a twentieth as many entities and rejects; 200 parts of articles with 2,000
rows of real text each, of which four row groups a part are read; 200 shards of 5,000 records. The look-up files stay
those of the sample: they are mapped, and what a report asks of them are some thousand names. Then it runs the command
as a process of its own and prints its time and its greatest resident set.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.corpus.shards import ShardWriter, read_shard
from wikiprep.storage.parquet_files import ROWS, RowGroupWriter
from wikiprep.storage.tables import reject_schema
from wikiprep.tables.mentions.schema import mention_schema
from wikiprep.tables.schema import page_schema, vocabulary_schema

PARTS = 200


def write_table(
    path: Path, schema: pa.Schema, rows: int, make_arrays: Callable[[np.ndarray], dict[str, pa.Array]]
) -> None:
    """Write a table chunk by chunk; columns that `make_arrays` does not give are null."""
    path.unlink(missing_ok=True)
    writer = RowGroupWriter(path, schema)
    for first in range(0, rows, ROWS):
        numbers = np.arange(first, min(rows, first + ROWS))
        arrays = make_arrays(numbers)
        columns = [arrays.get(field.name, pa.nulls(len(numbers), field.type)) for field in schema]
        writer.add(pa.Table.from_arrays([c.cast(f.type) for c, f in zip(columns, schema, strict=True)], schema=schema))
    writer.close()


def text(prefix: str, numbers: np.ndarray) -> pa.Array:
    """`prefix` and nine digits: in code point order."""
    return pc.binary_join_element_wise(prefix, pc.utf8_lpad(pa.array(numbers).cast(pa.string()), 9, "0"), " ")


def mentions(numbers: np.ndarray) -> dict[str, pa.Array]:
    """Two targets a name, counts that fall like Zipf's."""
    name = numbers // 2
    links = np.maximum(1, 10**7 // (1 + (name * 7919) % 10**7))
    counts = {"link_count": np.where(numbers % 2 == 0, links, 1), "name_link_count": links + 1}
    counts |= {"link_page_count": links, "name_link_page_count": links, "text_count": links, "text_page_count": links}
    return {"name": text("name", name), "target": text("Target", numbers)} | {k: pa.array(v) for k, v in counts.items()}


def tables(corpus: Path, rows: int) -> None:
    """The tables, in the place of the sample's."""
    folder = corpus / "tables"
    write_table(folder / "mentions.parquet", mention_schema(), rows, mentions)
    write_table(
        folder / "pages.parquet",
        page_schema(),
        rows // 2,
        lambda n: {
            "page_id": pa.array(n),
            "title": text("Target", n),
            "qid": pc.binary_join_element_wise("Q", pa.array(n).cast(pa.string()), ""),
        },
    )
    write_table(
        folder / "entity_vocab.parquet",
        vocabulary_schema(),
        rows // 20,
        lambda n: {"id": pa.array(n), "title": text("Target", n), "count": pa.array(10**7 // (n + 1) + 1)},
    )
    write_table(
        corpus / "rejects" / "part-00000-of-00001.parquet",
        reject_schema(),
        rows // 20,
        lambda n: {"title": text("Reject", n), "reason": pa.array(np.array(["loop", "damaged", "long"])[n % 3])},
    )


def parts(corpus: Path) -> None:
    """Articles and records, the sample's rows over and over: one part is written, the others are links to it."""
    (article_part,) = sorted((corpus / "articles").glob("*.parquet"))
    rows = pq.read_table(article_part)
    group = pa.concat_tables([rows] * (2000 // len(rows) + 1)).slice(0, 2000).combine_chunks()
    with pq.ParquetWriter(corpus / "new.parquet", rows.schema, compression="zstd") as writer:
        for _ in range(6):
            writer.write_table(group, row_group_size=2000)
    (shard,) = sorted((corpus / "records").glob("*.arrow"))
    batches = list(read_shard(shard))
    records = ShardWriter(corpus / "new.arrow", batches[0].schema)
    for _ in range(5000 // sum(batch.num_rows for batch in batches) + 1):
        for batch in batches:
            records.write(batch)
    records.close()
    for old, new, ending in ((article_part, "new.parquet", "parquet"), (shard, "new.arrow", "arrow")):
        old.unlink()
        for number in range(PARTS):
            os.link(corpus / new, old.parent / f"part-{number:05}-of-{PARTS:05}.{ending}")
        (corpus / new).unlink()


def update_manifest(corpus: Path) -> None:
    """The manifest, with the files that are there now; without _state/, as a corpus is passed on."""
    shutil.rmtree(corpus / "_state")
    path = corpus / "manifest.json"
    manifest = json.loads(path.read_text())
    files = sorted(p.relative_to(corpus).as_posix() for p in corpus.rglob("*") if p.is_file() and p != path)
    manifest["files"] = [{"path": f, "size": (corpus / f).stat().st_size, "sha256": ""} for f in files]
    path.write_text(json.dumps(manifest))


def main() -> None:
    """Build, replace, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=20_000_000)
    options = parser.parse_args()
    corpus = options.folder / "corpus"
    wikiprep = [sys.executable, "-m", "wikiprep"]
    if not (options.folder / "made").exists():
        shutil.rmtree(corpus, ignore_errors=True)
        subprocess.run([*wikiprep, "build-corpus", "--sample", "-q", "--mentions", "--output", str(corpus)], check=True)
        tables(corpus, options.rows)
        parts(corpus)
        update_manifest(corpus)
        (options.folder / "made").touch()
    start = time.monotonic()
    child = subprocess.Popen([*wikiprep, "report", str(corpus), "-o", str(options.folder / "report.html")])
    _, status, usage = os.wait4(child.pid, 0)
    seconds, processor = time.monotonic() - start, usage.ru_utime + usage.ru_stime
    print(f"{seconds:.0f} s, {processor:.0f} s of processor, {usage.ru_maxrss / 1024:.0f} MiB at most, status {status}")


if __name__ == "__main__":
    main()
