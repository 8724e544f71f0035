"""From the runs of all ranges to Wikidata's tables: items, titles, properties, triples, rejects."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from wikiprep.counts import Count, Equation
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.storage.tables import TableResult, reject_schema
from wikiprep.wikidata.items_table import ITEMS, ITEMS_MERGED, TITLE_ARRAYS, TITLE_TRIE, TITLES, build_items
from wikiprep.wikidata.items_table import RANGE_ROWS as ITEM_ROWS
from wikiprep.wikidata.merged_ids import MERGED, OF_LINES, MergedIds, with_redirects
from wikiprep.wikidata.read_range import DUPLICATE
from wikiprep.wikidata.schema import property_schema
from wikiprep.wikidata.sorted_runs import open_run
from wikiprep.wikidata.triples_table import ALL_TRIPLES, KEPT, TRIPLE_ARRAYS, TRIPLES, SeenItems, build_triples
from wikiprep.wikidata.triples_table import RANGE_ROWS as TRIPLE_ROWS

PROPERTIES, REJECTS = "wikidata_properties.parquet", "wikidata_rejects.parquet"
PROPERTIES_READ = Count("properties.read", "Properties of Wikidata's dump.")
PROPERTIES_KEPT = Count("properties.kept", "Rows of `tables/wikidata_properties.parquet`.")
PROPERTIES_DUPLICATE = Count("properties.duplicate", "Properties that an earlier line has.")
ALL_PROPERTIES = Equation("properties of Wikidata", PROPERTIES_READ, (PROPERTIES_KEPT, PROPERTIES_DUPLICATE))
UNKNOWN_PROPERTY = Count("also.triples.unknown property", "Triples whose property the dump does not hold.")
EQUATIONS = (ITEMS_MERGED, TITLES, ALL_PROPERTIES, OF_LINES, ALL_TRIPLES)
TABLES = (ITEMS, PROPERTIES, TRIPLES, TITLE_TRIE, TITLE_ARRAYS, TRIPLE_ARRAYS)


@dataclass(frozen=True, slots=True)
class UnitRuns:
    """The runs of one range: `files` as `RunWriter` named them.

    `source` is the dump file's name; `first_line` and `first_byte` are the lines and unpacked bytes of that file before
    the range.
    """

    files: tuple[Path, ...]
    source: str
    first_line: int
    first_byte: int

    def of_kind(self, kind: str) -> dict[int, Path]:
        """Files of a kind by number."""
        return {int(p.stem.rpartition("-")[2]): p for p in self.files if p.name.startswith(f"{kind}-")}

    def place(self, line: int, offset: int) -> str:
        """A line of the range as a place in its file."""
        return f"{self.source}, line {self.first_line + line:,}, byte {self.first_byte + offset:,}"


def build_tables(
    units: Sequence[UnitRuns],
    out: Path,
    old: MergedIds,
    tell: Callable[[str], None] = lambda step: None,
    item_rows: int = ITEM_ROWS,
    triple_rows: int = TRIPLE_ROWS,
    *,
    outside: bool = False,
) -> TableResult:
    """Write TABLES and REJECTS into `out`, with `outside` also OUTSIDE; `units` in the order of the dump.

    Where it has lines of merged items, MERGED too: these and `old`.

    Counts close by EQUATIONS, by OF_LINES with such lines alone.
    """
    tell("looking which items there are")
    seen = SeenItems()
    for unit in units:
        for path in unit.of_kind("seen").values():
            seen.add(open_run(path)["qid"].to_numpy())
    old, merged_items = _add_line_redirects(units, seen, old, out)
    item_runs = [(u, number, path) for u, unit in enumerate(units) for number, path in unit.of_kind("items").items()]
    index = {(u, number): i for i, (u, number, _) in enumerate(item_runs)}
    duplicates: dict[int, list[tuple[int, int, str]]] = {}

    def reject(run: int, line: int, offset: int, qid: int) -> None:
        duplicates.setdefault(item_runs[run][0], []).append((line, offset, f"Q{qid}"))

    tell("merging items")
    items = build_items([path for *_, path in item_runs], out, reject, item_rows, old)
    tell("merging triples")
    triple_runs = [
        (index[u, number], path) for u, unit in enumerate(units) for number, path in unit.of_kind("triples").items()
    ]
    triples, by_property = build_triples(
        [path for _, path in triple_runs],
        [run for run, _ in triple_runs],
        items,
        seen,
        old,
        out,
        triple_rows,
        outside=outside,
    )
    tell("writing properties")
    properties = _write_properties(units, by_property, duplicates, out)
    _write_rejects(units, duplicates, out)
    counts = {**merged_items, **items.counts, **triples, **properties}
    warnings = []
    if unknown := counts[UNKNOWN_PROPERTY]:
        warnings.append(f"{unknown:,} of {counts[KEPT]:,} triples have a property that the dump does not hold")
    return TableResult(dict(sorted(counts.items())), tuple(warnings))


def _add_line_redirects(
    units: Sequence[UnitRuns], seen: SeenItems, old: MergedIds, out: Path
) -> tuple[MergedIds, Counter[Count]]:
    tables = [open_run(path) for unit in units for path in unit.of_kind("redirects").values()]
    if not tables:
        return old, Counter()
    pairs = pa.concat_tables(tables)
    old, counts = with_redirects(old, pairs["old"].to_numpy(), pairs["new"].to_numpy(), seen.has)
    old.write(out / MERGED)
    return old, counts


def _write_properties(
    units: Sequence[UnitRuns],
    by_property: Mapping[int, int],
    duplicates: dict[int, list[tuple[int, int, str]]],
    out: Path,
) -> Counter[Count]:
    """A dump has some 13,000 of them: they are held at once. The first of several of one number counts."""
    counts: Counter[Count] = Counter({PROPERTIES_READ: 0, PROPERTIES_KEPT: 0})
    rows: dict[int, dict[str, Any]] = {}
    for u, unit in enumerate(units):
        for path in unit.of_kind("properties").values():
            for row in open_run(path).to_pylist():
                counts[PROPERTIES_READ] += 1
                line, offset, pid = row.pop("line"), row.pop("offset"), row["pid"]
                if pid in rows:
                    counts[PROPERTIES_DUPLICATE] += 1
                    duplicates.setdefault(u, []).append((line, offset, f"P{pid}"))
                    continue
                counts[PROPERTIES_KEPT] += 1
                rows[pid] = row | {"triples": by_property.get(pid, 0)}
    counts[UNKNOWN_PROPERTY] = sum(n for pid, n in by_property.items() if pid not in rows)
    writer = RowGroupWriter(out / PROPERTIES, property_schema())
    writer.add(pa.Table.from_pylist([rows[pid] for pid in sorted(rows)], schema=property_schema()))
    writer.close()
    return counts


def _write_rejects(units: Sequence[UnitRuns], duplicates: Mapping[int, list[tuple[int, int, str]]], out: Path) -> None:
    writer = RowGroupWriter(out / REJECTS, reject_schema(), dictionary=("reason",))
    for u, unit in enumerate(units):
        rows = sorted(_reject_rows(unit, duplicates.get(u, [])), key=lambda row: row[:2])
        table = {
            "page_id": pa.nulls(len(rows), pa.int64()),
            "title": pa.array([row[2] for row in rows], pa.string()),
            "reason": pa.array([row[3] for row in rows], pa.string()),
            "detail": pa.array([_detail(unit, row) for row in rows], pa.string()),
        }
        writer.add(pa.table(table, schema=reject_schema()))
    writer.close()


_Reject = tuple[int, int, str | None, str, str]


def _reject_rows(unit: UnitRuns, duplicates: Sequence[tuple[int, int, str]]) -> Iterator[_Reject]:
    for path in unit.of_kind("rejects").values():
        for row in open_run(path).to_pylist():
            yield row["line"], row["offset"], row["id"], row["reason"], row["detail"]
    for line, offset, name in duplicates:
        yield line, offset, name, DUPLICATE, "an earlier line has it"


def _detail(unit: UnitRuns, row: _Reject) -> str:
    line, offset, *_, detail = row
    return f"{unit.place(line, offset)}: {detail}" if line else f"{unit.source}: {detail}"
