"""One partition of names, summed over the files of all units."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.storage.table_result import TableResult
from wikiprep.tables.mentions.partials import Collector, read_partition
from wikiprep.tables.mentions.schema import MARKS, merged_schema
from wikiprep.tables.titles import TitleTable

NAMES = Count("mentions.names", "Names.")
NAMES_LINKED = Count("mentions.names.linked", "Names that links stand on.")
NAMES_UNLINKED = Count("mentions.names.unlinked", "Names that titles or disambiguation pages alone give.")
ALL_NAMES = Equation("names", NAMES, (NAMES_LINKED, NAMES_UNLINKED))
ROWS = Count("mentions.rows", "Pairs of a name and a page that it can mean.")
ROWS_LINKED = Count("mentions.rows.linked", "Pairs that links have.")
ROWS_UNLINKED = Count("mentions.rows.unlinked", "Pairs that titles or disambiguation pages alone give.")
ALL_ROWS = Equation("names and their targets", ROWS, (ROWS_LINKED, ROWS_UNLINKED))
LINKS = Count("mentions.rows.links", "Links that the pairs stand for.")
OF_MARK = Reasons(
    "also.mentions.rows.",
    "Pairs with a mark.",
    is_title="The name is the page's title.",
    is_redirect_title="The name is the title of a redirect to the page.",
    is_disambiguation_title="A disambiguation page of that name lists the page.",
)
BATCH_ROWS = 1 << 13  # of the written file: what in_order.py holds of each partition


def merge_partition(
    paths: Iterable[str | Path], index: int, partitions: int, titles: TitleTable, out_path: str | Path
) -> TableResult:
    """Write the rows of partition `index` as merged_schema(), an Arrow file in batches of BATCH_ROWS.

    Counts close by ALL_NAMES and ALL_ROWS.
    """
    held = Collector()
    for path in paths:
        for table in read_partition(path, index, partitions):
            held.add(table)
    made = _ordered(_with_names(_with_targets(held.take(), titles)))
    with pa.OSFile(str(out_path), "wb") as sink, pa.ipc.new_file(sink, merged_schema()) as writer:
        writer.write_table(made.combine_chunks(), max_chunksize=BATCH_ROWS)
    return TableResult(_counts(made))


def _with_targets(table: pa.Table, titles: TitleTable) -> pa.Table:
    """Targets as titles, whether the title table knows them or not."""
    number = pc.fill_null(table["number"], -1)
    known = (titles.title(n) if n >= 0 else None for n in number.to_pylist())
    target = pc.coalesce(pa.array(known, pa.string()), table["title"].combine_chunks())
    return table.set_column(1, "number", number).set_column(2, "target", target)


def _with_names(table: pa.Table) -> pa.Table:
    """Sums over each name's rows; `table` is sorted by name."""
    starts = starts_of(table["name"])
    lengths = np.diff(np.append(starts, table.num_rows))
    for column, made in (("link_count", "name_link_count"), ("name_pages", "name_link_page_count")):
        sums = np.add.reduceat(table[column].to_numpy(), starts) if len(starts) else np.empty(0, np.int64)
        table = table.append_column(made, pa.array(np.repeat(sums, lengths)))
    return table


def _ordered(table: pa.Table) -> pa.Table:
    keys = [("name", "ascending"), ("link_count", "descending"), ("target", "ascending")]
    return table.select(merged_schema().names).cast(merged_schema()).sort_by(keys)


def starts_of(names: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """The rows at which another name begins, of a sorted column."""
    if not len(names):
        return np.empty(0, np.int64)
    changed = pc.not_equal(names.slice(1), names.slice(0, len(names) - 1))
    return np.concatenate(([0], np.flatnonzero(changed.to_numpy()) + 1))


def _counts(table: pa.Table) -> dict[Count, int]:
    first = starts_of(table["name"])
    names = np.count_nonzero(table["name_link_count"].to_numpy()[first])
    rows = np.count_nonzero(table["link_count"].to_numpy())
    counts = {
        NAMES: len(first),
        NAMES_LINKED: int(names),
        NAMES_UNLINKED: len(first) - int(names),
        ROWS: table.num_rows,
        ROWS_LINKED: int(rows),
        ROWS_UNLINKED: table.num_rows - int(rows),
        LINKS: pc.sum(table["link_count"]).as_py() or 0,
    }
    return counts | {OF_MARK.of(mark): pc.sum(table[mark]).as_py() or 0 for mark in MARKS}


def read_merged(path: str | Path) -> Iterator[pa.Table]:
    """The batches of a merged partition, in order."""
    with pa.ipc.open_file(pa.OSFile(str(path))) as reader:
        for number in range(reader.num_record_batches):
            yield pa.Table.from_batches([reader.get_batch(number)])
