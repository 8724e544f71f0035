"""An example row of a corpus, short enough to be read."""

from collections.abc import Sequence
from typing import Any

import orjson

from wikiprep.files import Store

_SHOWN = 160  # characters of a text
_LISTED = 3  # items of a list


def example_row(store: Store, paths: Sequence[str]) -> str | None:
    """The first article of the first part that has any, as JSON, its text and lists cut; None where there is none."""
    import pyarrow.parquet as pq

    for path in sorted(path for path in paths if path.startswith("articles/") and path.endswith(".parquet")):
        with pq.ParquetFile(store.fetch(path)) as file:
            for batch in file.iter_batches(batch_size=1):
                return orjson.dumps(_shorten(batch.to_pylist()[0]), option=orjson.OPT_INDENT_2).decode()
    return None


def _shorten(row: dict[str, Any]) -> dict[str, Any]:
    short_row = {name: value[:_LISTED] if isinstance(value, list) else value for name, value in row.items()}
    paragraphs = row["paragraphs"]
    paragraph = next((p for p in paragraphs if any(link["end"] <= _SHOWN for link in p["links"])), None)
    paragraph = paragraph or next(iter(paragraphs), None)
    if paragraph is not None:
        text = paragraph["text"]
        links = [link for link in paragraph["links"] if link["end"] <= _SHOWN][:_LISTED]
        paragraph = paragraph | {"text": text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…", "links": links}
    return short_row | {"paragraphs": [] if paragraph is None else [paragraph]}
