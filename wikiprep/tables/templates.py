"""templates.parquet: how often each template of the dump was rendered as text or dropped, and in how many documents."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.counts import Count, Equation

TEMPLATES = "templates.parquet"
TEMPLATES_SCHEMA = b"templates/2"
FOUND = Count("templates.found", "Calls of templates in articles and disambiguation pages.")
RENDERED = Count("templates.rendered", "Calls that gave text.")
DROPPED = Count("templates.dropped", "Calls that gave none.")
CALLS = Equation("templates", FOUND, (RENDERED, DROPPED))


def template_schema() -> pa.Schema:
    """One row a template, most dropped first. Counts are calls in documents; `pages` the documents that call it.

    `dropped_words`: words that the dropped calls were given (wikitext/templates/arguments.py, `given_words`).
    """
    return pa.schema(
        [
            ("name", pa.string()),
            ("rendered", pa.int64()),
            ("dropped", pa.int64()),
            ("pages", pa.int64()),
            ("dropped_words", pa.int64()),
        ],
        metadata={b"wikiprep.schema": TEMPLATES_SCHEMA},
    )


def merge_templates(partials: Sequence[str | Path], out_dir: str | Path) -> dict[Count, int]:
    """Write TEMPLATES into `out_dir` from the units' own tables; some 100,000 names fit in memory for any wiki.

    Returns the sums of CALLS.
    """
    rendered: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for path in partials:
        table = pq.read_table(path)
        for name, rendered_calls, dropped_calls, documents, dropped_words in zip(
            *(table[i].to_pylist() for i in range(5)), strict=True
        ):
            rendered[name] += rendered_calls
            dropped[name] += dropped_calls
            pages[name] += documents
            words[name] += dropped_words
    names = sorted(rendered, key=lambda name: (-dropped[name], -rendered[name], name))
    columns = [names, *([counts[name] for name in names] for counts in (rendered, dropped, pages, words))]
    arrays = [pa.array(values, field.type) for values, field in zip(columns, template_schema(), strict=True)]
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=template_schema()), Path(out_dir) / TEMPLATES, compression="zstd"
    )
    sums = {RENDERED: rendered.total(), DROPPED: dropped.total()}
    return {FOUND: sum(sums.values()), **sums}
