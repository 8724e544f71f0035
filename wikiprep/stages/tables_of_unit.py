"""The small tables that a unit of `extract` writes beside its articles: its pages, its rejects, its templates."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.dump.pages import Page
from wikiprep.dump.title_rules import Target
from wikiprep.storage.tables import reject_schema
from wikiprep.tables.schema import partial_page_schema
from wikiprep.tables.templates import template_schema

_BATCH_ROWS = 50_000


class PageRows:
    """One row a page of any kind, for the pages and redirects of the whole dump; an Arrow IPC file.

    Written in batches as rows come: a unit can be a whole dump (one gz file).
    """

    def __init__(self, path: Path) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._schema = partial_page_schema()
        self._sink = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_file(self._sink, self._schema)

    def add(self, page: Page, kind: str, target: Target | None, qid: str | None) -> None:
        """`target` is where a redirect leads, by the wiki's title rules."""
        title = fragment = problem = None
        if kind == "redirect" and target is not None:
            if target.kind == "page":
                title, fragment = target.title, target.fragment
            else:
                problem = target.reason or target.kind
        self._rows.append(
            (page.page_id, page.revision_id, page.namespace, page.title, kind, title, fragment, problem, qid)
        )
        if len(self._rows) >= _BATCH_ROWS:
            self._flush()

    def close(self) -> None:
        """Write what is left and the footer."""
        self._flush()
        self._writer.close()
        self._sink.close()

    def _flush(self) -> None:
        self._writer.write_table(_table(self._rows, self._schema))
        self._rows.clear()


class RejectRows:
    """Pages that could not be used, and why; a Parquet file, written in row groups as rows come."""

    def __init__(self, path: Path) -> None:
        self._rows: list[tuple[int | None, str | None, str, str]] = []
        self._schema = reject_schema()
        self._writer = pq.ParquetWriter(str(path), self._schema, compression="zstd")

    def add(self, page_id: int | None, title: str | None, reason: str, detail: str) -> None:
        """One page, or one damaged range (without id and title)."""
        self._rows.append((page_id, title, reason, detail))
        if len(self._rows) >= _BATCH_ROWS:
            self._flush()

    def close(self) -> None:
        """Write what is left and the footer."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(_table(self._rows, self._schema))
            self._rows.clear()


class TemplateRows:
    """How often each template was rendered or dropped."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._pages: Counter[str] = Counter()

    def add(self, templates: Counter[tuple[str, str]]) -> None:
        """The counts of a page."""
        self._counts.update(templates)
        self._pages.update({name for name, _ in templates})

    @property
    def rows(self) -> list[tuple[str, int, int, int, int]]:
        """(name, calls rendered, calls dropped, pages, words given to dropped calls), sorted by name."""
        counts = self._counts
        return [
            (name, counts[name, "rendered"], counts[name, "dropped"], self._pages[name], counts[name, "words"])
            for name in sorted(self._pages)
        ]

    def write(self, path: Path) -> None:
        """As Parquet, sorted by name."""
        pq.write_table(_table(self.rows, template_schema()), path, compression="zstd")


def _table(rows: list[Any], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
