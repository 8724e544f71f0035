"""Whether the mention table holds what was counted, points to pages that exist, and agrees with its look-up files.

Read once, a row group at a time; the page ids of documents are held as an array and their titles beside it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.counts import Count
from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Progress, advance_over
from wikiprep.tables.mentions.lookups import MARK_BITS
from wikiprep.tables.mentions.mention_table import FOLDER, MentionTable
from wikiprep.tables.mentions.merge_counts import starts_of
from wikiprep.tables.mentions.schema import mention_schema
from wikiprep.tables.mentions.write_table import NAMES, NAMES_OCCURRENCES, ROWS, ROWS_LINKS

MENTIONS = "mentions"  # a part of what `verify` reads
WHERE = "tables/mentions.parquet"
_COUNT_KEYS = (ROWS, NAMES, ROWS_LINKS, NAMES_OCCURRENCES)


def check_mentions(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line for each kind of row that is wrong, with an example."""
    if not manifest.has_stage("mentions"):
        return
    expected = manifest.counts["mentions"]
    totals: Counter[Count] = Counter(dict.fromkeys(_COUNT_KEYS, 0))
    problems: Counter[str] = Counter()
    examples: dict[str, str] = {}
    pages = _Pages(store, manifest)
    lookups = MentionTable.open(store.url)
    with progress.part(MENTIONS, expected.get(ROWS, 0), "row") as advance:
        for start, table in advance_over(_whole_names(store.fetch(WHERE)), advance, lambda it: int(it[1].num_rows)):
            names = table["name"]
            for problem, wrong in _find_problems(start, table, pages, lookups, totals):
                rows = np.flatnonzero(wrong)
                if len(rows):
                    problems[problem] += len(rows)
                    examples.setdefault(problem, f"{names[int(rows[0])].as_py()!r}")
    for key in _COUNT_KEYS:
        if totals[key] != expected.get(key, 0):
            yield f"{WHERE}: holds {totals[key]} {key}, the manifest counts {expected.get(key, 0)}"
    if len(lookups) != totals[NAMES]:
        yield f"{FOLDER}: knows {len(lookups)} names, {WHERE} has {totals[NAMES]}"
    for problem, n in problems.items():
        yield f"{WHERE}: {problem}: {n} rows, such as of the name {examples[problem]}"


def _whole_names(path: Path) -> Iterator[tuple[int, pa.Table]]:
    """(row of its first, rows) of the file in order, never a name in two tables."""
    start, pending_rows = 0, mention_schema().empty_table()
    for batch in pq.ParquetFile(path).iter_batches(1 << 17):
        table = pa.concat_tables([pending_rows, pa.Table.from_batches([batch]).cast(mention_schema())]).combine_chunks()
        last = int(starts_of(table["name"])[-1])
        if last:
            yield start, table.slice(0, last)
        start, pending_rows = start + last, table.slice(last)
    if pending_rows.num_rows:
        yield start, pending_rows


def _find_problems(
    start: int, table: pa.Table, pages: "_Pages", lookups: MentionTable, totals: Counter[Count]
) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
    """What can be wrong with a row, and with which rows it is; adds up what the rows hold."""
    counts = {field.name: table[field.name].to_numpy() for field in mention_schema() if field.type == pa.int64()
              and field.name != "page_id"}  # fmt: skip
    starts = starts_of(table["name"])
    lengths = np.diff(np.append(starts, table.num_rows))
    totals[ROWS] += table.num_rows
    totals[NAMES] += len(starts)
    totals[ROWS_LINKS] += int(counts["link_count"].sum())
    totals[NAMES_OCCURRENCES] += int(counts["text_count"][starts].sum())
    yield "not in order", ~_in_order(table, counts["link_count"])
    sums = np.repeat(np.add.reduceat(counts["link_count"], starts), lengths)
    yield "links do not add up to those of the name", sums != counts["name_link_count"]
    for of_name in ("name_link_count", "name_link_page_count", "text_count", "text_page_count"):
        yield f"{of_name} differs within a name", counts[of_name] != np.repeat(counts[of_name][starts], lengths)
    for part, whole in (
        ("link_page_count", "link_count"),
        ("link_page_count", "name_link_page_count"),
        ("name_link_page_count", "text_page_count"),
        ("name_link_count", "text_count"),
        ("text_page_count", "text_count"),
    ):
        yield f"{part} is not within {whole}", (counts[part] < 0) | (counts[part] > counts[whole])
    yield "the target is no document", pages.lost(table)
    yield f"the row is another in {FOLDER}", _differs_in_lookups(start, table, starts, lengths, counts, lookups)


