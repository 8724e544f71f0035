"""Articles as Parquet: one row an article, a part a range of the dump.

The writer turns rows into flat columns and offsets (Arrow's own form; nested dicts were five times slower) and cuts
row groups by rows and by text, so that a reader's memory does not depend on the size of the part. The same rows give
the same bytes. Publishing is not done here: the writer writes to local scratch (design, "Finished means a receipt").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.corpus.schema import ARTICLES, INTERLANGUAGE, LINK, PARAGRAPH, article_schema
from wikiprep.errors import WikiprepError
from wikiprep.storage.tables import check_schema
from wikiprep.wikitext.article import Link, Paragraph
from wikiprep.wikitext.article_columns import ParagraphColumns, columns_of

T = TypeVar("T")

GROUP_ROWS = 2_000
GROUP_CHARACTERS = 8_000_000  # about 8 to 24 MB of UTF-8
BATCH_ROWS = 256

# Columns whose values repeat; a dictionary on text costs time and gives nothing.
_DICTIONARY = [
    "kind",
    "flags.list.element",
    "interlanguage.list.element.lang",
    "categories.list.element",
    "paragraphs.list.element.section.list.element",
    "paragraphs.list.element.kind",
    "paragraphs.list.element.depth",
    "paragraphs.list.element.links.list.element.target",
]


@dataclass(slots=True)
class ArticleRow:
    """An article as it travels to and from disk. `kind` is "article" or "disambiguation"."""

    page_id: int | None
    revision_id: int | None
    timestamp: str | None
    title: str
    qid: str | None = None
    kind: str = "article"
    categories: Sequence[str] = ()
    interlanguage: Sequence[tuple[str, str]] = ()
    flags: Sequence[str] = ()
    paragraphs: Sequence[Paragraph] = field(default_factory=list)


class ArticleWriter:
    """Writes article rows to one local Parquet file; `close` makes it whole."""

    def __init__(
        self, path: str | Path, *, group_rows: int = GROUP_ROWS, group_characters: int = GROUP_CHARACTERS
    ) -> None:
        self._group_rows = group_rows
        self._group_characters = group_characters
        self._rows: list[ArticleRow] = []
        self._characters = 0
        self._writer = pq.ParquetWriter(
            str(path),
            article_schema(),
            version="2.6",
            compression="zstd",
            compression_level=3,
            use_dictionary=_DICTIONARY,
            write_statistics=["page_id", "title"],
        )

    def add(self, row: ArticleRow) -> None:
        """Takes one article; rows keep their order."""
        self._rows.append(row)
        row.paragraphs = paragraphs = columns_of(row.paragraphs)
        self._characters += paragraphs.characters
        if len(self._rows) >= self._group_rows or self._characters >= self._group_characters:
            self._flush()

    def close(self) -> None:
        """Writes what is left and the footer. A part without rows is a valid file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            batch = article_batch(self._rows)
            self._writer.write_batch(batch, row_group_size=batch.num_rows)
            self._rows = []
            self._characters = 0


def article_batch(rows: Sequence[ArticleRow]) -> pa.RecordBatch:
    """`rows` as one Arrow batch of `article_schema()`."""
    interlanguage = [pair for row in rows for pair in row.interlanguage]
    interlanguage_struct = _struct(INTERLANGUAGE, [[lang for lang, _ in interlanguage], [t for _, t in interlanguage]])
    return pa.RecordBatch.from_arrays(
        [
            pa.array([row.page_id for row in rows], pa.int64()),
            pa.array([row.revision_id for row in rows], pa.int64()),
            pa.array([row.timestamp for row in rows], pa.string()),
            pa.array([row.title for row in rows], pa.string()),
            pa.array([row.qid for row in rows], pa.string()),
            pa.array([row.kind for row in rows], pa.string()),
            _strings([row.categories for row in rows]),
            _lists([len(row.interlanguage) for row in rows], interlanguage_struct),
            _strings([row.flags for row in rows]),
            _lists([len(row.paragraphs) for row in rows], _paragraphs([columns_of(row.paragraphs) for row in rows])),
        ],
        schema=article_schema(),
    )


