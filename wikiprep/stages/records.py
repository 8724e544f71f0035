"""Stage `records`: articles become token ids with entity spans, a part of articles a part of records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.corpus.record_counts import (
    LINKS,
    LINKS_FOUND,
    RECORDS,
    RECORDS_DROPPED,
    RECORDS_WRITTEN,
    SENTENCES,
    SENTENCES_FOUND,
)
from wikiprep.corpus.relations import PAIRS, PAIRS_FOUND, PAIRS_UNRELATED, RELATIONS
from wikiprep.corpus.spans import SPANS_ADDED
from wikiprep.counts import Count, Equation
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.guard.guard_pool import borrowed_guard
from wikiprep.stages.listed import TABLE, has_listed_facts
from wikiprep.stages.mention_links import rules_of
from wikiprep.stages.records_part import DOCUMENTS, PAGES_READ, RecordsWork, build_part
from wikiprep.stages.relation_options import relations_of
from wikiprep.stages.used_articles import used_articles
from wikiprep.tables.mentions.page_names import NAMES
from wikiprep.tables.page_tables import DUPLICATE_TITLES
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import LostPages, from_json, to_json
from wikiprep.units.job import Job, options_of
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

EQUATIONS = (DOCUMENTS, SENTENCES, LINKS, RECORDS)
DENSE_EQUATIONS = (NAMES, SPANS_ADDED)
RELATION_EQUATIONS = (PAIRS, RELATIONS)


@dataclass(frozen=True, kw_only=True)
class RecordFacts:
    """Of a unit: pages that stopped the worker twice."""

    lost: list[list[Any]]


class Records:
    """One unit a part of the articles, worked on under the guard."""

    name = "records"
    needs: tuple[str, ...] = (
        *("extract", "import", "pages", "used_articles", "vocabulary", "imported_vocabulary", "wikidata", "tokenizer"),
    )
    more_equations: tuple[Equation, ...] = ()

    def content(self, job: Job) -> dict[str, Any]:
        """Options of [records], with Wikidata those of [relations], and whose rules for sentences."""
        content = {"records": options_of(job.config.records), "language": job.language}
        relations = relations_of(job)
        return content if relations is None else content | {"relations": options_of(relations)}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """A part of the articles each."""
        kinds = ("article", "disambiguation") if job.config.vocabulary.keep_disambiguation else ("article",)
        duplicates = "pages" in earlier and earlier["pages"].counts.get(DUPLICATE_TITLES, 0) > 0
        relations = relations_of(job)
        tasks = []
        for file in used_articles(earlier):
            part = Path(file.path).stem
            target = f"records/{part}.arrow"
            rules = rules_of(job) if job.config.records.densify else None
            work = RecordsWork(file.path, target, job.language, kinds, duplicates, job.config.records, rules)
            if relations is not None:
                facts = TABLE if has_listed_facts(earlier) else None
                work = replace(work, relations=relations, wiki=job.parts[0].siteinfo.dbname, left_out=facts)
            tasks.append(PlannedUnit(part, work, file.size))
        return tasks

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Build the records of a part; pages that stop the worker twice are rejects, and have none."""
        with borrowed_guard(options.page_timeout, options.page_bytes) as guard:
            guard_result = guard.run(build_part, (unit, store), report, f"{unit.stage}/{unit.name}")
        files, counts = guard_result.value
        return Result(unit.name, files, counts, to_json(RecordFacts(lost=[page.row for page in guard_result.lost])))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Sentences, links and records add up, and there are records."""
        counts = sum_counts(results)
        equations = (*EQUATIONS, *self.more_equations, *(RELATION_EQUATIONS if relations_of(job) else ()))
        must_close(self.name, counts, equations)
        if dropped := counts.get(RECORDS_DROPPED.of("no_relation")):
            _check_some_with_relation(counts, dropped)
        if not counts.get(RECORDS_WRITTEN):
            raise WikiprepError(
                f"no records came of {counts.get(PAGES_READ, 0)} pages "
                f"({counts.get(SENTENCES_FOUND, 0)} sentences, {counts.get(LINKS_FOUND, 0)} links)",
                "look at the vocabulary (`--vocab-targets linked` for a part of a dump), "
                "or keep text without mentions (`--include-sentences-without-entities`)",
            )
        lost = LostPages(lost_pages=[row for r in results for row in from_json(RecordFacts, r.facts).lost])
        return Commit(tuple(results), counts, to_json(lost), (), equations)


def _check_some_with_relation(counts: Mapping[Count, int], dropped: int) -> None:
    """Raises WikiprepError where --drop-unrelated has left nothing."""
    if not counts.get(RECORDS_WRITTEN):
        pairs = counts.get(PAIRS_UNRELATED, 0)
        raise WikiprepError(
            f"no records are left: none of {dropped:,} has a relation ({counts.get(PAIRS_FOUND, 0):,} pairs of "
            f"mentions, {pairs:,} of them looked up)",
            "is Wikidata's dump whole, and of this wiki? --no-drop-unrelated keeps records without a relation",
        )


class DenseRecords(Records):
    """The same with --densify, and so with the mention table: other builds need no new records when that changes."""

    needs = (*Records.needs, "mentions")
    more_equations = DENSE_EQUATIONS
