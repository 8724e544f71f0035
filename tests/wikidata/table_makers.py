"""Tables of a small dump, made range by range as a build makes them."""

from collections import Counter
from pathlib import Path

from wikiprep.storage.tables import TableResult
from wikiprep.wikidata.item import WikiSelection
from wikiprep.wikidata.json_dump_files import find_files, plan_entity_ranges
from wikiprep.wikidata.merge_runs import UnitRuns, build_tables
from wikiprep.wikidata.merged_ids import MergedIds
from wikiprep.wikidata.read_range import read_range

WANTED = WikiSelection(("enwiki",), ("en",))


def make_tables(
    dump: Path,
    out: Path,
    *,
    range_bytes: int = 1 << 30,
    rows: int = 1000,
    wanted: WikiSelection = WANTED,
    old: MergedIds | None = None,
    merge_rows: int = 100_000,
) -> tuple[Counter[str], TableResult]:
    """Counts of reading, and what merging gave; the tables are in `out`."""
    out.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    units, lines, size = [], 0, 0
    for i, range_ in enumerate(plan_entity_ranges(find_files(str(dump)), range_bytes)):
        folder = out / f"unit-{i}"
        folder.mkdir()
        made = read_range(range_, wanted, folder, rows=rows)
        units.append(UnitRuns(tuple(made.files), dump.name, lines, size))
        counts += made.counts
        lines, size = lines + made.lines, size + made.size
    return counts, build_tables(units, out, old or MergedIds.none(), item_rows=merge_rows, triple_rows=merge_rows)
