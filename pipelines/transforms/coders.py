"""How elements travel: a tuple of plain values each, pickled; records as an Arrow message without its schema.

Beam's own way for a class that it does not know took ten times as long for a page, and wrote the whole buffers that a
page's few records are a view of (195 KB for 4). Both ends of an edge are the same version of wikiprep (`checked.py`),
so that nothing of this is a format to keep.
"""

import pickle
from collections.abc import Callable
from typing import Any

import apache_beam as beam
import pyarrow as pa

from wikiprep.config import RelationsConfig
from wikiprep.corpus.articles import ArticleRow
from wikiprep.corpus.schema import record_schema
from wikiprep.dump.page_xml import Page
from wikiprep.pipelines.transforms.elements import (
    ExtractedArticle,
    PageRecords,
    Place,
    Reject,
    ResolvedArticle,
    SourcePage,
    WrittenPart,
)
from wikiprep.wikitext.columns import ParagraphColumns, columns_of

_PROTOCOL = 5
# Every schema that records can have; what is none of them travels with its own.
_SCHEMAS: tuple[pa.Schema, ...] = tuple(
    record_schema(text, relations)
    for text in (False, True)
    for relations in (
        None,
        *(
            RelationsConfig(relations=kind, unk_relations=unk)
            for kind in ("sentence", "record")
            for unk in (False, True)
        ),
    )
)


class ElementCoder(beam.coders.Coder):
    """Encodes the elements of one class. Raises TypeError for another one."""

    kind: type
    flatten: Callable[[Any], tuple[Any, ...]]
    made: Callable[..., Any]

    def encode(self, value: Any) -> bytes:
        """As bytes."""
        if type(value) is not self.kind:
            raise TypeError(f"{self.kind.__name__} is expected here, not {type(value).__name__}: {value!r:.200}")
        return pickle.dumps(type(self).flatten(value), _PROTOCOL)

    def decode(self, encoded: bytes) -> Any:
        """From bytes."""
        return type(self).made(*pickle.loads(encoded))

    def is_deterministic(self) -> bool:
        """Elements are values, never keys."""
        return False

    def to_type_hint(self) -> type:
        """The class."""
        return self.kind

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


def _page(e: SourcePage) -> tuple[Any, ...]:
    p = e.page
    place = (e.place.part, e.place.parts, e.place.ordinal)
    if type(p) is not Page:
        return *place, e.wiki, p
    return (
        *(*place, e.wiki, p.page_id, p.namespace, p.title, p.revision_id, p.timestamp, p.model, p.redirect),
        *(p.text, p.xml_bytes),
    )


def _made_page(part: int, parts: int, ordinal: int, wiki: str, *page: Any) -> SourcePage:
    return SourcePage(Place(part, parts, ordinal), wiki, page[0] if len(page) == 1 else Page(*page))


def _row(row: ArticleRow) -> tuple[Any, ...]:
    c = columns_of(row.paragraphs)
    return (
        *(row.page_id, row.revision_id, row.timestamp, row.title, row.qid, row.kind),
        *(row.categories, row.interlanguage, row.flags),
        (c.sections, c.kinds, c.depths, c.texts, c.link_counts, c.starts, c.ends, c.targets, c.fragments),
    )


def _made_row(row: tuple[Any, ...]) -> ArticleRow:
    return ArticleRow(*row[:-1], ParagraphColumns(*row[-1]))


def _article(e: ExtractedArticle) -> tuple[Any, ...]:
    return e.place.part, e.place.parts, e.place.ordinal, e.wiki, _row(e.row)


def _made_article(part: int, parts: int, ordinal: int, wiki: str, row: tuple[Any, ...]) -> ExtractedArticle:
    return ExtractedArticle(Place(part, parts, ordinal), wiki, _made_row(row))


def _resolved(e: ResolvedArticle) -> tuple[Any, ...]:
    return e.place.part, e.place.parts, e.place.ordinal, e.wiki, _row(e.row), dict(e.titles)


def _made_resolved(
    part: int, parts: int, ordinal: int, wiki: str, row: tuple[Any, ...], titles: dict[str, str | None]
) -> ResolvedArticle:
    return ResolvedArticle(Place(part, parts, ordinal), wiki, _made_row(row), titles)


def _records(e: PageRecords) -> tuple[Any, ...]:
    schema = e.batch.schema
    known = next((n for n, one in enumerate(_SCHEMAS) if one.equals(schema, check_metadata=True)), None)
    described = schema.serialize().to_pybytes() if known is None else known
    return e.place.part, e.place.parts, e.place.ordinal, e.wiki, described, e.batch.serialize().to_pybytes()


def _made_records(part: int, parts: int, ordinal: int, wiki: str, described: int | bytes, data: bytes) -> PageRecords:
    known = isinstance(described, int)
    schema = _SCHEMAS[described] if known else pa.ipc.read_schema(pa.py_buffer(described))
    return PageRecords(Place(part, parts, ordinal), wiki, pa.ipc.read_record_batch(pa.py_buffer(data), schema))


def _reject(e: Reject) -> tuple[Any, ...]:
    return e.place.part, e.place.parts, e.place.ordinal, e.page_id, e.title, e.reason, e.detail


def _made_reject(part: int, parts: int, ordinal: int, *rest: Any) -> Reject:
    return Reject(Place(part, parts, ordinal), *rest)


def _written(e: WrittenPart) -> tuple[Any, ...]:
    return e.path, e.rows, e.size, e.sha256


class SourcePageCoder(ElementCoder):
    """Of `SourcePage`."""

    kind, flatten, made = SourcePage, _page, _made_page


class ExtractedArticleCoder(ElementCoder):
    """Of `ExtractedArticle`."""

    kind, flatten, made = ExtractedArticle, _article, _made_article


class ResolvedArticleCoder(ElementCoder):
    """Of `ResolvedArticle`."""

    kind, flatten, made = ResolvedArticle, _resolved, _made_resolved


class PageRecordsCoder(ElementCoder):
    """Of `PageRecords`."""

    kind, flatten, made = PageRecords, _records, _made_records


class RejectCoder(ElementCoder):
    """Of `Reject`."""

    kind, flatten, made = Reject, _reject, _made_reject


class WrittenPartCoder(ElementCoder):
    """Of `WrittenPart`."""

    kind, flatten, made = WrittenPart, _written, WrittenPart


for _coder in ElementCoder.__subclasses__():
    beam.coders.registry.register_coder(_coder.kind, _coder)
