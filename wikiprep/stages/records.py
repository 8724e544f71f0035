"""Stage `records`: articles become token ids with entity spans, a part of articles a part of records."""

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
from wikiprep.tables.resolver import open_resolver

EQUATIONS = (
    Equation("sentences", "sentences.found", ("sentences.kept", "sentences.dropped.")),
    Equation("links of the records stage", "links.found", ("links.entity", "links.unk", "links.dropped.")),
    Equation("records", "records.found", ("records.written", "records.dropped.")),
)
_builders: dict[str, Any] = {}  # by fingerprint: the memo of word -> ids stays warm from unit to unit


@dataclass(frozen=True, slots=True)
class RecordsWork:
    """`articles` and `part`: paths relative to the output."""

    articles: str
    part: str
    language: str
    kinds: tuple[str, ...]
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
        tasks = []
        for file in source.files("articles/"):
            part = Path(file.path).stem
            work = RecordsWork(file.path, f"records/{part}.arrow", job.language, kinds, job.config.records)
            tasks.append(Task(part, work, file.size))
        return tasks

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Build the records of a part."""
        work: RecordsWork = unit.work
        builder = _builder(unit, store)
        builder.counts.clear()
        pages = skipped = 0
        total = pq.read_metadata(store.fetch(work.articles)).num_rows
        with store.scratch(unit.name) as folder:
            path = folder / "records.arrow"
            writer = ShardWriter(path, record_schema(work.config.text))
            for batch in read_articles(store.fetch(work.articles)):
                kept = batch.filter(pc.is_in(batch["kind"], pa.array(work.kinds)))
                writer.write(builder.build(kept))
                pages += batch.num_rows
                skipped += batch.num_rows - kept.num_rows
                report.progress(pages=pages, bytes_done=unit.weight * pages // max(total, 1), rejects=0)
            writer.close()
            file = store.publish(path, work.part)
        counts = {key: n for key, n in sorted(builder.counts.items()) if n}
        return Result(unit.name, [file], counts | {"pages.read": pages, "pages.skipped_kind": skipped})

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
