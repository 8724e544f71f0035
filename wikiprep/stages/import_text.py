"""Stage `import`: annotated text from elsewhere becomes articles, so that records are made of it like of a dump's."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.corpus.annotated_text import LINES, LINES_REJECT, RejectRow, read_annotated, read_redirects
from wikiprep.corpus.articles import ArticleRow, ArticleWriter
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.dump.source import is_file
from wikiprep.files import Store
from wikiprep.stages.extract_counts import ARTICLES, LINKS_KEPT, PARAGRAPHS, TEXT_CHARACTERS
from wikiprep.stages.tables_of_unit import RejectRows
from wikiprep.tables.carried_links import CARRIED, CARRIED_LINKS, CARRIED_MAP, write_carried
from wikiprep.tables.resolver import REDIRECT_MAP, build_redirect_map
from wikiprep.tables.title_source import WithRedirects, open_title_source
from wikiprep.tables.titles_to_vocabulary import Carrier
from wikiprep.tables.vocabulary_entities import open_entities
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.job import Job, path_identity
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

PART_CHARACTERS = 32_000_000
REJECTS = Reasons("rejects.", "Lines that could not be used (`rejects/import.parquet` names each).")
REDIRECTS_READ = Count("redirects.read", "Redirects that the text lists, each title once.")
EQUATIONS = (LINES, Equation("rejected lines", LINES_REJECT, (REJECTS,)))
CARRIED_EQUATIONS = (CARRIED_LINKS,)


@dataclass(frozen=True, slots=True)
class ImportWork:
    """`compat`: links without characters are the reference's business, and kept. `carry`: with --titles-from."""

    path: str
    compat: bool
    carry: "CarryWork | None" = None


@dataclass(frozen=True, slots=True)
class CarryWork:
    """Links are carried from the titles of `titles_from` to the entities of the vocabulary `vocab`."""

    titles_from: str
    vocab: str
    language: str


class ImportText:
    """One unit: pages are consecutive lines, and a file of them is seldom large."""

    name = "import"
    needs: tuple[str, ...] = ("inputs",)

    def content(self, job: Job) -> dict[str, Any]:
        """Which lines are taken."""
        content: dict[str, Any] = {"compat": job.config.records.compat is not None}
        if job.titles_from:
            assert job.vocab is not None
            content["titles_from"] = _titles_identity(job.titles_from)
            content |= {"vocab": path_identity(job.vocab), "language": job.language}
        return content

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        assert job.annotated is not None
        carry = None
        if job.titles_from:
            assert job.vocab is not None
            carry = CarryWork(job.titles_from, job.vocab, job.language)
        return [PlannedUnit("import", ImportWork(job.annotated, job.config.records.compat is not None, carry))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Articles in parts of about PART_CHARACTERS, rejects, and the redirects that the file lists."""
        work: ImportWork = unit.work
        counts: Counter[Count] = Counter()
        with store.scratch("import") as folder:
            counts[REDIRECTS_READ] = build_redirect_map(read_redirects(work.path), folder)
            rejects = RejectRows(folder / "rejects.parquet")
            targets: Counter[str] = Counter()
            items: dict[str, str] = {}
            parts = _write_parts(_read_articles(work, rejects, counts, targets, items), folder)
            rejects.close()
            if work.carry is not None:
                counts.update(write_carried(targets, items, _open_carrier(work.carry, work.path), folder))
            n = len(parts)
            files = [store.publish(part, f"articles/part-{i:05}-of-{n:05}.parquet") for i, part in enumerate(parts)]
            files.append(store.publish(folder / "rejects.parquet", "rejects/import.parquet"))
            for name in (REDIRECT_MAP, *((CARRIED, CARRIED_MAP) if work.carry is not None else ())):
                files.append(store.publish(folder / name, f"tables/{name}"))
        return Result(unit.name, files, dict(sorted(counts.items())))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every line is text, redirects or a reject."""
        counts = sum_counts(results)
        equations = (*EQUATIONS, *(CARRIED_EQUATIONS if job.titles_from else ()))
        must_close(self.name, counts, equations)
        rejected = counts.get(LINES_REJECT, 0)
        warnings = (f"{rejected} lines could not be used: rejects/import.parquet says why of each",) if rejected else ()
        return Commit(tuple(results), counts, {}, warnings, equations)


def _titles_identity(path: str) -> object:
    """Of a corpus its manifest, which has the digests of all; else of the file, or the files of the folder."""
    folder = path.rstrip("/")
    return path_identity(f"{folder}/manifest.json" if is_file(f"{folder}/manifest.json") else path)


def _open_carrier(work: CarryWork, text: str) -> Carrier:
    """The redirects that the text lists are its titles' own, and go before those of the corpus."""
    entities = open_entities(work.vocab, work.language)
    source = WithRedirects(dict(reversed(list(read_redirects(text)))), open_title_source(work.titles_from))
    return Carrier(entities.ids, entities.qids, entities.redirects, source)


def _read_articles(
    work: ImportWork, rejects: RejectRows, counts: Counter[Count], targets: Counter[str], items: dict[str, str]
) -> Iterator[ArticleRow]:
    """`targets` and `items` grow where links are to be carried: links and QIDs by target."""
    carried = work.carry is not None
    rows = read_annotated(work.path, allow_empty_links=work.compat, counts=counts, items=items if carried else None)
    for row in rows:
        if isinstance(row, RejectRow):
            counts[REJECTS.of(row.reason)] += 1
            rejects.add(row.page_id, row.title, row.reason, row.detail)
            continue
        counts[ARTICLES] += 1
        counts[PARAGRAPHS] += len(row.paragraphs)
        counts[LINKS_KEPT] += sum(len(p.links) for p in row.paragraphs)
        if carried:
            targets.update(link.target for p in row.paragraphs for link in p.links)
        counts[TEXT_CHARACTERS] += sum(len(p.text) for p in row.paragraphs)
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
