"""Merges the page files of all extract units: pages.parquet, redirects.parquet, and the title table for look-ups.

Titles get numbers from a trie; everything between pages is then arithmetic on arrays of numbers (redirects.follow).
The trie holds the titles of namespace 0 and every title that a redirect names, present or not, so that one hop is a
number too. Memory: about 50 bytes a page of arrays, and 112 bytes a title while the trie is built.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.counts import Count, Equation, Reasons, declare_counts
from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import build_trie, open_trie
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.storage.tables import TableResult, reject_schema
from wikiprep.tables.page_scan import PageScan
from wikiprep.tables.schema import (
    DUPLICATE,
    ENDS_MISSING,
    KINDS,
    OTHER_NAMESPACE,
    REASONS,
    REDIRECT,
    REJECT,
    RESOLVED,
    STATUSES,
    IsMain,
    page_schema,
    redirect_schema,
)
from wikiprep.tables.title_graph import TitleGraph, build_graph
from wikiprep.tables.title_lookup import TITLE_ARRAYS, TITLE_TRIE
from wikiprep.tables.title_variants import TitleVariants

PAGES = "pages.parquet"
REDIRECTS = "redirects.parquet"
REJECTS = "rejects-redirects.parquet"
PAGES_READ = Count("pages.read", "Pages of the dump, as `extract` counts them.")
OF_KIND = declare_counts(
    "pages.",
    article="Articles.",
    disambiguation="Disambiguation pages.",
    redirect="Redirects that lead to a page, or to one that the dump lacks.",
    other_namespace="Pages that are no articles: templates, categories, discussions.",
    reject="Rejects of `extract`, redirects that end nowhere, and pages whose title another has.",
)
ALL_PAGES = Equation("pages, redirects followed", PAGES_READ, tuple(OF_KIND.values()))
REDIRECTS_READ = Count("redirects.read", "Redirects between articles.")
ONE_HOP = Count("redirects.one_hop", "Redirects that name an article or disambiguation page.")
MORE_HOPS = Count("redirects.more_hops", "Redirects that lead to one through other redirects.")
TO_MISSING = Count("redirects.missing", "Redirects that lead to a page that the dump lacks.")
_REASONS = {
    "duplicate_title": "Another page of the title has a smaller id.",
    "redirect_to_another_namespace": "It leads to what is no article.",
    "redirect_loop": "It leads in a circle.",
    "redirect_to_itself": "It leads to itself.",
    "redirect_to_another_wiki": "It leads to another wiki.",
    "redirect_to_a_special_page": "It leads to a special page.",
    "redirect_to_an_invalid_title": "It leads to what is no title.",
}
REDIRECTS_REJECTED = Reasons("redirects.rejected.", "Redirects that lead nowhere.", **_REASONS)
ALL_REDIRECTS = Equation("redirects", REDIRECTS_READ, (ONE_HOP, MORE_HOPS, TO_MISSING, REDIRECTS_REJECTED))
PAGES_REJECTED = Reasons("also.rejects.", "Pages that became rejects here (`rejects/redirects.parquet`).", **_REASONS)
DUPLICATE_TITLES = PAGES_REJECTED.of("duplicate_title")
TO_SECTION = Count("also.redirects.to_section", "Redirects that lead to a section.")
WITH_QID = Count("also.redirects.with_qid", "Redirects with a Wikidata item of their own.")
DUPLICATES_ALLOWED = 100  # or one in a hundred titles, whichever is more: beyond, the input is two dumps, not one


def build_pages(
    partials: Sequence[str | Path],
    out_dir: str | Path,
    *,
    is_main: IsMain,
    variants: TitleVariants | None = None,
    tell: Callable[[str], None] = lambda step: None,
) -> TableResult:
    """Write PAGES, REDIRECTS, REJECTS, TITLE_TRIE and TITLE_ARRAYS into `out_dir` from partial page files.

    `is_main` says whether a title that the dump lacks would lie in namespace 0; `variants`, how titles are written in
    the other scripts of the wiki, is kept for look-ups; `tell` hears of each step, which take
    minutes at the size of the English Wikipedia. Redirects that end nowhere, and all
    pages but the first (by id) of one title, become rejects, in PAGES and as rows of REJECTS. A redirect whose end
    the dump lacks stays a redirect of status "missing". Counts close by ALL_PAGES and ALL_REDIRECTS.

    Raises WikiprepError where there are no pages, a page id comes twice, or titles come twice too often.
    """
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    tell("reading the page files")
    scan = PageScan(partials)
    if not len(scan):
        raise WikiprepError(
            f"no pages in the {len(partials)} page files of the extract", "the dump is empty or of another kind"
        )
    scan.check_ids()
    tell("numbering titles")
    build_trie(_titles(scan), out / TITLE_TRIE)
    tell("following redirects")
    graph = build_graph(scan, open_trie(out / TITLE_TRIE), is_main)
    graph.write(out / TITLE_ARRAYS, variants.metadata() if variants else None)
    duplicates = int(np.count_nonzero(graph.duplicate))
    if duplicates > max(DUPLICATES_ALLOWED, len(scan) // 100):
        raise WikiprepError(
            f"{duplicates} titles come twice under different page ids, {graph.example_duplicate(scan)} among them",
            "these are two dumps, not one: give the files of one dump",
        )
    tell("writing pages and redirects")
    return TableResult(dict(sorted(_write(scan, graph, out).items())))


def _titles(scan: PageScan) -> Iterator[str]:
    for start, batch in scan.batches(["title", "redirect_target"]):
        kinds = scan.kinds[start : start + batch.num_rows]
        yield from batch.column("title").filter(pa.array(kinds < OTHER_NAMESPACE)).to_pylist()
        targets = batch.column("redirect_target").filter(pa.array(kinds == REDIRECT))
        yield from targets.drop_null().to_pylist()


def _write(scan: PageScan, graph: TitleGraph, out: Path) -> Counter[Count]:
    """One pass over the pages by id writes the three Parquet files and counts what they hold."""
    counts = Counter(dict.fromkeys((*OF_KIND.values(), ONE_HOP, MORE_HOPS, TO_MISSING), 0))
    counts[PAGES_READ] = len(scan)
    counts[REDIRECTS_READ] = int(np.count_nonzero(scan.kinds == REDIRECT))
    pages = RowGroupWriter(out / PAGES, page_schema(), dictionary=("kind",))
    redirects = RowGroupWriter(out / REDIRECTS, redirect_schema(), dictionary=("status", "hops"))
    rejects = RowGroupWriter(out / REJECTS, reject_schema(), dictionary=("reason",))
    columns = ["page_id", "revision_id", "title", "redirect_target", "redirect_fragment", "redirect_problem", "qid"]
    for rows, table in scan.ordered(columns):
        kinds = scan.kinds[rows].copy()
        is_redirect = kinds == REDIRECT
        duplicate = graph.duplicate[rows]
        status = np.where(is_redirect, graph.status[np.maximum(graph.tid[rows], 0)], RESOLVED)
        kinds[duplicate | (status > ENDS_MISSING)] = REJECT
        for code, n in zip(*np.unique(kinds, return_counts=True), strict=True):
            counts[OF_KIND[KINDS[code]]] += int(n)
        pages.add(_pages(table, kinds))
        linking = is_redirect & ~duplicate
        part = table.filter(pa.array(linking))
        redirects.add(_redirects(part, graph, graph.tid[rows[linking]], counts))
        _reject(rejects, table, is_redirect, duplicate, status, counts)
    for writer in (pages, redirects, rejects):
        writer.close()
    return counts


def _pages(table: pa.Table, kinds: npt.NDArray[np.int8]) -> pa.Table:
    names = pa.array(KINDS).take(pa.array(kinds))
    return pa.Table.from_arrays(
        [table["page_id"], table["revision_id"], table["title"], names, table["qid"]], schema=page_schema()
    )


def _redirects(table: pa.Table, graph: TitleGraph, tid: npt.NDArray[np.int32], counts: Counter[Count]) -> pa.Table:
    status, hops, final = graph.status[tid], graph.hops[tid], graph.final[tid]
    ends = (status <= ENDS_MISSING) & (final >= 0)
    target = table["redirect_target"].combine_chunks()
    finals = pc.if_else(pa.array(ends), target, pa.scalar(None, pa.string()))
    further = np.flatnonzero(ends & (hops > 1))
    if len(further):
        names = [graph.trie.restore_key(i) for i in final[further].tolist()]
        finals = pc.replace_with_mask(finals, pa.array(ends & (hops > 1)), pa.array(names, pa.string()))
    counts[ONE_HOP] += int(np.count_nonzero((status == RESOLVED) & (hops == 1)))
    counts[MORE_HOPS] += int(np.count_nonzero((status == RESOLVED) & (hops > 1)))
    counts[TO_MISSING] += int(np.count_nonzero(status == ENDS_MISSING))
    counts[TO_SECTION] += table.num_rows - table["redirect_fragment"].null_count
    counts[WITH_QID] += table.num_rows - table["qid"].null_count
    return pa.Table.from_arrays(
        [
            table["page_id"],
            table["title"],
            target,
            finals,
            table["redirect_fragment"],
            pa.array(hops, pa.int32()),
            pa.array(STATUSES).take(pa.array(status)),
            table["qid"],
        ],
        schema=redirect_schema(),
    )


def _reject(
    writer: RowGroupWriter,
    table: pa.Table,
    is_redirect: npt.NDArray[np.bool_],
    duplicate: npt.NDArray[np.bool_],
    status: npt.NDArray[np.int8],
    counts: Counter[Count],
) -> None:
    rows = np.flatnonzero(duplicate | (status > ENDS_MISSING))
    reasons = [DUPLICATE if duplicate[row] else REASONS[int(status[row])] for row in rows.tolist()]
    part = table.take(pa.array(rows, pa.int64()))
    details = [
        "another page of this title has a smaller id" if reason == DUPLICATE else f"to {target or problem or 'nothing'}"
        for reason, target, problem in zip(
            reasons, part["redirect_target"].to_pylist(), part["redirect_problem"].to_pylist(), strict=True
        )
    ]
    for row, reason in zip(rows.tolist(), reasons, strict=True):
        key = reason.replace(" ", "_")
        counts[PAGES_REJECTED.of(key)] += 1
        if is_redirect[row]:
            counts[REDIRECTS_REJECTED.of(key)] += 1
    writer.add(
        pa.Table.from_arrays(
            [part["page_id"], part["title"], pa.array(reasons, pa.string()), pa.array(details, pa.string())],
            schema=reject_schema(),
        )
    )
