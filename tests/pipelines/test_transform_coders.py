"""Elements come back from their coders as they were, and records as no more than their own rows."""

import pickle
from dataclasses import replace

import pyarrow as pa
import pytest
from engine_build import package

package("apache-beam", "beam")
import apache_beam as beam  # noqa: E402 - not where Beam is missing

from wikiprep.config import RelationsConfig  # noqa: E402
from wikiprep.corpus.articles import ArticleRow  # noqa: E402
from wikiprep.corpus.schema import record_schema  # noqa: E402
from wikiprep.dump.page_xml import Page  # noqa: E402
from wikiprep.pipelines.transforms import coders as _coders  # noqa: E402, F401 - registers them
from wikiprep.pipelines.transforms.elements import (  # noqa: E402
    ExtractedArticle,
    PageRecords,
    Place,
    Reject,
    ResolvedArticle,
    SourcePage,
    WrittenPart,
)
from wikiprep.wikitext.article import Link, Paragraph  # noqa: E402

PLACE = Place(3, 431, 17)
PARAGRAPHS = [
    Paragraph(
        ("History", "Later"), "prose", 0, "Of 東京 and Rome.", (Link(3, 5, "Tokyo"), Link(10, 14, "Rome", "Age"))
    ),
    Paragraph((), "list_item", 2, "none", ()),
]
ROW = ArticleRow(7, None, "2026-01-02T03:04:05Z", "Tōkyō", "Q5", "article", ["A"], [("de", "B")], ["table"], PARAGRAPHS)
ELEMENTS = [
    SourcePage(PLACE, "enwiki", Page(7, 0, "Tōkyō", 8, None, "wikitext", "Rome#Age", "''x''", 99)),
    ExtractedArticle(PLACE, "", ROW),
    ResolvedArticle(PLACE, "enwiki", ROW, {"Tokyo": "Tōkyō", "Rome": None}),
    Reject(PLACE, None, None, "damaged range", "bytes 1 to 2"),
    WrittenPart("records/part-00003-of-00431.arrow", 5, 6, "ab"),
]


def batch(rows: int, schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(
        [{"page_id": n, "title": "x" * 100, "word_ids": [n]} for n in range(rows)], schema
    )


@pytest.mark.parametrize("element", ELEMENTS, ids=lambda it: type(it).__name__)
def test_there_and_back(element: object) -> None:
    coder = beam.coders.registry.get_coder(type(element))
    assert coder.decode(coder.encode(element)) == element
    assert pickle.loads(pickle.dumps(coder)) == coder


@pytest.mark.parametrize(
    "schema",
    [
        record_schema(),
        record_schema(True, RelationsConfig(relations="record", unk_relations=True)),
        record_schema().append(pa.field("mine", pa.int8())),
    ],
    ids=["plain", "all columns", "a column of the user's"],
)
def test_records_there_and_back(schema: pa.Schema) -> None:
    element = PageRecords(PLACE, "enwiki", batch(500, schema).slice(250, 2))
    coder = beam.coders.registry.get_coder(PageRecords)
    encoded = coder.encode(element)
    back = coder.decode(encoded)
    assert replace(back, batch=None) == replace(element, batch=None)  # type: ignore[arg-type]
    assert back.batch.equals(element.batch) and back.batch.schema.equals(schema, check_metadata=True)
    assert [row["page_id"] for row in back.rows()] == [250, 251]
    assert len(encoded) < 8_000 < batch(500, schema).nbytes


def test_another_class_is_refused_with_both_names() -> None:
    coder = beam.coders.registry.get_coder(SourcePage)
    with pytest.raises(TypeError, match="SourcePage is expected here, not Reject"):
        coder.encode(ELEMENTS[3])
