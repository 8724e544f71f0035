"""Titles as numbers and redirects as edges between them: what page_tables.py makes and title_lookup.py reads."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.storage.memory_maps import write_arrays
from wikiprep.storage.redirect_chains import follow
from wikiprep.tables.page_scan import NO_ID, PageScan
from wikiprep.tables.schema import (
    ENDS_ELSEWHERE,
    ENDS_MISSING,
    INVALID,
    LOOP,
    MISSING,
    OTHER_NAMESPACE,
    PROBLEMS,
    REDIRECT,
    RESOLVED,
    SELF,
    IsMain,
)


@dataclass(frozen=True, slots=True)
class TitleGraph:
    """Arrays by scan row (`tid`, `duplicate`) and by title number (the others).

    `tid` is a page's title number, -1 outside namespace 0 and for rejects. `duplicate`: another page of this title
    has a smaller id. `direct` and `final` are title numbers (-1: none), `final` the title itself without a redirect.
    """

    trie: Any
    tid: npt.NDArray[np.int32]
    duplicate: npt.NDArray[np.bool_]
    page_id: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int8]
    direct: npt.NDArray[np.int32]
    final: npt.NDArray[np.int32]
    hops: npt.NDArray[np.int32]
    status: npt.NDArray[np.int8]

    def write(self, path: Path, metadata: dict[bytes, bytes] | None = None) -> None:
        """titles.arrow: row i is title number i."""
        write_arrays(
            path,
            {
                "page_id": self.page_id,
                "kind": self.kind,
                "direct": self.direct,
                "final": self.final,
                "status": self.status,
            },
            metadata,
        )

    def example_duplicate(self, scan: PageScan) -> str:
        """The duplicate title of the smallest page id, with both ids, for a message."""
        rows = np.flatnonzero(self.duplicate)
        row = int(rows[np.argmin(scan.ids[rows])])
        tid = int(self.tid[row])
        return f"{self.trie.restore_key(tid)!r} (ids {int(self.page_id[tid])} and {int(scan.ids[row])})"


def build_graph(scan: PageScan, trie: Any, is_main: IsMain) -> TitleGraph:
    """Numbers every title of `scan`, keeps the page of smallest id of each title, and follows redirects."""
    size = len(trie)
    tid = np.full(len(scan), -1, np.int32)
    page_id = np.full(size, NO_ID, np.int64)
    kind = np.full(size, MISSING, np.int8)
    direct = np.full(size, -1, np.int32)
    problem = np.full(size, RESOLVED, np.int8)
    for start, batch in scan.batches(["title", "redirect_target", "redirect_problem"]):
        rows = np.flatnonzero(scan.kinds[start : start + batch.num_rows] < OTHER_NAMESPACE)
        part = batch.take(pa.array(rows))
        rows += start
        numbers = numbers_of(trie, part.column("title").to_pylist())
        tid[rows] = numbers
        np.minimum.at(page_id, numbers, scan.ids[rows])
        # The page of smallest id so far is the title's; a later batch may put a smaller one in its place.
        first = np.flatnonzero(page_id[numbers] == scan.ids[rows])
        kind[numbers[first]] = scan.kinds[rows[first]]
        targets, problems = _targets(trie, part)
        direct[numbers[first]] = targets[first]
        problem[numbers[first]] = problems[first]
    duplicate = (tid >= 0) & (page_id[tid] != scan.ids)
    page_id[page_id == NO_ID] = -1
    absent = np.flatnonzero(kind == MISSING)
    elsewhere = [not is_main(trie.restore_key(i)) for i in absent.tolist()]
    kind[absent[elsewhere]] = OTHER_NAMESPACE
    final, hops = follow(direct)
    return TitleGraph(trie, tid, duplicate, page_id, kind, direct, final, hops, _status(kind, direct, final, problem))


def numbers_of(trie: Any, titles: list[str]) -> npt.NDArray[np.int32]:
    """Title numbers, -1 for a title that the trie lacks."""
    get = trie.get
    return np.fromiter((get(title, -1) for title in titles), np.int32, len(titles))


def _targets(trie: Any, batch: pa.RecordBatch) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
    """Each row's target number (-1: not a redirect, or to no page of this wiki) and what is wrong with it."""
    targets = np.full(batch.num_rows, -1, np.int32)
    problems = np.full(batch.num_rows, RESOLVED, np.int8)
    has_target = batch.column("redirect_target").is_valid().to_numpy(zero_copy_only=False)
    targets[has_target] = numbers_of(trie, batch.column("redirect_target").drop_null().to_pylist())
    words = batch.column("redirect_problem")
    for row in np.flatnonzero(words.is_valid().to_numpy(zero_copy_only=False)).tolist():
        targets[row] = -1
        problems[row] = PROBLEMS.get(words[row].as_py(), INVALID)
    return targets, problems


def _status(
    kind: npt.NDArray[np.int8],
    direct: npt.NDArray[np.int32],
    final: npt.NDArray[np.int32],
    problem: npt.NDArray[np.int8],
) -> npt.NDArray[np.int8]:
    """How the chain from each title ends (schema.STATUSES); a title that is no redirect is its own end."""
    end = np.full(len(kind), RESOLVED, np.int8)
    end[kind == MISSING] = ENDS_MISSING
    end[kind == OTHER_NAMESPACE] = ENDS_ELSEWHERE
    # A redirect without a target is an end too: of a chain that leads to no page of this wiki.
    broken = (kind == REDIRECT) & (direct < 0)
    end[broken] = np.where(problem[broken] == RESOLVED, INVALID, problem[broken])
    status = np.where(final >= 0, end[np.maximum(final, 0)], LOOP).astype(np.int8)
    status[(direct >= 0) & (direct == np.arange(len(direct)))] = SELF
    return status
