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
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.storage.tables import TableResult
from wikiprep.tables.count_files import CountWriter
from wikiprep.tables.schema import DISAMBIGUATION, ENDS_ELSEWHERE, ENDS_MISSING, REDIRECT, RESOLVED, STATUSES, IsMain
from wikiprep.tables.title_lookup import TitleTable

TARGET = "paragraphs.list.element.links.list.element.target"
DISTINCT_HELD = 1_000_000  # distinct targets held before they are looked up: bounds the memory of a huge part
_WAYS = {
    "direct": "By its title.",
    "redirect": "Through redirects.",
    "variant": "By its title in another script of the wiki.",
}
READ = Count("links.read", "Links of the articles that are used.")
FROM_DISAMBIGUATION = Count(
    "links.from_disambiguation", "Links of disambiguation pages, which do not count without --keep-disambiguation."
)
TO_ARTICLE = Reasons("links.article.", "Links to an article.", **_WAYS)
TO_DISAMBIGUATION = Reasons("links.disambiguation.", "Links to a disambiguation page.", **_WAYS)
TO_MISSING = Reasons("links.missing.", "Links to an article that the dump lacks.", **_WAYS)
TO_OTHER_NAMESPACE = Count("links.other_namespace", "Links to what is no article: categories, help, users.")
UNRESOLVED = Reasons(
    "links.unresolved.",
    "Links to a redirect that ends nowhere.",
    other_namespace="It leads to what is no article.",
    loop="It leads in a circle.",
    self="It leads to itself.",
    interwiki="It leads to another wiki.",
    special="It leads to a special page.",
    invalid="It leads to what is no title.",
)
BY_TARGET = Equation(
    "kept links by target",
    READ,
    (FROM_DISAMBIGUATION, TO_ARTICLE, TO_DISAMBIGUATION, TO_MISSING, TO_OTHER_NAMESPACE, UNRESOLVED),
)
_TO_PAGES = (TO_ARTICLE, TO_DISAMBIGUATION, TO_MISSING)
_ALWAYS = (
    *(READ, FROM_DISAMBIGUATION, TO_OTHER_NAMESPACE),
    *(reasons.of(way) for reasons in _TO_PAGES for way in ("direct", "redirect")),
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

    Counts close by BY_TARGET, and are all in it.
    """
    counters = Counter(dict.fromkeys(_ALWAYS, 0))
    totals = np.zeros(len(titles), np.int64)
    writer = CountWriter(out_path)
    pending = _PendingTargets()
    for batch in read_articles(articles, ["kind", TARGET], batch_rows=1 << 14):
        targets = _targets(batch)
        counters[READ] += len(targets)
        if not keep_disambiguation:
            targets = _targets(batch.filter(pc.equal(batch.column("kind"), "article")))
        pending.add(targets)
        if pending.rows > DISTINCT_HELD:
            _look_up(pending, titles, is_main, totals, counters, writer)
    _look_up(pending, titles, is_main, totals, counters, writer)
    counters[FROM_DISAMBIGUATION] = 2 * counters[READ] - counters.total()
    numbers = np.flatnonzero(totals).astype(np.int32)
    writer.close(numbers, totals[numbers], counters)
    return TableResult(dict(sorted(counters.items())))


class _PendingTargets:
    """Distinct targets with their counts, waiting to be looked up."""

    def __init__(self) -> None:
        self._pieces: list[pa.Table] = []
        self.rows = 0

    def add(self, targets: pa.Array) -> None:
        value_counts = pc.value_counts(targets)
        self._pieces.append(pa.table({"target": value_counts.field("values"), "count": value_counts.field("counts")}))
        self.rows += len(value_counts)
        if self.rows > DISTINCT_HELD:
            self._pieces = [self._merge_pieces()]
            self.rows = self._pieces[0].num_rows

    def take(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        if not self._pieces:
            return [], np.empty(0, np.int64)
        table = self._merge_pieces()
        self._pieces, self.rows = [], 0
        return table["target"].to_pylist(), table["count"].to_numpy()

    def _merge_pieces(self) -> pa.Table:
        table = pa.concat_tables(self._pieces).group_by("target", use_threads=False).aggregate([("count", "sum")])
        return table.rename_columns({"count_sum": "count"})


def _targets(batch: pa.RecordBatch) -> pa.Array:
    paragraphs = batch.column("paragraphs").flatten()
    return paragraphs.field("links").flatten().field("target")


def _look_up(
    pending: _PendingTargets,
    titles: TitleTable,
    is_main: IsMain,
    totals: npt.NDArray[np.int64],
    counters: Counter[Count],
    writer: CountWriter,
) -> None:
    targets, counts = pending.take()
    numbers, by_variant = titles.of_targets(targets)
    is_known = numbers >= 0
    unknown_counts: Counter[str] = Counter()
    for row in np.flatnonzero(~is_known).tolist():
        if is_main(targets[row]):
            unknown_counts[targets[row]] += int(counts[row])
            counters[TO_MISSING.of("direct")] += int(counts[row])
        else:
            counters[TO_OTHER_NAMESPACE] += int(counts[row])
    numbers, counts, by_variant = numbers[is_known], counts[is_known], by_variant[is_known]
    via_redirect = titles.kind_of[numbers] == REDIRECT
    status, final = titles.status_of[numbers], titles.final_of[numbers]
    ways = {"direct": ~via_redirect & ~by_variant, "redirect": via_redirect & ~by_variant}
    if titles.has_variants:
        ways["variant"] = by_variant
    for word, selected in ways.items():
        is_disambiguation = titles.kind_of[final] == DISAMBIGUATION
        resolved = selected & (status == RESOLVED)
        counters[TO_DISAMBIGUATION.of(word)] += int(counts[resolved & is_disambiguation].sum())
        counters[TO_ARTICLE.of(word)] += int(counts[resolved & ~is_disambiguation].sum())
        counters[TO_MISSING.of(word)] += int(counts[selected & (status == ENDS_MISSING)].sum())
    counters[TO_OTHER_NAMESPACE] += int(counts[~via_redirect & (status == ENDS_ELSEWHERE)].sum())
    for code, word in enumerate(STATUSES):
        n = int(counts[via_redirect & (status == code)].sum()) if code >= ENDS_ELSEWHERE else 0
        if n:
            counters[UNRESOLVED.of(word)] += n
    np.add.at(totals, final[status == RESOLVED], counts[status == RESOLVED])
    missing = status == ENDS_MISSING
    for number, n in zip(final[missing].tolist(), counts[missing].tolist(), strict=True):
        unknown_counts[titles.title(number)] += n
    if unknown_counts:
        writer.unknown(list(unknown_counts), np.array(list(unknown_counts.values()), np.int64))
