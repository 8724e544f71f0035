"""`WriteArticles`: articles as Parquet."""

from collections.abc import Iterable
from pathlib import Path

import apache_beam as beam

from wikiprep.corpus.articles import ArticleWriter
from wikiprep.pipelines.transforms.elements import ExtractedArticle, WrittenPart
from wikiprep.pipelines.transforms.whole_parts import Parts, WriteParts

__all__ = ["WriteArticles"]


class _Articles(Parts):
    transform, kind, folder, suffix = "WriteArticles", ExtractedArticle, "articles", ".parquet"

    def write(self, path: Path, elements: Iterable[ExtractedArticle]) -> int:
        writer = ArticleWriter(path)
        rows = 0
        for element in elements:
            writer.add(element.row)
            rows += 1
        writer.close()
        return rows

    def write_empty(self, path: Path, like: Path) -> None:
        ArticleWriter(path).close()


@beam.typehints.with_input_types(ExtractedArticle)
@beam.typehints.with_output_types(WrittenPart)
class WriteArticles(WriteParts):
    """`ExtractedArticle` to `OUTPUT/articles/part-00000-of-00431.parquet`, as `WriteArrow` writes records."""

    parts = _Articles()
