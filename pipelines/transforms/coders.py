"""How elements travel: a tuple of plain values each, pickled; records as an Arrow message without its schema.

Beam's own way for a class that it does not know took ten times as long for a page, and wrote the whole buffers that a
page's few records are a view of (195 KB for 4). Both ends of an edge are the same version of wikiprep (`worker.py`),
so that nothing of this is a format to keep.
"""

import pickle
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
from wikiprep.wikitext.article_columns import ParagraphColumns, columns_of

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

    @staticmethod
    def flatten(element: Any) -> tuple[Any, ...]:
        """The element as plain values."""
        raise NotImplementedError

    @staticmethod
    def build(*values: Any) -> Any:
        """The element of its values."""
        raise NotImplementedError

    def encode(self, value: Any) -> bytes:
        """As bytes."""
        if type(value) is not self.kind:
            raise TypeError(f"{self.kind.__name__} is expected here, not {type(value).__name__}: {value!r:.200}")
        return pickle.dumps(self.flatten(value), _PROTOCOL)

    def decode(self, encoded: bytes) -> Any:
        """From bytes."""
        return self.build(*pickle.loads(encoded))

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


def _place(place: Place) -> tuple[int, int, int]:
    return place.part, place.parts, place.ordinal


def _row(row: ArticleRow) -> tuple[Any, ...]:
    c = columns_of(row.paragraphs)
    return (
        *(row.page_id, row.revision_id, row.timestamp, row.title, row.qid, row.kind),
        *(row.categories, row.interlanguage, row.flags),
        (c.sections, c.kinds, c.depths, c.texts, c.link_counts, c.starts, c.ends, c.targets, c.fragments),
    )


def _build_row(values: tuple[Any, ...]) -> ArticleRow:
    *fields, columns = values
    row: ArticleRow = ArticleRow(*fields)
    row.paragraphs = ParagraphColumns(*columns)
    return row


class SourcePageCoder(ElementCoder):
    """Of `SourcePage`. A page of another class (of HTML) travels as it is."""

    kind = SourcePage

    @staticmethod
    def flatten(element: SourcePage) -> tuple[Any, ...]:
        page = element.page
        values: tuple[Any, ...] = (page,)
        if type(page) is Page:
            values = (
                *(page.page_id, page.namespace, page.title, page.revision_id, page.timestamp, page.model),
                *(page.redirect, page.text, page.xml_bytes),
            )
        return _place(element.place), element.wiki, values

    @staticmethod
    def build(*values: Any) -> SourcePage:
        place, wiki, page = values
        return SourcePage(Place(*place), wiki, page[0] if len(page) == 1 else Page(*page))


class ExtractedArticleCoder(ElementCoder):
    """Of `ExtractedArticle`."""

    kind = ExtractedArticle

    @staticmethod
    def flatten(element: ExtractedArticle) -> tuple[Any, ...]:
        return _place(element.place), element.wiki, _row(element.row)

    @staticmethod
    def build(*values: Any) -> ExtractedArticle:
        place, wiki, row = values
        return ExtractedArticle(Place(*place), wiki, _build_row(row))


class ResolvedArticleCoder(ElementCoder):
    """Of `ResolvedArticle`."""

    kind = ResolvedArticle

    @staticmethod
    def flatten(element: ResolvedArticle) -> tuple[Any, ...]:
        return _place(element.place), element.wiki, _row(element.row), dict(element.titles)

    @staticmethod
    def build(*values: Any) -> ResolvedArticle:
        place, wiki, row, titles = values
        return ResolvedArticle(Place(*place), wiki, _build_row(row), titles)


class PageRecordsCoder(ElementCoder):
    """Of `PageRecords`."""

    kind = PageRecords

    @staticmethod
    def flatten(element: PageRecords) -> tuple[Any, ...]:
        schema = element.batch.schema
        index = next(
            (n for n, known_schema in enumerate(_SCHEMAS) if known_schema.equals(schema, check_metadata=True)), None
        )
        schema_code = schema.serialize().to_pybytes() if index is None else index
        return _place(element.place), element.wiki, schema_code, element.batch.serialize().to_pybytes()

    @staticmethod
    def build(*values: Any) -> PageRecords:
        place, wiki, schema_code, data = values
        is_index = isinstance(schema_code, int)
        schema = _SCHEMAS[schema_code] if is_index else pa.ipc.read_schema(pa.py_buffer(schema_code))
        return PageRecords(Place(*place), wiki, pa.ipc.read_record_batch(pa.py_buffer(data), schema))


class RejectCoder(ElementCoder):
    """Of `Reject`."""

    kind = Reject

    @staticmethod
    def flatten(element: Reject) -> tuple[Any, ...]:
        return _place(element.place), element.page_id, element.title, element.reason, element.detail

    @staticmethod
    def build(*values: Any) -> Reject:
        place, *rest = values
        return Reject(Place(*place), *rest)


class WrittenPartCoder(ElementCoder):
    """Of `WrittenPart`."""

    kind = WrittenPart

    @staticmethod
    def flatten(element: WrittenPart) -> tuple[Any, ...]:
        return element.path, element.rows, element.size, element.sha256

    @staticmethod
    def build(*values: Any) -> WrittenPart:
        return WrittenPart(*values)


for _coder in ElementCoder.__subclasses__():
    beam.coders.registry.register_coder(_coder.kind, _coder)