def _paragraphs(pages: Sequence[ParagraphColumns]) -> pa.StructArray:
    """The paragraphs of all pages."""
    texts = _concatenate([page.texts for page in pages])
    link_counts = _concatenate([page.link_counts for page in pages])
    begins = np.cumsum([0, *(len(text) + 1 for text in texts)])  # of each paragraph, through all pages
    first = begins[np.cumsum([0, *(len(page.texts) for page in pages)])[:-1]]  # the same of each page
    shifts = np.repeat(first, [len(page.starts) for page in pages]) - np.repeat(begins[:-1], link_counts)
    links = [
        np.asarray(_concatenate([page.starts for page in pages]), np.int64) + shifts,
        np.asarray(_concatenate([page.ends for page in pages]), np.int64) + shifts,
        _concatenate([page.targets for page in pages]),
        _concatenate([page.fragments for page in pages]),
    ]
    columns = [
        _strings(_concatenate([page.sections for page in pages])),
        _concatenate([page.kinds for page in pages]),
        _concatenate([page.depths for page in pages]),
        texts,
        _lists(link_counts, _struct(LINK, links)),
    ]
    return _struct(PARAGRAPH, columns)


def _concatenate(columns: Sequence[Sequence[T]]) -> list[T]:
    return list(chain.from_iterable(columns))


def read_articles(
    source: str | Path | pa.NativeFile, columns: list[str] | None = None, *, batch_rows: int = BATCH_ROWS
) -> Iterator[pa.RecordBatch]:
    """The batches of a part, in order, at most `batch_rows` rows each and never past a row group.

    `columns` are top-level names, or dotted paths ("paragraphs.list.element.links.list.element.target").
    Raises WikiprepError for a file that is not an article part.
    """
    label = source if isinstance(source, str | Path) else "article part"
    try:
        file = pq.ParquetFile(str(source) if isinstance(source, Path) else source)
    except FileNotFoundError as error:
        raise WikiprepError(f"{label}: no such article part", "run `wikiprep extract` first") from error
    except pa.ArrowInvalid as error:
        raise WikiprepError(
            f"{label}: not a whole Parquet file ({error})", "remove it and its receipt, and run the build again"
        ) from error
    with file:
        check_schema(file.schema_arrow, ARTICLES, str(label))
        for group in range(file.num_row_groups):
            yield from file.iter_batches(batch_rows, row_groups=[group], columns=columns)


def article_rows(batch: pa.RecordBatch) -> Iterator[ArticleRow]:
    """The rows of a whole batch as plain data: for showing a page, not for bulk work."""
    for row in batch.to_pylist():
        yield ArticleRow(
            page_id=row["page_id"],
            revision_id=row["revision_id"],
            timestamp=row["timestamp"],
            title=row["title"],
            qid=row["qid"],
            kind=row["kind"],
            categories=row["categories"],
            interlanguage=[(pair["lang"], pair["title"]) for pair in row["interlanguage"]],
            flags=row["flags"],
            paragraphs=[_paragraph(p) for p in row["paragraphs"]],
        )


def _paragraph(row: dict[str, Any]) -> Paragraph:
    links = tuple([Link(link["start"], link["end"], link["target"], link["fragment"]) for link in row["links"]])
    return Paragraph(tuple(row["section"]), row["kind"], row["depth"], row["text"], links)


def _lists(lengths: list[int], values: pa.Array) -> pa.Array:
    offsets = pa.array([0, *accumulate(lengths)], pa.int32())
    return pa.ListArray.from_arrays(offsets, values)


def _strings(values: Sequence[Sequence[str]]) -> pa.Array:
    return _lists([len(value) for value in values], pa.array([s for value in values for s in value], pa.string()))


def _struct(kind: pa.StructType, columns: list[Any]) -> pa.Array:
    arrays = [c if isinstance(c, pa.Array) else pa.array(c, f.type) for c, f in zip(columns, kind, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=list(kind))