def _in_order(table: pa.Table, links: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether each row may follow the one before."""
    in_order = np.ones(table.num_rows, bool)
    before, after = table.slice(0, table.num_rows - 1), table.slice(1)
    names, targets = (
        (pc.greater(after[c], before[c]).to_numpy(), pc.equal(after[c], before[c]).to_numpy())
        for c in ("name", "target")
    )
    fewer, same = links[1:] < links[:-1], links[1:] == links[:-1]
    in_order[1:] = names[0] | (names[1] & (fewer | (same & targets[0])))
    return in_order


def _differs_in_lookups(
    start: int,
    table: pa.Table,
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int64],
    counts: Mapping[str, npt.NDArray[np.int64]],
    lookups: MentionTable,
) -> npt.NDArray[np.bool_]:
    """Which rows the memory-mapped files tell otherwise."""
    rows = slice(start, start + table.num_rows)
    bits = sum(table[mark].to_numpy().astype(np.int64) * bit for mark, bit in MARK_BITS.items())
    row_columns = (
        (lookups.target_at, lookups.targets(table["target"].to_pylist())),
        (lookups.links_at, counts["link_count"]),
        (lookups.pages_at, counts["link_page_count"]),
        (lookups.marks_at, bits),
    )
    wrong = np.zeros(table.num_rows, bool)
    if rows.stop > len(lookups.target_at):
        return ~wrong
    for column, values in row_columns:
        wrong |= column[rows] != values
    ids = lookups.names.ids(table["name"].take(pa.array(starts)).to_pylist())
    name_columns = (
        (lookups.first_of, start + starts),
        (lookups.rows_of, lengths),
        (lookups.link_pages_of, counts["name_link_page_count"][starts]),
        (lookups.text_count_of, counts["text_count"][starts]),
        (lookups.text_pages_of, counts["text_page_count"][starts]),
    )
    differs = ids < 0
    for column, values in name_columns:
        differs |= column[np.maximum(ids, 0)] != values
    return wrong | np.repeat(differs, lengths)


class _Pages:
    """Ids and titles of the documents that a target may be."""

    def __init__(self, store: Store, manifest: Manifest) -> None:
        options = manifest.options["vocabulary"]
        kinds = ["article", "disambiguation"] if options["keep_disambiguation"] else ["article"]
        pages = pq.read_table(store.fetch("tables/pages.parquet"), columns=["page_id", "title", "kind"])
        pages = pages.filter(pc.is_in(pages["kind"], pa.array(kinds))).sort_by("page_id")
        self._ids, self._titles = pages["page_id"].to_numpy(), pages["title"].combine_chunks()
        self._linked = options["vocab_targets"] == "linked"

    def lost(self, table: pa.Table) -> npt.NDArray[np.bool_]:
        """The rows whose target is not the title of the document with its page id."""
        has_page_id = table["page_id"].is_valid().to_numpy()
        ids = pc.fill_null(table["page_id"], -1).to_numpy()
        place = np.minimum(np.searchsorted(self._ids, ids), max(0, len(self._ids) - 1))
        if not len(self._ids):
            return np.array(has_page_id | (not self._linked))
        same_title = pc.equal(self._titles.take(pa.array(place)), table["target"].combine_chunks())
        matches = (self._ids[place] == ids) & same_title.to_numpy(zero_copy_only=False)
        return np.where(has_page_id, ~matches, not self._linked)
