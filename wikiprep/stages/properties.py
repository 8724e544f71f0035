"""Stage `properties` (with --page-props): which pages the wiki itself calls disambiguations, and their QIDs."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.dump.file_names import dump_date
from wikiprep.dump.source import is_file, size_of
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.stages.facts_between_stages import PropertyFacts, input_names
from wikiprep.stages.side_files import check_page_props
from wikiprep.tables.page_props import ALL_PAGES, DISAMBIGUATIONS, ITEMS
from wikiprep.tables.page_props_sql import ROWS, build_properties
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import Warnings, from_json, to_json
from wikiprep.units.job import Job, file_identity
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "_state/properties/tables"
EQUATIONS = (ROWS,)


class Properties:
    """One unit."""

    name = "properties"
    needs: tuple[str, ...] = ()

    def content(self, job: Job) -> dict[str, Any]:
        """The file, which is of the dump's wiki and date."""
        path = _path(job)
        check_page_props(job)
        return {"page_props": file_identity(path)}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        path = _path(job)
        return [PlannedUnit("page_props", path, size_of(path))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Read the table."""
        with store.scratch("properties") as folder:
            table = build_properties(unit.work, folder)
            files = [store.publish(folder / name, f"{FOLDER}/{name}") for name in (DISAMBIGUATIONS, ITEMS, ALL_PAGES)]
        return Result(unit.name, files, table.counts, to_json(Warnings(warnings=list(table.warnings))))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Where the tables lie."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        warnings = list(from_json(Warnings, results[0].facts).warnings)
        dates = {
            "dump": dump_date(input_names(earlier)[0]),
            "page_props": dump_date(PurePosixPath(_path(job)).name),
        }
        if dates["dump"] != dates["page_props"] and None not in dates.values():
            warnings.append(
                f"{PurePosixPath(_path(job)).name} is of {dates['page_props']}, the dump of {dates['dump']}: "
                "pages made or changed in between have no properties, or old ones"
            )
        facts = PropertyFacts(folder=FOLDER, dates=dates)
        return Commit(tuple(results), counts, to_json(facts), tuple(warnings), EQUATIONS)


def _path(job: Job) -> str:
    path = job.config.input.page_props
    assert path is not None
    if not is_file(path):
        raise UsageError(f"{path}: no such file", "--page-props takes the page_props.sql.gz of the dump's own date")
    return path
