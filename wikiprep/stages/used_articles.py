"""Stage `used_articles` (with --leave-out): the articles without what the lists name, for all stages that read text.

`articles/` stays whole: it is the wiki, to which links and redirects lead, and a new list needs no new extraction.
Counts of links, names, tokenizers and records are made of what is used alone, since every later stage asks this one
for its articles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.errors import WikiprepError
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.leave_out.filtered_articles import (
    CHARACTERS_USED,
    EQUATIONS,
    LINKS_READ,
    LINKS_USED,
    PAGES_READ,
    PAGES_USED,
    PARAGRAPHS_READ,
    Exclusions,
    leave_out,
)
from wikiprep.leave_out.pages import left_out_pages
from wikiprep.stages.extract_counts import LINKS_KEPT, PARAGRAPHS, TEXT_CHARACTERS
from wikiprep.stages.listed import NAMED, TABLE, read_sentences
from wikiprep.stages.tables_of_unit import RejectRows
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import from_json, to_json
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "_state/used_articles/articles"
MATCHED = Count("also.listed.sentence.matched", "Listed sentences that the dump has.")
UNMATCHED = Count("also.listed.sentence.unmatched", "Listed sentences that it lacks.")


@dataclass(frozen=True, kw_only=True)
class UsedFacts:
    """Of a unit: the part that later stages read, its size, and the numbers of the sentences that it had."""

    articles: str
    size: int
    matched: list[int]


@dataclass(frozen=True, slots=True)
class UsedWork:
    """`articles`: a part, relative to the output."""

    articles: str
    language: str


class UsedArticles:
    """One unit a part of the articles."""

    name = "used_articles"
    needs: tuple[str, ...] = ("extract", "listed")

    def content(self, job: Job) -> dict[str, Any]:
        """Whose rules for sentences."""
        return {"language": job.language}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """A part each."""
        files = earlier["extract"].files("articles/")
        return [PlannedUnit(Path(f.path).stem, UsedWork(f.path, job.language), f.size) for f in files]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Copy a part without what is listed; a part that has none of it is not copied."""
        work: UsedWork = unit.work
        filter_rules = Exclusions.of(left_out_pages(store.fetch(TABLE)), read_sentences(store), work.language)
        files: list[FileReceipt] = []
        with store.scratch(unit.name) as folder:
            path, articles = folder / "articles.parquet", store.fetch(work.articles)
            size = articles.stat().st_size
            filtered = leave_out(
                articles, filter_rules, path, lambda pages: report.progress(pages=pages, bytes_done=0, rejects=0)
            )
            used = FileReceipt(work.articles, size, "")
            if filtered.changed:
                used = store.publish(path, f"{FOLDER}/{unit.name}.parquet")
                files.append(used)
            if filtered.rejects:
                rejects = RejectRows(folder / "rejects.parquet")
                for row in filtered.rejects:
                    rejects.add(*row)
                rejects.close()
                files.append(store.publish(folder / "rejects.parquet", f"rejects/left-out-{unit.name}.parquet"))
        counts = {key: n for key, n in sorted(filtered.counts.items()) if n}
        facts = UsedFacts(articles=used.path, size=used.size, matched=sorted(filtered.matched))
        return Result(unit.name, files, counts, to_json(facts))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Everything is used or left out for a reason, and something is left."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        extracted = earlier["extract"].counts
        for used_key, extract_key in ((LINKS_READ, LINKS_KEPT), (PARAGRAPHS_READ, PARAGRAPHS)):
            if counts.get(used_key, 0) != extracted.get(extract_key, 0):
                raise WikiprepError(
                    f"stage {self.name}: {counts.get(used_key, 0)} {used_key}, "
                    f"but extract counted {extracted.get(extract_key, 0)}",
                    "this is a fault in wikiprep: please report it with these numbers",
                )
        if not counts.get(PAGES_USED):
            raise WikiprepError(f"--leave-out leaves none of {counts.get(PAGES_READ, 0)} articles", "shorten the list")
        listed_count = earlier["listed"].counts.get(NAMED["sentence"], 0)
        matched = len({number for r in results for number in from_json(UsedFacts, r.facts).matched})
        counts |= {MATCHED: matched, UNMATCHED: listed_count - matched}
        warnings = []
        if listed_count > matched:
            warnings.append(
                f"{listed_count - matched:,} of {listed_count:,} sentences that --leave-out lists are not in this dump"
            )
        return Commit(tuple(results), counts, {}, tuple(warnings), EQUATIONS)


def used_articles(earlier: Mapping[str, Commit]) -> list[FileReceipt]:
    """The article parts that later stages read, in order: without what --leave-out lists."""
    if "used_articles" in earlier:
        used = (from_json(UsedFacts, result.facts) for result in earlier["used_articles"].results)
        return [FileReceipt(facts.articles, facts.size, "") for facts in used]
    return (earlier.get("extract") or earlier["import"]).files("articles/")


def used_links(earlier: Mapping[str, Commit]) -> int:
    """How many links those have."""
    return _count_used(earlier, LINKS_USED, LINKS_KEPT)


def used_characters(earlier: Mapping[str, Commit]) -> int:
    """How many characters of text those have."""
    return _count_used(earlier, CHARACTERS_USED, TEXT_CHARACTERS)


def _count_used(earlier: Mapping[str, Commit], used_key: Count, extract_key: Count) -> int:
    if "used_articles" in earlier:
        return earlier["used_articles"].counts.get(used_key, 0)
    return (earlier.get("extract") or earlier["import"]).counts.get(extract_key, 0)
