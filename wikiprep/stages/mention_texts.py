"""Stage `mention_texts` (with --mentions): how often each name occurs in text, counted part by part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.files import Store
from wikiprep.stages.mention_links import must_equal, rules_of, tell_pages
from wikiprep.stages.name_table import FOLDER as NAMES
from wikiprep.stages.used_articles import used_articles
from wikiprep.tables.mentions.link_names import DROPPED, FROM_DISAMBIGUATION, READ
from wikiprep.tables.mentions.name_table import NameTable, name_files
from wikiprep.tables.mentions.text_counts import OCCURRENCES, SPANS, SPANS_READ, count_texts
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "_state/mention_texts/parts"
EQUATIONS = (SPANS, OCCURRENCES)


@dataclass(frozen=True, slots=True)
class MentionTextsWork:
    """`articles`: a part, relative to the output. `kinds`: the pages whose text counts."""

    articles: str
    kinds: tuple[str, ...]


class MentionTexts:
    """One unit a part of the articles."""

    name = "mention_texts"
    needs: tuple[str, ...] = ("extract", "name_table", "used_articles")

    def content(self, job: Job) -> dict[str, Any]:
        """Whether disambiguation pages are text."""
        return {"keep_disambiguation": job.config.vocabulary.keep_disambiguation}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """A part each."""
        kinds = rules_of(job).kinds
        files = used_articles(earlier)
        return [PlannedUnit(Path(f.path).stem, MentionTextsWork(f.path, kinds), f.size) for f in files]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Count one part."""
        work: MentionTextsWork = unit.work
        with store.scratch(unit.name) as folder:
            path = folder / "texts.arrow"
            articles = store.fetch(work.articles)
            table = count_texts(articles, open_names(store), work.kinds, path, tell=tell_pages(report, unit, articles))
            file = store.publish(path, f"{FOLDER}/{unit.name}.arrow")
        return Result(unit.name, [file], table.counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every link of the pages whose links count is one occurrence, or stands on no name."""
        counts, links = sum_counts(results), earlier["mention_links"].counts
        must_close(self.name, counts, EQUATIONS)
        document_links = links[READ] - links[DROPPED.of(FROM_DISAMBIGUATION)]
        must_equal(self.name, "links in text", counts[SPANS_READ], document_links)
        return Commit(tuple(results), counts, {}, (), EQUATIONS)


def open_names(store: Store) -> NameTable:
    """The names of an output, memory-mapped."""
    paths = [store.fetch(f"{NAMES}/{name}") for name in name_files()]
    return NameTable.open(paths[0].parent)
