"""A batch of articles as flat arrays: what the record builder reads of it, without a Python object a paragraph."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wikiprep.corpus.joined_text import Positions

COLUMNS = ["page_id", "revision_id", "title", "qid", "paragraphs"]  # of an article part, for `read_articles`


@dataclass(frozen=True)
class FlatArticles:
    """Pages, their paragraphs, their links, each numbered through the batch."""

    pages: pa.RecordBatch
    first_paragraph: Positions  # of each page; one more at the end
    texts: pa.StringArray
    kinds: pa.StringArray
    abstract: NDArray[np.bool_]  # before the page's first heading
    link_paragraph: Positions
    link_starts: Positions
    link_ends: Positions
    link_target: Positions  # index into `targets`
    targets: list[str]

    @property
    def page_of_paragraph(self) -> Positions:
        """The page of each paragraph."""
        return np.repeat(np.arange(len(self.first_paragraph) - 1), np.diff(self.first_paragraph))


def flatten(batch: pa.RecordBatch) -> FlatArticles:
    """The flat form of a batch that has `COLUMNS`."""
    page_offsets, paragraphs = _list_parts(batch.column("paragraphs"))
    text, kind, section, links = (paragraphs.field(name) for name in ("text", "kind", "section", "links"))
    link_offsets, link = _list_parts(links)
    target = link.field("target").dictionary_encode()
    return FlatArticles(
        pages=batch,
        first_paragraph=page_offsets,
        texts=text,
        kinds=kind,
        abstract=_to_numpy(pc.equal(pc.list_value_length(section), 0)),
        link_paragraph=np.repeat(np.arange(len(link_offsets) - 1), np.diff(link_offsets)),
        link_starts=_to_numpy(link.field("start")).astype(np.int64),
        link_ends=_to_numpy(link.field("end")).astype(np.int64),
        link_target=_to_numpy(target.indices).astype(np.int64),
        targets=target.dictionary.to_pylist(),
    )


def slices(batch: pa.RecordBatch, size: int) -> list[pa.RecordBatch]:
    """`batch` in parts of whole pages, each with at least `size` bytes of text but for the last."""
    page_offsets, paragraphs = _list_parts(batch.column("paragraphs"))
    lengths = _to_numpy(pc.binary_length(paragraphs.field("text"))).astype(np.int64)
    bytes_before = np.concatenate(([0], np.cumsum(lengths)))[page_offsets]  # bytes before each page
    parts, start = [], 0
    while start < batch.num_rows:
        stop = max(start + 1, int(np.searchsorted(bytes_before, bytes_before[start] + size, "left")))
        parts.append(batch.slice(start, stop - start))
        start = stop
    return parts


def _list_parts(lists: pa.ListArray) -> tuple[Positions, pa.Array]:
    """Offsets from 0 and the values they point into."""
    offsets = _to_numpy(lists.offsets).astype(np.int64)
    return offsets - offsets[0], lists.values.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))


def _to_numpy(array: pa.Array) -> NDArray[Any]:
    values: NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return values
