"""Links as a table: each link of the text with its place, where it leads, and why no entity covers it.

Sums of `lost` are those that the stages `links` and `vocabulary` count (docs/formats.md).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.tables.schema import IsMain
from wikiprep.tables.title_lookup import TitleTable

COLUMNS = ["page_id", "title", "kind", "paragraphs"]  # of articles
# What links of a page can be lost to, beside the first, which is no link of text that counts.
FROM_DISAMBIGUATION, OTHER_NAMESPACE, UNRESOLVED = "from_disambiguation", "other_namespace", "unresolved_redirect"
MISSING, DISAMBIGUATION, OUTSIDE = "missing", "disambiguation", "outside"


def link_schema() -> pa.Schema:
    """A row a link, in the order of the text."""
    return pa.schema(
        [
            ("page_id", pa.int64()),  # of the page that the link stands on
            ("title", pa.string()),
            ("page_kind", pa.string()),  # article or disambiguation
            ("paragraph", pa.int32()),  # of the page, from 0
            ("section", pa.list_(pa.string())),
            ("start", pa.int32()),  # code points of the paragraph's text
            ("end", pa.int32()),
            ("text", pa.string()),
            ("target", pa.string()),  # as written, normalised
            ("fragment", pa.string()),
            ("final_title", pa.string()),  # redirects followed; null where they end nowhere in namespace 0
            ("final_page_id", pa.int64()),  # null without a page in the dump
            ("leads_to", pa.string()),  # article, disambiguation, missing, other_namespace, or how a redirect fails
            ("by_redirect", pa.bool_()),
            ("qid", pa.string()),
            ("entity_id", pa.int32()),  # null where the vocabulary lacks it
            ("lost", pa.string()),  # why no entity covers it; null where one does
        ],
        metadata={b"wikiprep.schema": b"links/1"},
    )


class End(NamedTuple):
    """Where a target leads; see the columns of `link_schema`."""

    final_title: str | None
    final_page_id: int | None
    leads_to: str
    by_redirect: bool
    qid: str | None
    entity_id: int | None
    lost: str | None


class LinkTargets:
    """Where targets lead in a corpus that was built from a dump.

    `entity`: the id of a title, or None; `item`: the QID of an entity id or a page id; `counted_missing` and
    `counted_disambiguation`: what the vocabulary's options let in (then such a link is not lost for what it leads to).
    """

    def __init__(
        self,
        titles: TitleTable,
        is_main: IsMain,
        entity: Callable[[str], int | None],
        item: Callable[[int | None, int | None], str | None],
        *,
        counted_missing: bool,
        counted_disambiguation: bool,
    ) -> None:
        self._titles, self._is_main, self._entity, self._item = titles, is_main, entity, item
        self._eligible_kinds = {"article"}
        self._eligible_kinds |= {MISSING} if counted_missing else set()
        self._eligible_kinds |= {DISAMBIGUATION} if counted_disambiguation else set()

    def of(self, target: str) -> End:
        """Of a link's target, as it is normalised."""
        resolved = self._titles.resolve(target)
        leads_to = resolved.status
        if leads_to == MISSING and not resolved.via_redirect and not self._is_main(target):
            leads_to = OTHER_NAMESPACE
        if leads_to not in ("article", DISAMBIGUATION, MISSING):
            nowhere = OTHER_NAMESPACE if leads_to == OTHER_NAMESPACE else UNRESOLVED
            return End(None, None, leads_to, resolved.via_redirect, None, None, nowhere)
        entity = self._entity(resolved.title)
        lost = None if entity is not None else OUTSIDE if leads_to in self._eligible_kinds else leads_to
        qid = self._item(entity, resolved.page_id)
        return End(resolved.title, resolved.page_id, leads_to, resolved.via_redirect, qid, entity, lost)


def link_rows(batch: pa.RecordBatch, end_of: Callable[[str], End], *, keep_disambiguation: bool) -> pa.Table:
    """Rows of `link_schema` of a batch of articles with COLUMNS.

    Links of disambiguation pages are lost to that, but with `keep_disambiguation`.
    """
    lists = batch.column("paragraphs")
    paragraphs = lists.flatten()
    links = paragraphs.field("links").flatten()
    paragraph_of_link = _owners(paragraphs.field("links"))
    page_of_link = _owners(lists)[paragraph_of_link]
    firsts = np.cumsum(_lengths(lists)) - _lengths(lists)
    starts, ends = (links.field(side).to_numpy() for side in ("start", "end"))
    texts = paragraphs.field("text").take(pa.array(np.unique(paragraph_of_link))).to_pylist()
    place = np.searchsorted(np.unique(paragraph_of_link), paragraph_of_link)
    kinds = batch.column("kind").take(pa.array(page_of_link))
    targets = links.field("target").dictionary_encode()
    distinct_ends = [end_of(target) for target in targets.dictionary.to_pylist()]
    target_columns = _target_columns(distinct_ends, targets.indices)
    if not keep_disambiguation:
        target_columns[-1] = pc.if_else(pc.equal(kinds, "article"), target_columns[-1], pa.scalar(FROM_DISAMBIGUATION))
    return pa.Table.from_arrays(
        [
            batch.column("page_id").take(pa.array(page_of_link)),
            batch.column("title").take(pa.array(page_of_link)),
            kinds,
            pa.array((paragraph_of_link - firsts[page_of_link]).astype(np.int32)),
            paragraphs.field("section").take(pa.array(paragraph_of_link)),
            links.field("start"),
            links.field("end"),
            pa.array([texts[at][a:b] for at, a, b in zip(place, starts, ends, strict=True)], pa.string()),
            links.field("target"),
            links.field("fragment"),
            *target_columns,
        ],
        schema=link_schema(),
    )


def _target_columns(distinct_ends: Sequence[End], indices: pa.Array) -> list[pa.Array]:
    types = [field.type for field in link_schema()][-len(End._fields) :]
    columns = list(zip(*distinct_ends, strict=True)) or [()] * len(types)
    return [pa.array(values, kind).take(indices) for values, kind in zip(columns, types, strict=True)]


def _lengths(lists: pa.ListArray) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    lengths: np.ndarray[tuple[int], np.dtype[np.int64]] = lists.value_lengths().to_numpy().astype(np.int64)
    return lengths


def _owners(lists: pa.ListArray) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Of each element of `flatten()` the list that it is in."""
    return np.repeat(np.arange(len(lists)), _lengths(lists))
