"""Stage `name_table` (with --mentions): all names in one memory-mapped table that finds them in text."""

from collections.abc import Mapping, Sequence
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.files import Store
from wikiprep.stages.mention_links import must_equal
from wikiprep.stages.mention_names import FILE
from wikiprep.tables.mentions.merge_counts import NAMES, read_names
from wikiprep.tables.mentions.name_table import build_names, name_files
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "tables/mentions"
NUMBERED = Count("also.mentions.names.numbered", "Names that have a number in the look-up files.")


class NameTables:
    """One unit: numbers for names need all names."""

    name = "name_table"
    needs: tuple[str, ...] = ("mention_names",)

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        (file,) = earlier["mention_names"].files(FILE)
        return [PlannedUnit("names", file.path, file.size)]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Number the names."""
        with store.scratch("names") as folder:
            names = build_names(folder, read_names(store.fetch(unit.work)))
            files = [store.publish(folder / name, f"{FOLDER}/{name}") for name in name_files()]
        return Result(unit.name, files, {NUMBERED: names})

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every name has its number."""
        counts = sum_counts(results)
        merged_names = earlier["mention_names"].counts[NAMES]
        must_equal(self.name, "names", counts[NUMBERED], merged_names)
        return Commit(tuple(results), counts)
