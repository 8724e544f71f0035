"""Stage `definitions` (with --templates expand, the default): one look-up table of the wiki's own templates."""

from collections.abc import Mapping, Sequence
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.files import Store
from wikiprep.stages.template_pages import FOLDER as PARTS
from wikiprep.tables.template_definitions import BODIES, NAMES, build_definitions
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.handovers import Folder, to_json
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "_state/definitions/tables"


class Definitions:
    """One unit."""

    name = "definitions"
    needs: tuple[str, ...] = ("template_pages",)

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        files = earlier["template_pages"].files(PARTS)
        return [PlannedUnit("definitions", tuple(f.path for f in files), sum(f.size for f in files))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Merge the parts."""
        with store.scratch("definitions") as folder:
            counts = build_definitions([store.fetch(path) for path in unit.work], folder)
            files = [store.publish(folder / name, f"{FOLDER}/{name}") for name in (NAMES, BODIES)]
        return Result(unit.name, files, counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Where the table lies."""
        return Commit(tuple(results), sum_counts(results), to_json(Folder(folder=FOLDER)))
