"""The pages that lists name: titles and ids as redirects lead, items as the pages have them.

Evaluation sets are of another year, and many of their items were merged since: triples, records and pages have the item
that an old one was merged into, so lists are compared by that.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.counts import Count, Equation
from wikiprep.leave_out.lists import FACT_KINDS, PAGE_KINDS, Entry
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.wikidata.merged_ids import MergedIds

LEFT_OUT = "left_out.parquet"
_PAGES = {"title": "titles", "page_id": "page ids", "qid": "items"}
READ = {kind: Count(f"listed.{kind}.read", f"Listed {what}.") for kind, what in _PAGES.items()}
MATCHED = {
    kind: Count(f"listed.{kind}.matched", f"Listed {what} of a page of the dump.") for kind, what in _PAGES.items()
}
UNMATCHED = {kind: Count(f"listed.{kind}.unmatched", f"Listed {what} of no page.") for kind, what in _PAGES.items()}
EQUATIONS = tuple(
    Equation(f"listed {what}", READ[kind], (MATCHED[kind], UNMATCHED[kind])) for kind, what in _PAGES.items()
)


def left_out_schema() -> pa.Schema:
    """tables/left_out.parquet: a row for each page and fact that a list names, in the order of the lists.

    `kind`: title, page_id, qid, pair or triple; `value` as written, `now` with the items that listed ones were merged
    into. `page_id` and `title` are of the page left out, null where no page of the dump is meant, and for facts.
    """
    return pa.schema(
        [
            *(("file", pa.string()), ("line", pa.int64()), ("kind", pa.string()), ("value", pa.string())),
            ("now", pa.string()),
            *(("page_id", pa.int64()), ("title", pa.string())),
        ],
        metadata={b"wikiprep.schema": b"left-out/2"},
    )


def write_left_out(
    entries: Sequence[Entry],
    titles: TitleTable,
    pages: Path,
    normalise: Callable[[str], str],
    path: Path,
    merged: MergedIds,
) -> Counter[Count]:
    """Write the table for the entries that are no sentences.

    `pages` is pages.parquet, `normalise` makes titles as those of links, `merged` are the items that were merged into
    others.

    Counts close by EQUATIONS.
    """
    counts: Counter[Count] = Counter()
    current_entries = [(entry, with_current_items(entry, merged)) for entry in entries if entry.kind != "sentence"]
    by_id, by_item = _find_documents([now for _, now in current_entries], titles, pages)
    rows = []
    for entry, now in current_entries:
        page: tuple[int, str] | None = None
        if entry.kind == "title":
            target = titles.resolve(normalise(entry.value))
            page = None if target.page_id is None else (target.page_id, target.title)
        elif entry.kind == "page_id":
            page = by_id.get(int(entry.value))
        elif entry.kind == "qid":
            page = by_item.get(now.value)
        if entry.kind in PAGE_KINDS:
            counts[READ[entry.kind]] += 1
            counts[(UNMATCHED if page is None else MATCHED)[entry.kind]] += 1
        rows.append((entry.file, entry.line, entry.kind, entry.value, now.value, *(page or (None, None))))
    columns = list(zip(*rows, strict=True)) or [()] * len(left_out_schema())
    arrays = [pa.array(values, field.type) for values, field in zip(columns, left_out_schema(), strict=True)]
    writer = RowGroupWriter(path, left_out_schema(), dictionary=("file", "kind"))
    writer.add(pa.Table.from_arrays(arrays, schema=left_out_schema()))
    writer.close()
    return counts


def left_out_pages(path: Path) -> dict[int, str]:
    """Page id -> which line of which file names it (the first that does)."""
    table = pq.read_table(path, columns=["file", "line", "page_id"])
    places: dict[int, str] = {}
    for row in table.filter(pc.is_valid(table["page_id"])).to_pylist():
        places.setdefault(row["page_id"], f"{row['file']}, line {row['line']}")
    return places


def _find_documents(
    entries: Sequence[Entry], titles: TitleTable, pages: Path
) -> tuple[dict[int, tuple[int, str]], dict[str, tuple[int, str]]]:
    """Of the ids and items that entries name: the document that each means.

    An id of a redirect means the page that it leads to, as merged pages do; an item is that of the page itself.
    """
    ids = np.array(sorted({int(e.value) for e in entries if e.kind == "page_id"}), np.int64)
    items = pa.array(sorted({e.value for e in entries if e.kind == "qid"}), pa.string())
    by_id: dict[int, tuple[int, str]] = {}
    by_item: dict[str, tuple[int, str]] = {}
    for batch in pq.ParquetFile(pages).iter_batches(columns=["page_id", "title", "kind", "qid"]):
        is_named = pc.is_in(batch["page_id"], pa.array(ids))
        named_rows = batch.filter(pc.or_(is_named, pc.fill_null(pc.is_in(batch["qid"], items), False)))
        for page_id, title, kind, qid in zip(*(column.to_pylist() for column in named_rows.columns), strict=True):
            document = kind in ("article", "disambiguation")
            if document:
                by_id[page_id] = (page_id, title)
                if qid is not None:
                    by_item.setdefault(qid, (page_id, title))
            elif kind == "redirect":
                target = titles.resolve(title)
                if target.page_id is not None:
                    by_id[page_id] = (target.page_id, target.title)
    return by_id, by_item


def with_current_items(entry: Entry, merged: MergedIds) -> Entry:
    """The entry with every item replaced by the one that it was merged into; of titles, ids and sentences the same."""
    if entry.kind != "qid" and entry.kind not in FACT_KINDS:
        return entry
    names = (f"Q{merged.item(int(name[1:]))}" if name[0] == "Q" else name for name in entry.value.split())
    return replace(entry, value=" ".join(names))
