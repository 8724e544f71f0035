"""Stage `records`: articles become token ids with entity spans, a part of articles a part of records."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.config import RecordsConfig
from wikiprep.corpus.articles import read_articles
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.corpus.flat import COLUMNS
from wikiprep.corpus.luke2020 import Luke2020Builder
from wikiprep.corpus.schema import record_schema
from wikiprep.corpus.shards import ShardWriter
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.accounts import Equation, must_close, summed
from wikiprep.stages.job import Job, options_of
from wikiprep.stages.stage import Commit, Task
from wikiprep.stages.tokenizer import TOKENIZER
from wikiprep.stages.unit import Report, Result, RunOptions, Unit
from wikiprep.tables.resolver import open_resolver, open_titles
from wikiprep.tables.titles import TitleTable

EQUATIONS = (
    Equation("documents for records", "pages.read", ("pages.used", "pages.skipped.")),
    Equation("sentences", "sentences.found", ("sentences.kept", "sentences.dropped.")),
    Equation("links for records", "links.found", ("links.entity", "links.unk", "links.dropped.")),
    Equation("records", "records.found", ("records.written", "records.dropped.")),
)
_COLUMNS = [*COLUMNS, "kind"]
_builders: dict[str, Any] = {}  # by fingerprint: the memo of word -> ids stays warm from unit to unit


@dataclass(frozen=True, slots=True)
class RecordsWork:
    """`articles` and `part`: paths relative to the output. `duplicates`: some titles come twice; one page counts."""

    articles: str
    part: str
    language: str
    kinds: tuple[str, ...]
    duplicates: bool
    config: RecordsConfig


class Records:
    """One unit a part of the articles."""

    name = "records"
    needs: tuple[str, ...] = ("extract", "import", "pages", "vocabulary", "imported_vocabulary", "tokenizer")

    def content(self, job: Job) -> dict[str, Any]:
        """Options of [records], and whose rules for sentences."""
        return {"records": options_of(job.config.records), "language": job.language}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[Task]:
        """A part of the articles each."""
        source = earlier.get("extract") or earlier["import"]
        kinds = ("article", "disambiguation") if job.config.vocabulary.keep_disambiguation else ("article",)
        duplicates = "pages" in earlier and earlier["pages"].counts.get("also.rejects.duplicate_title", 0) > 0
        tasks = []
        for file in source.files("articles/"):
            part = Path(file.path).stem
            target = f"records/{part}.arrow"
            work = RecordsWork(file.path, target, job.language, kinds, duplicates, job.config.records)
            tasks.append(Task(part, work, file.size))
        return tasks

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Build the records of a part."""
        work: RecordsWork = unit.work
        builder = _builder(unit, store)
        builder.counts.clear()
        counts: Counter[str] = Counter()
        titles = open_titles(store) if work.duplicates else None
        total = pq.read_metadata(store.fetch(work.articles)).num_rows
        with store.scratch(unit.name) as folder:
            path = folder / "records.arrow"
            writer = ShardWriter(path, record_schema(work.config.text))
            columns = None if work.config.compat else _COLUMNS  # the reference's rules take whole rows
            for batch in read_articles(store.fetch(work.articles), columns):
                pages = _chosen(batch, work.kinds, titles, counts)
                writer.write(builder.build(pages))
                counts["pages.used"] += pages.num_rows
                done = counts["pages.read"]
                report.progress(pages=done, bytes_done=unit.weight * done // total, rejects=0)
            writer.close()
            file = store.publish(path, work.part)
        counts.update(builder.counts)
        return Result(unit.name, [file], {key: n for key, n in sorted(counts.items()) if n})

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Sentences, links and records add up, and there are records."""
        counts = summed(results)
        must_close(self.name, counts, EQUATIONS)
        if not counts.get("records.written"):
            raise WikiprepError(
                f"no records came of {counts.get('pages.read', 0)} pages "
                f"({counts.get('sentences.found', 0)} sentences, {counts.get('links.found', 0)} links)",
                "look at the vocabulary (`--vocab-targets linked` for a part of a dump), "
                "or keep text without mentions (`--include-sentences-without-entities`)",
            )
        return Commit(tuple(results), counts, {}, (), EQUATIONS)


def _chosen(
    batch: pa.RecordBatch, kinds: tuple[str, ...], titles: TitleTable | None, counts: Counter[str]
) -> pa.RecordBatch:
    """The pages of a batch that records are made of; the others are counted."""
    counts["pages.read"] += batch.num_rows
    kept = batch.filter(pc.is_in(batch["kind"], pa.array(kinds)))
    counts["pages.skipped.disambiguation"] += batch.num_rows - kept.num_rows
    if titles is None:
        return kept
    # Of pages with one title the title table has one; the others are rejects since the stage `pages`.
    numbers = titles.numbers(kept["title"].to_pylist())
    unique = kept.filter(pa.array(titles.page_id_of[numbers] == kept["page_id"].to_numpy()))
    counts["pages.skipped.duplicate_title"] += kept.num_rows - unique.num_rows
    return unique


def _builder(unit: Unit, store: Store) -> Any:
    if unit.fingerprint not in _builders:
        _builders.clear()
        work: RecordsWork = unit.work
        tokenizer = load_tokenizer(str(store.fetch(TOKENIZER)))
        resolver = open_resolver(store)
        if work.config.compat == "luke-2020":
            look_up = resolver.vocabulary.id
            made: Any = Luke2020Builder(tokenizer, work.language, work.config, look_up, resolver.one_hop)
        else:
            made = RecordBuilder(tokenizer, work.language, work.config, resolver.entity_id)
        _builders[unit.fingerprint] = made
    return _builders[unit.fingerprint]
