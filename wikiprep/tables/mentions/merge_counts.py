"""The counts of all units added up by DuckDB: one file of all names and their targets, in order.

DuckDB keeps to a limit of memory and spills what does not fit, so that neither the number of names nor that of links
decides how much it takes (benchmarks/README.md, `merge_names.py`). The order of the rows is that of their columns,
down to the last: neither threads nor what was spilled show in them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.errors import WikiprepError
from wikiprep.storage.tables import TableResult
from wikiprep.tables.mentions.partials import Partials
from wikiprep.tables.mentions.schema import MARKS, merged_schema

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
BATCH_ROWS = 1 << 13  # of the written file: what its readers hold
MEMORY_MB = 1000  # the limit; beside it some 60 MB for DuckDB itself and Arrow's batches
THREADS = 2
_MARKS = ", ".join(f"bool_or({mark}) AS {mark}" for mark in MARKS)
_QUERY = f"""
    WITH pairs AS MATERIALIZED (
        SELECT name, number, target, sum(link_count)::BIGINT AS link_count,
            sum(link_page_count)::BIGINT AS link_page_count, sum(name_pages)::BIGINT AS name_pages, {_MARKS}
        FROM partials GROUP BY name, number, target
    ),
    names AS (
        SELECT name, sum(link_count)::BIGINT AS name_link_count, sum(name_pages)::BIGINT AS name_link_page_count
        FROM pairs GROUP BY name
    )
    SELECT {", ".join(merged_schema().names)} FROM pairs JOIN names USING (name)
    ORDER BY name, link_count DESC, target, number
"""


def merge_names(
    paths: Sequence[str | Path],
    out_path: str | Path,
    spill: Path,
    *,
    memory_mb: int = MEMORY_MB,
    threads: int = THREADS,
) -> TableResult:
    """Write the rows of the partial files `paths` as merged_schema(), an Arrow file in batches of BATCH_ROWS.

    `spill`: a folder for what does not fit into `memory_mb`. Counts close by ALL_NAMES and ALL_ROWS. Raises
    WikiprepError for files of another kind, or damaged ones, and where memory or disk are short.
    """
    import duckdb  # 60 MB, which only this stage needs

    counts, before = Counter[Count](), None
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": threads,
        "memory_limit": f"{memory_mb}MB",
        "temp_directory": str(spill),
    }
    partials = Partials(paths)
    try:
        with duckdb.connect(config=config) as db, pa.OSFile(str(out_path), "wb") as sink:
            db.execute("SET enable_progress_bar = false")
            db.register("partials", partials.reader())
            with pa.ipc.new_file(sink, merged_schema()) as writer:
                for batch in db.sql(_QUERY).to_arrow_reader(BATCH_ROWS):
                    rows = pa.Table.from_batches([batch]).cast(merged_schema())
                    writer.write_table(rows)
                    counts.update(_counts(rows, before))
                    before = rows["name"][-1].as_py()
    except duckdb.Error as error:
        raise partials.damage or WikiprepError(
            f"the counts of names cannot be added up: {str(error).splitlines()[0]}",
            "see that there is room in memory and on the disk, and run the build again: it goes on from here",
        ) from error
    return TableResult({key: counts[key] for key in _KEYS})


_KEYS = (
    *(NAMES, NAMES_LINKED, NAMES_UNLINKED, ROWS, ROWS_LINKED, ROWS_UNLINKED, LINKS),
    *(OF_MARK.of(mark) for mark in MARKS),
)


def starts_of(names: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """The rows at which another name begins, of a sorted column."""
    if not len(names):
        return np.empty(0, np.int64)
    changed = pc.not_equal(names.slice(1), names.slice(0, len(names) - 1))
    return np.concatenate(([0], np.flatnonzero(changed.to_numpy()) + 1))


def _counts(rows: pa.Table, before: str | None) -> dict[Count, int]:
    """Of some rows that follow those of the name `before`."""
    first = starts_of(rows["name"])
    if rows["name"][0].as_py() == before:
        first = first[1:]
    names = int(np.count_nonzero(rows["name_link_count"].to_numpy()[first]))
    linked_rows = int(np.count_nonzero(rows["link_count"].to_numpy()))
    counts = {
        NAMES: len(first),
        NAMES_LINKED: names,
        NAMES_UNLINKED: len(first) - names,
        ROWS: rows.num_rows,
        ROWS_LINKED: linked_rows,
        ROWS_UNLINKED: rows.num_rows - linked_rows,
        LINKS: pc.sum(rows["link_count"]).as_py(),
    }
    return counts | {OF_MARK.of(mark): pc.sum(rows[mark]).as_py() for mark in MARKS}


def read_merged(path: str | Path, columns: Sequence[str] = tuple(merged_schema().names)) -> Iterator[pa.Table]:
    """The rows in order, some at a time. Those of a name may be split between two tables that follow each other."""
    with pa.ipc.open_file(pa.OSFile(str(path))) as reader:
        for number in range(reader.num_record_batches):
            yield pa.Table.from_batches([reader.get_batch(number)]).select(columns)


def read_names(path: str | Path) -> Iterator[str]:
    """The distinct names, in code point order."""
    before = None
    for table in read_merged(path, ["name"]):
        for name in table["name"].take(pa.array(starts_of(table["name"]))).to_pylist():
            if name != before:
                yield name
            before = name
