"""Stage `mention_names` (with --mentions): the counts of all parts added up, all names in order."""

from collections.abc import Mapping, Sequence
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.mention_links import FOLDER as PARTS
from wikiprep.stages.mention_links import must_equal
from wikiprep.tables.mentions.link_names import COUNTED
from wikiprep.tables.mentions.merge_counts import ALL_NAMES, ALL_ROWS, LINKS, NAMES, merge_names
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FILE = "_state/mention_names/names.arrow"
EQUATIONS = (ALL_NAMES, ALL_ROWS)


class MentionNames:
    """One unit: DuckDB sums up and sorts on threads of its own, within a limit of memory."""

    name = "mention_names"
    needs: tuple[str, ...] = ("mention_links",)

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit, of the files of partial counts."""
        files = earlier["mention_links"].files(f"{PARTS}/")
        return [PlannedUnit("names", tuple(f.path for f in files), sum(f.size for f in files))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Add up and sort."""
        with store.scratch(unit.name) as folder:
            path, spill = folder / "names.arrow", folder / "spill"
            table = merge_names([store.fetch(part) for part in unit.work], path, spill)
            file = store.publish(path, FILE)
        return Result(unit.name, [file], table.counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every counted link is in a row."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        links_counted = earlier["mention_links"].counts[COUNTED]
        must_equal(self.name, "links in rows of names", counts[LINKS], links_counted)
        if not counts[NAMES]:
            raise WikiprepError("no page title and no link gave a name", "leave out --mentions for this dump")
        return Commit(tuple(results), counts, {}, (), EQUATIONS)
