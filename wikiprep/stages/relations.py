"""Stage `relations` (with --wikidata): the vocabulary of the properties that hold between mentions of records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.corpus.relations import PAIRS_UNRELATED, RELATIONS_FOUND
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.records_part import RELATION_COUNTS
from wikiprep.tables.relation_vocab import BY_PROPERTY, OF_PROPERTY, READ, RELATION_VOCAB, build_relation_vocab
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import folder_of
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

EQUATIONS = (BY_PROPERTY,)


@dataclass(frozen=True, slots=True)
class RelationsWork:
    """`counts`: files of the records stage; `properties`: Wikidata's. Relative to the output."""

    counts: tuple[str, ...]
    properties: str


class Relations:
    """One unit: the records stage has counted, this adds up."""

    name = "relations"
    needs: tuple[str, ...] = ("records", "wikidata")

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        files = earlier["records"].files(RELATION_COUNTS)
        folder = folder_of(earlier, "wikidata")
        work = RelationsWork(tuple(f.path for f in files), f"{folder}/wikidata_properties.parquet")
        return [PlannedUnit("relations", work, sum(f.size for f in files))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Add up the counts of all parts."""
        work: RelationsWork = unit.work
        with store.scratch("relations") as folder:
            table = build_relation_vocab([store.fetch(p) for p in work.counts], store.fetch(work.properties), folder)
            files = [store.publish(folder / RELATION_VOCAB, f"tables/{RELATION_VOCAB}")]
        return Result(unit.name, files, table.counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every relation of the records is counted."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        records = earlier["records"].counts
        if counts[READ] != records.get(RELATIONS_FOUND, 0):
            raise WikiprepError(
                f"stage {self.name}: {counts[READ]} relations were counted, "
                f"but the records have {records.get(RELATIONS_FOUND, 0)}",
                "this is a fault in wikiprep: please report it with these numbers",
            )
        warnings = []
        if not counts[READ]:
            unrelated_pairs = records.get(PAIRS_UNRELATED, 0)
            warnings.append(
                f"no relation stands in the records: none holds for any of {unrelated_pairs:,} pairs looked up"
            )
        if unknown := counts.get(OF_PROPERTY["unknown_property"], 0):
            warnings.append(f"{unknown:,} relations have a property that Wikidata's dump does not hold: no label")
        return Commit(tuple(results), counts, {}, tuple(warnings), EQUATIONS)
