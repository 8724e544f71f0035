"""Stage `vocabulary` for annotated text: a published vocabulary, or one's own, with the ids that it has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.files import Store
from wikiprep.stages.vocabulary import publish_vocabulary
from wikiprep.tables.choose_entities import SIZE
from wikiprep.tables.entity_vocab import write_vocabulary
from wikiprep.tables.vocab_files import read_vocabulary
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.job import Job, path_identity
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit


@dataclass(frozen=True, slots=True)
class ImportVocabularyWork:
    """`language` chooses among the titles of a multilingual vocabulary."""

    path: str
    language: str


class ImportVocabulary:
    """One unit."""

    name = "imported_vocabulary"
    needs: tuple[str, ...] = ()

    def content(self, job: Job) -> dict[str, Any]:
        """What the file holds."""
        assert job.vocab is not None
        return {"vocab": path_identity(job.vocab), "language": job.language}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        assert job.vocab is not None
        return [PlannedUnit("vocabulary", ImportVocabularyWork(job.vocab, job.language))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Write it in the form that look-ups read."""
        work: ImportVocabularyWork = unit.work
        rows = read_vocabulary(work.path, work.language)
        with store.scratch("vocabulary") as folder:
            size = write_vocabulary([(row.id, row.title, None, row.count) for row in rows], folder)
            files = publish_vocabulary(store, folder)
        return Result(unit.name, files, {SIZE: size})

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Its size."""
        return Commit(tuple(results), sum_counts(results))
