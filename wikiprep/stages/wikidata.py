"""Stage `wikidata` (with --wikidata): items, titles, properties and triples of all ranges as tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.facts_between_stages import RangeFacts, WikidataFacts
from wikiprep.stages.wikidata_merged import FOLDER as MERGED_FOLDER
from wikiprep.stages.wikidata_merged import OF_BOTH
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import Warnings, folder_of, from_json, to_json
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "tables"


@dataclass(frozen=True, slots=True)
class RangeRuns:
    """Files of a unit of `wikidata_read`, relative to the output, with its place in the dump (wikidata.merge_runs)."""

    files: tuple[str, ...]
    source: str
    first_line: int
    first_byte: int


@dataclass(frozen=True, slots=True)
class MergeWork:
    """The payload of the unit.

    `merged`: folder of the merged items, or None. `outside`: whether triples to items without a page are kept.
    """

    ranges: tuple[RangeRuns, ...]
    merged: str | None
    outside: bool = False


class Wikidata:
    """One unit: a merge of sorted runs, in memory that does not grow with the triples."""

    name = "wikidata"
    needs: tuple[str, ...] = ("wikidata_read", "wikidata_merged")

    def content(self, job: Job) -> dict[str, Any]:
        """Whether triples to items without a page are kept."""
        return {"outside": True} if job.config.wikidata.wikidata_outside else {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        ranges, lines, size, source = [], 0, 0, None
        for result in earlier["wikidata_read"].results:
            range_facts = from_json(RangeFacts, result.facts)
            if range_facts.source != source:
                lines = size = 0
            ranges.append(RangeRuns(tuple(f.path for f in result.files), range_facts.source, lines, size))
            lines, size, source = lines + range_facts.lines, size + range_facts.size, range_facts.source
        merged = folder_of(earlier, "wikidata_merged")
        weight = sum(f.size for result in earlier["wikidata_read"].results for f in result.files)
        return [PlannedUnit("wikidata", MergeWork(tuple(ranges), merged, job.config.wikidata.wikidata_outside), weight)]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Merge the runs."""
        from wikiprep.wikidata.merge_runs import REJECTS, TABLES, UnitRuns, build_tables
        from wikiprep.wikidata.merged_ids import MERGED, MergedIds
        from wikiprep.wikidata.triples_table import OUTSIDE

        work: MergeWork = unit.work
        merged_ids = MergedIds.open(store.fetch(f"{MERGED_FOLDER}/{MERGED}")) if work.merged else MergedIds.none()
        with store.scratch("wikidata") as folder:
            units = [
                UnitRuns(tuple(map(store.fetch, piece.files)), piece.source, piece.first_line, piece.first_byte)
                for piece in work.ranges
            ]
            table = build_tables(
                units,
                folder,
                merged_ids,
                lambda step: report.progress(pages=0, bytes_done=0, rejects=0, at=step),
                outside=work.outside,
            )
            tables = (*TABLES, OUTSIDE) if work.outside else TABLES
            files = [store.publish(folder / name, f"{FOLDER}/{name}") for name in tables]
            files.append(store.publish(folder / REJECTS, "rejects/wikidata.parquet"))
            if (folder / MERGED).exists():
                files.append(store.publish(folder / MERGED, f"{OF_BOTH}/{MERGED}"))
        return Result(unit.name, files, table.counts, to_json(Warnings(warnings=list(table.warnings))))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """What was read is there."""
        from wikiprep.wikidata import read_range, statements, triples_table
        from wikiprep.wikidata.items_table import ITEMS_READ
        from wikiprep.wikidata.merge_runs import EQUATIONS
        from wikiprep.wikidata.merged_ids import REDIRECTS_READ

        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        read = earlier["wikidata_read"].counts
        for whole, part in (
            (ITEMS_READ, read_range.ENTITIES["items"]),
            (triples_table.READ, statements.KEPT),
            (REDIRECTS_READ, read_range.OF_ITEMS),
        ):
            if counts.get(whole, 0) != read.get(part, 0):
                raise WikiprepError(
                    f"stage {self.name}: {whole} is {counts.get(whole, 0)}, but {read.get(part, 0)} were read ({part})",
                    "this is a fault in wikiprep: please report it with these numbers",
                )
        warnings = list(from_json(Warnings, results[0].facts).warnings)
        if dangling := counts.get(triples_table.DROPPED.of("dangling")):
            hint = (
                ""
                if "wikidata_merged" in earlier or REDIRECTS_READ in counts
                else "; --wikidata-redirect resolves those that were merged"
            )
            warnings.append(f"{dangling:,} statements name items that the dump does not hold{hint}")
        facts = to_json(WikidataFacts(folder=FOLDER, merged=OF_BOTH if REDIRECTS_READ in counts else None))
        equations = tuple(equation for equation in EQUATIONS if equation.whole in counts)
        return Commit(tuple(results), counts, facts, tuple(warnings), equations)


def lookup_folder(store: Store, folder: str) -> Path:
    """A local folder with the look-up from titles to items."""
    from wikiprep.wikidata.items_table import TITLE_ARRAYS, TITLE_TRIE

    first, *_ = [store.fetch(f"{folder}/{name}") for name in (TITLE_ARRAYS, TITLE_TRIE)]
    return first.parent
