"""Stage `used_articles` (with --leave-out): the articles without what the lists name, for all stages that read text.

`articles/` stays whole: it is the wiki, to which links and redirects lead, and a new list needs no new extraction.
Counts of links, names, tokenizers and records are made of what is used alone, since every later stage asks this one
for its articles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.errors import WikiprepError
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.leave_out.articles import Wanted, leave_out
from wikiprep.leave_out.pages import left_out_pages
from wikiprep.stages.listed import TABLE, read_sentences
from wikiprep.stages.tables_of_unit import RejectRows
from wikiprep.units.accounts import Equation, must_close, summed
from wikiprep.units.facts import from_json, to_json
from wikiprep.units.job import Job
from wikiprep.units.run_options import RunOptions
from wikiprep.units.stage import Commit, Task
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "_state/used_articles/articles"
EQUATIONS = (
    Equation("articles left out", "pages.read", ("pages.used", "pages.left_out")),
    Equation("paragraphs left out", "paragraphs.read", ("paragraphs.used", "paragraphs.left_out.")),
    Equation("links left out", "links.read", ("links.used", "links.left_out.")),
)


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

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[Task]:
        """A part each."""
        files = earlier["extract"].files("articles/")
        return [Task(Path(f.path).stem, UsedWork(f.path, job.language), f.size) for f in files]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Copy a part without what is listed; a part that has none of it is not copied."""
        work: UsedWork = unit.work
        wanted = Wanted.of(left_out_pages(store.fetch(TABLE)), read_sentences(store), work.language)
        files: list[FileReceipt] = []
        with store.scratch(unit.name) as folder:
            path, articles = folder / "articles.parquet", store.fetch(work.articles)
            size = articles.stat().st_size
            made = leave_out(
                articles, wanted, path, lambda pages: report.progress(pages=pages, bytes_done=0, rejects=0)
            )
            used = FileReceipt(work.articles, size, "")
            if made.changed:
                used = store.publish(path, f"{FOLDER}/{unit.name}.parquet")
                files.append(used)
            if made.rejects:
                rejects = RejectRows(folder / "rejects.parquet")
                for row in made.rejects:
                    rejects.add(*row)
                rejects.close()
                files.append(store.publish(folder / "rejects.parquet", f"rejects/left-out-{unit.name}.parquet"))
        counts = {key: n for key, n in sorted(made.counts.items()) if n}
        facts = UsedFacts(articles=used.path, size=used.size, matched=sorted(made.matched))
        return Result(unit.name, files, counts, to_json(facts))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Everything is used or left out for a reason, and something is left."""
        counts = summed(results)
        must_close(self.name, counts, EQUATIONS)
        read = earlier["extract"].counts
        for mine, theirs in (("links.read", "links.kept"), ("paragraphs.read", "paragraphs")):
            if counts.get(mine, 0) != read.get(theirs, 0):
                raise WikiprepError(
                    f"stage {self.name}: {counts.get(mine, 0)} {mine}, but extract counted {read.get(theirs, 0)}",
                    "this is a fault in wikiprep: please report it with these numbers",
                )
        if not counts.get("pages.used"):
            raise WikiprepError(
                f"--leave-out leaves none of {counts.get('pages.read', 0)} articles", "shorten the list"
            )
        listed = earlier["listed"].counts.get("listed.sentence", 0)
        matched = len({number for r in results for number in from_json(UsedFacts, r.facts).matched})
        counts |= {"also.listed.sentence.matched": matched, "also.listed.sentence.unmatched": listed - matched}
        warnings = []
        if listed > matched:
            warnings.append(f"{listed - matched:,} of {listed:,} sentences that --leave-out lists are not in this dump")
        return Commit(tuple(results), counts, {}, tuple(warnings), EQUATIONS)


def used_articles(earlier: Mapping[str, Commit]) -> list[FileReceipt]:
    """The article parts that later stages read, in order: without what --leave-out lists."""
    if "used_articles" in earlier:
        used = (from_json(UsedFacts, result.facts) for result in earlier["used_articles"].results)
        return [FileReceipt(one.articles, one.size, "") for one in used]
    return (earlier.get("extract") or earlier["import"]).files("articles/")


def used_count(earlier: Mapping[str, Commit], what: str) -> int:
    """How many "links" or "text_characters" those have."""
    if "used_articles" in earlier:
        return earlier["used_articles"].counts.get(f"{what}.used", 0)
    source = earlier.get("extract") or earlier["import"]
    return source.counts.get("links.kept" if what == "links" else what, 0)
