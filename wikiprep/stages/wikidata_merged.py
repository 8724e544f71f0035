"""Stage `wikidata_merged` (with --wikidata-redirect): which items were merged into others.

And where a later stage finds these: from wikidatawiki's tables, from the dump's own lines, or nowhere.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wikiprep.config import RunOptions
from wikiprep.dump.source import size_of
from wikiprep.files import Store
from wikiprep.stages.facts_between_stages import WikidataFacts
from wikiprep.stages.side_files import check_wikidata_tables
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import Folder, folder_of, from_json, to_json
from wikiprep.units.job import Job, file_identity
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

if TYPE_CHECKING:
    from wikiprep.wikidata.merged_ids import MergedIds  # pyarrow: planning needs it not

FOLDER = "_state/wikidata_merged/tables"
OF_BOTH = "_state/wikidata/tables"  # the tables' and the lines' together, where the dump has such lines


class WikidataMerged:
    """One unit."""

    name = "wikidata_merged"
    needs: tuple[str, ...] = ()

    def content(self, job: Job) -> dict[str, Any]:
        """The two files."""
        redirect, page = _paths(job)
        check_wikidata_tables(redirect, page, job.config.input.allow_other_dates)
        return {"redirect": file_identity(redirect), "page": file_identity(page)}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        paths = _paths(job)
        return [PlannedUnit("merged", paths, sum(map(size_of, paths)))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Read both tables."""
        from wikiprep.wikidata.merged_ids import MERGED, build_merged

        redirect, page = unit.work
        with store.scratch("merged") as folder:
            counts = build_merged(redirect, page, folder)
            file = store.publish(folder / MERGED, f"{FOLDER}/{MERGED}")
        return Result(unit.name, [file], counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Where the table lies."""
        from wikiprep.wikidata.merged_ids import OF_TABLES

        counts = sum_counts(results)
        must_close(self.name, counts, (OF_TABLES,))
        return Commit(tuple(results), counts, to_json(Folder(folder=FOLDER)), (), (OF_TABLES,))


def _paths(job: Job) -> tuple[str, str]:
    redirect, page = job.config.wikidata.wikidata_redirect, job.config.wikidata.wikidata_page
    assert redirect is not None and page is not None
    return redirect, page


def merged_folder(earlier: Mapping[str, Commit]) -> str | None:
    """The folder of the table, relative to the output; None where the build knows of no merged item."""
    if "wikidata" in earlier and (folder := from_json(WikidataFacts, earlier["wikidata"].facts).merged):
        return folder
    return folder_of(earlier, "wikidata_merged")


def folder_in(store: Store) -> str | None:
    """The same of a finished corpus."""
    from wikiprep.wikidata.merged_ids import MERGED

    return next((folder for folder in (OF_BOTH, FOLDER) if store.size(f"{folder}/{MERGED}") is not None), None)


def open_merged(store: Store, folder: str | None) -> "MergedIds":
    """The table of `folder`; that of no merged item for None."""
    from wikiprep.wikidata.merged_ids import MERGED, MergedIds

    return MergedIds.open(store.fetch(f"{folder}/{MERGED}")) if folder else MergedIds.none()
