"""Counts where the links of one part of the articles lead, redirects followed.

Only the targets are read. Every distinct target is looked up once. What a link counts for: a link of a page to itself
counts as any other; a link to a redirect counts for the end of the chain; links of disambiguation pages count only
where these are kept, since their lists say nothing about how text mentions an entity. On a wiki of several scripts a
link whose title only a page in another of them has counts for that page, as by "variant", whether or not that page is a
redirect.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.corpus.articles import read_articles
from wikiprep.storage.table_result import TableResult
from wikiprep.tables.count_files import CountWriter
from wikiprep.tables.schema import DISAMBIGUATION, ENDS_ELSEWHERE, ENDS_MISSING, REDIRECT, RESOLVED, STATUSES, IsMain
from wikiprep.tables.titles import TitleTable

TARGET = "paragraphs.list.element.links.list.element.target"
DISTINCT_HELD = 1_000_000  # distinct targets held before they are looked up: bounds the memory of a huge part
COUNTERS = (
    "links.read",
    "links.from_disambiguation",
    "links.article.direct",
    "links.article.redirect",
    "links.disambiguation.direct",
    "links.disambiguation.redirect",
    "links.missing.direct",
    "links.missing.redirect",
    "links.other_namespace",
)


def count_links(
    articles: str | Path,
    titles: TitleTable,
    is_main: IsMain,
    out_path: str | Path,
    *,
    keep_disambiguation: bool = False,
) -> TableResult:
    """Count the links of an article part into a counts file (count_files.py).

    Counts: links.read is the sum of all other keys. "missing" ends at a title of namespace 0 without a page in the
    dump; "unresolved.REASON" goes through a redirect that ends nowhere (schema.STATUSES).
    """
    counters = Counter(dict.fromkeys(COUNTERS, 0))
    totals = np.zeros(len(titles), np.int64)
    writer = CountWriter(out_path)
    held = _Held()
    for batch in read_articles(articles, ["kind", TARGET], batch_rows=1 << 14):
        targets = _targets(batch)
        counters["links.read"] += len(targets)
        if not keep_disambiguation:
            targets = _targets(batch.filter(pc.equal(batch.column("kind"), "article")))
        held.add(targets)
        if held.rows > DISTINCT_HELD:
            _look_up(held, titles, is_main, totals, counters, writer)
    _look_up(held, titles, is_main, totals, counters, writer)
    counters["links.from_disambiguation"] = 2 * counters["links.read"] - counters.total()
    numbers = np.flatnonzero(totals).astype(np.int32)
    writer.close(numbers, totals[numbers], counters)
    return TableResult(dict(sorted(counters.items())))


class _Held:
    """Distinct targets with their counts, waiting to be looked up."""

    def __init__(self) -> None:
        self._pieces: list[pa.Table] = []
        self.rows = 0

    def add(self, targets: pa.Array) -> None:
        counted = pc.value_counts(targets)
        self._pieces.append(pa.table({"target": counted.field("values"), "count": counted.field("counts")}))
        self.rows += len(counted)
        if self.rows > DISTINCT_HELD:
            self._pieces = [self._merged()]
            self.rows = self._pieces[0].num_rows

    def take(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        if not self._pieces:
            return [], np.empty(0, np.int64)
        table = self._merged()
        self._pieces, self.rows = [], 0
        return table["target"].to_pylist(), table["count"].to_numpy()

    def _merged(self) -> pa.Table:
        table = pa.concat_tables(self._pieces).group_by("target", use_threads=False).aggregate([("count", "sum")])
        return table.rename_columns({"count_sum": "count"})


def _targets(batch: pa.RecordBatch) -> pa.Array:
    paragraphs = batch.column("paragraphs").flatten()
    return paragraphs.field("links").flatten().field("target")


def _look_up(
    held: _Held,
    titles: TitleTable,
    is_main: IsMain,
    totals: npt.NDArray[np.int64],
    counters: Counter[str],
    writer: CountWriter,
) -> None:
    targets, counts = held.take()
    numbers, by_variant = titles.of_targets(targets)
    known = numbers >= 0
    unknown: Counter[str] = Counter()
    for row in np.flatnonzero(~known).tolist():
        if is_main(targets[row]):
            unknown[targets[row]] += int(counts[row])
            counters["links.missing.direct"] += int(counts[row])
        else:
            counters["links.other_namespace"] += int(counts[row])
    numbers, counts, by_variant = numbers[known], counts[known], by_variant[known]
    via = titles.kind_of[numbers] == REDIRECT
    status, final = titles.status_of[numbers], titles.final_of[numbers]
    ways = {"direct": ~via & ~by_variant, "redirect": via & ~by_variant}
    if titles.has_variants:
        ways["variant"] = by_variant
    for word, here in ways.items():
        ends = titles.kind_of[final] == DISAMBIGUATION
        resolved = here & (status == RESOLVED)
        counters[f"links.disambiguation.{word}"] += int(counts[resolved & ends].sum())
        counters[f"links.article.{word}"] += int(counts[resolved & ~ends].sum())
        counters[f"links.missing.{word}"] += int(counts[here & (status == ENDS_MISSING)].sum())
    counters["links.other_namespace"] += int(counts[~via & (status == ENDS_ELSEWHERE)].sum())
    for code, word in enumerate(STATUSES):
        n = int(counts[via & (status == code)].sum()) if code >= ENDS_ELSEWHERE else 0
        if n:
            counters[f"links.unresolved.{word}"] += n
    np.add.at(totals, final[status == RESOLVED], counts[status == RESOLVED])
    missing = status == ENDS_MISSING
    for number, n in zip(final[missing].tolist(), counts[missing].tolist(), strict=True):
        unknown[titles.title(number)] += n
    if unknown:
        writer.unknown(list(unknown), np.array(list(unknown.values()), np.int64))
