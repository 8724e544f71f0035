"""Stage `import`: annotated text from elsewhere becomes articles, so that records are made of it like of a dump's."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.corpus.annotated import RejectRow, read_annotated, read_redirects
from wikiprep.corpus.articles import ArticleRow, ArticleWriter
from wikiprep.files import Store
from wikiprep.stages.accounts import Equation, must_close, summed
from wikiprep.stages.job import Job
from wikiprep.stages.stage import Commit, Task
from wikiprep.stages.tables_of_unit import RejectRows
from wikiprep.stages.unit import Report, Result, RunOptions, Unit
from wikiprep.tables.redirect_map import REDIRECT_MAP, build_redirect_map

PART_CHARACTERS = 32_000_000
EQUATIONS = (
    Equation("lines of annotated text", "lines.read", ("lines.used", "lines.redirects", "lines.reject")),
    Equation("rejected lines", "lines.reject", ("rejects.",)),
)


@dataclass(frozen=True, slots=True)
class ImportWork:
    """`compat`: links without characters are the reference's business, and kept."""

    path: str
    compat: bool


class ImportText:
    """One unit: pages are consecutive lines, and a file of them is seldom large."""

    name = "import"
    needs: tuple[str, ...] = ("inputs",)

    def content(self, job: Job) -> dict[str, Any]:
        """Which lines are taken."""
        return {"compat": job.config.records.compat is not None}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[Task]:
        """The one unit."""
        assert job.annotated is not None
        return [Task("import", ImportWork(job.annotated, job.config.records.compat is not None))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Articles in parts of about PART_CHARACTERS, rejects, and the redirects that the file lists."""
        work: ImportWork = unit.work
        counts: Counter[str] = Counter()
        with store.scratch("import") as folder:
            counts["redirects.read"] = build_redirect_map(read_redirects(work.path), folder)
            rejects = RejectRows(folder / "rejects.parquet")
            parts = _write_parts(_articles(work, rejects, counts), folder)
            rejects.close()
            n = len(parts)
            files = [store.publish(part, f"articles/part-{i:05}-of-{n:05}.parquet") for i, part in enumerate(parts)]
            files.append(store.publish(folder / "rejects.parquet", "rejects/import.parquet"))
            files.append(store.publish(folder / REDIRECT_MAP, f"tables/{REDIRECT_MAP}"))
        return Result(unit.name, files, dict(sorted(counts.items())))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every line is text, redirects or a reject."""
        counts = summed(results)
        must_close(self.name, counts, EQUATIONS)
        rejected = counts.get("lines.reject", 0)
        warnings = (f"{rejected} lines could not be used: rejects/import.parquet says why of each",) if rejected else ()
        return Commit(tuple(results), counts, {}, warnings, EQUATIONS)


def _articles(work: ImportWork, rejects: RejectRows, counts: Counter[str]) -> Iterator[ArticleRow]:
    for row in read_annotated(work.path, allow_empty_links=work.compat, counts=counts):
        if isinstance(row, RejectRow):
            counts[f"rejects.{row.reason}"] += 1
            rejects.add(row.page_id, row.title, row.reason, row.detail)
            continue
        counts["pages.article"] += 1
        counts["paragraphs"] += len(row.paragraphs)
        counts["links.kept"] += sum(len(p.links) for p in row.paragraphs)
        counts["text_characters"] += sum(len(p.text) for p in row.paragraphs)
        yield row


def _write_parts(rows: Iterator[ArticleRow], folder: Path) -> list[Path]:
    paths: list[Path] = []
    writer, characters = None, 0
    for row in rows:
        if writer is None or characters >= PART_CHARACTERS:
            if writer is not None:
                writer.close()
            paths.append(folder / f"articles-{len(paths)}.parquet")
            writer, characters = ArticleWriter(paths[-1]), 0
        writer.add(row)
        characters += sum(len(p.text) for p in row.paragraphs)
    if writer is not None:
        writer.close()
    return paths
