"""A mention table of many names under a limit on memory: run by test_many_names.py in a process of its own.

    python many_names.py FOLDER TARGETS NAMES LIMIT_MB

Three names in four lead to two targets. Prints the rows written; dies of a MemoryError where the limit is too low.
"""

import resource
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from wikiprep.tables.mentions.mention_table import FOLDER
from wikiprep.tables.mentions.merge_counts import merge_names, read_names
from wikiprep.tables.mentions.name_table import NameTable, build_names
from wikiprep.tables.mentions.partials import PartialWriter
from wikiprep.tables.mentions.schema import partial_schema
from wikiprep.tables.mentions.write_table import write_mentions
from wikiprep.tables.page_tables import build_pages
from wikiprep.tables.schema import partial_page_schema
from wikiprep.tables.title_lookup import TitleTable

SLICE = 100_000


def write_pages(folder: Path, size: int) -> None:
    """The title table."""
    schema = partial_page_schema()
    with pa.OSFile(str(folder / "pages.arrow"), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for start in range(0, size, SLICE):
            ids = np.arange(start, min(start + SLICE, size))
            none, zero = pa.nulls(len(ids), pa.string()), pa.array(np.zeros(len(ids)), pa.int32())
            titles = pa.array([f"Title of the page {i}" for i in ids.tolist()])
            kinds = pa.array(["article"] * len(ids))
            columns = [pa.array(ids), pa.array(ids), zero, titles, kinds, none, none, none, none]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
    build_pages([folder / "pages.arrow"], folder, is_main=lambda title: True)


def write_counts(path: Path, targets: int, names: int) -> None:
    """The partial counts of one unit that met all names."""
    writer = PartialWriter(path)
    for start in range(0, names, SLICE):
        ids = np.arange(start, min(start + SLICE, names))
        for shift in (0, 7):
            here = ids if not shift else ids[ids % 4 != 0]
            one, no = pa.array(np.ones(len(here), np.int64)), pa.array(np.zeros(len(here), bool))
            numbers = pa.array((here + shift) % targets, pa.int32())
            texts = pa.array([f"name {i:x} of a page" for i in here.tolist()])
            titles = pa.array([f"Title of the page {i}" for i in numbers.to_pylist()])
            columns = [texts, numbers, titles, one, one, one, no, no, no]
            writer.add(pa.Table.from_arrays(columns, schema=partial_schema()))
    writer.close()


def main() -> None:
    """All of it."""
    folder, targets, names, limit = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    resource.setrlimit(resource.RLIMIT_DATA, (limit << 20, limit << 20))  # private memory, not mapped files
    out = folder / FOLDER
    out.mkdir(parents=True)
    write_pages(folder / "tables", targets)
    titles = TitleTable.open(folder / "tables")
    write_counts(folder / "counts", targets, names)
    merged = folder / "merged"
    rows = merge_names([folder / "counts"], merged, folder / "spill").counts["mentions.rows"]
    build_names(out, read_names(merged))
    write_mentions(merged, [], rows, NameTable.open(out), titles, out)
    print(rows)


if __name__ == "__main__":
    main()
