"""How fast articles become records, against encoding and breaking paragraph by paragraph in the same run.

    python benchmarks/records.py ARTICLES… --tokenizer FOLDER [--language en] [--naive-mb 1] [--rounds 3]

ARTICLES are article parts (Parquet; `wikiprep extract` writes them) or dumps, which are extracted first, untimed. In MB
of text (UTF-8) per core-second, medians of CPU time in one process:
  cold    a new builder over all articles
  next    articles new to a builder that has seen the others (each half of the pages after the other half)
  warm    all articles by a builder that has seen them
  naive   the rules said slowly (tests/corpus/naive.py) over the first articles; the records must be the same
"""

import argparse
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.corpus.naive import naive_records
from wikiprep.config import RecordsConfig
from wikiprep.corpus.article_arrays import COLUMNS
from wikiprep.corpus.articles import ArticleRow, article_batch, article_rows, read_articles
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.corpus.tokenizers import load_tokenizer, plain_copy
from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site

RECORD = ("word_ids", "sentence_starts", "entity_ids", "entity_starts", "entity_ends")


def entity(target: str) -> int | None:
    """Stands for a vocabulary: two thirds of the targets are in it."""
    return 3 + len(target) if len(target) % 3 else None


def articles_of(path: str) -> list[pa.RecordBatch]:
    """The articles of an article part, or of a dump."""
    if path.endswith(".parquet"):
        return list(read_articles(path))
    from wikiprep.wikitext.extract import extract  # article parts need none of it

    parts = find_parts([path])
    site = Site.of(parts[0].siteinfo)
    rows = []
    for piece in plan_ranges(parts, 10**9):
        for page in RangeReader(piece, site.siteinfo):
            if isinstance(page, Page) and page.namespace == 0 and page.redirect is None:
                paragraphs = extract(page.text, page.title, site).paragraphs
                rows.append(
                    ArticleRow(page.page_id, page.revision_id, page.timestamp, page.title, paragraphs=paragraphs)
                )
    return [article_batch(rows[i : i + 256]) for i in range(0, len(rows), 256)]


def text_mb(batches: list[pa.RecordBatch]) -> float:
    """MB of UTF-8 in the paragraphs."""
    texts = [batch.column("paragraphs").flatten().field("text") for batch in batches]
    return sum(pc.sum(pc.binary_length(text)).as_py() or 0 for text in texts) / 1e6


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles", nargs="+")
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--language", default="en")
    parser.add_argument("--naive-mb", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    batches = [batch.select(COLUMNS) for path in options.articles for batch in articles_of(path)]
    table = pa.Table.from_batches(batches)
    order = list(range(table.num_rows))
    random.Random(0).shuffle(order)
    halves = [
        table.take(pa.array(half, pa.int64())).combine_chunks().to_batches(max_chunksize=256)
        for half in (order[: len(order) // 2], order[len(order) // 2 :])
    ]
    tokenizer = load_tokenizer(options.tokenizer)
    config = RecordsConfig()
    size = text_mb(batches)

    def builder() -> RecordBuilder:
        return RecordBuilder(tokenizer, options.language, config, entity)

    def time_builder(record_builder: RecordBuilder, some_batches: list[pa.RecordBatch]) -> float:
        return cpu(lambda: [record_builder.build(batch) for batch in some_batches])

    cold, new, warm = [], [], []
    for _ in range(options.rounds):
        record_builder = builder()
        cold.append(size / time_builder(record_builder, batches))
        warm.append(size / time_builder(record_builder, batches))
        for first, second in (halves, halves[::-1]):
            record_builder = builder()
            time_builder(record_builder, first)
            new.append(text_mb(second) / time_builder(record_builder, second))

    plain = plain_copy(tokenizer)
    rows: list[ArticleRow] = []
    megabytes = 0.0
    for batch in batches:
        for row in article_rows_of(batch):
            if megabytes < options.naive_mb:
                rows.append(row)
                megabytes += sum(len(p.text.encode()) for p in row.paragraphs) / 1e6
    slow: list[object] = []
    seconds = cpu(
        lambda: slow.extend(r for row in rows for r in naive_records(row, plain, options.language, config, entity))
    )
    record_builder = builder()
    fast = [
        tuple(record[name] for name in RECORD)
        for row in rows
        for record in record_builder.build(article_batch([row])).to_pylist()
    ]
    split = record_builder.counts["sentences.split"]
    same = fast == slow if not split else "not compared: sentences over the limit are split"
    print(f"{size:.2f} MB of text, {table.num_rows} articles; {len(fast)} records in the first {megabytes:.2f} MB")
    for name, speeds in (("cold", cold), ("next", new), ("warm", warm)):
        print(f"{name:5} {statistics.median(speeds):6.2f} MB/s   ({', '.join(f'{s:.2f}' for s in speeds)})")
    naive = megabytes / seconds
    print(f"naive {naive:6.2f} MB/s   warm is {statistics.median(warm) / naive:.1f} times that; same records: {same}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (articles held in memory)")


def article_rows_of(batch: pa.RecordBatch) -> list[ArticleRow]:
    """Rows of a batch of `COLUMNS`."""
    empty = article_batch([ArticleRow(None, None, None, "")] * batch.num_rows)
    arrays = [batch.column(f.name) if f.name in COLUMNS else empty.column(f.name) for f in empty.schema]
    return list(article_rows(pa.RecordBatch.from_arrays(arrays, schema=empty.schema)))


if __name__ == "__main__":
    main()
