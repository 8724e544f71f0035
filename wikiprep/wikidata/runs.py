"""The files that reading a range leaves: sorted runs of items and triples, to be merged without holding them all.

A run is written every ROWS items, so that a unit that is a whole gz file takes no more memory than a small range.
"""

from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from wikiprep.wikidata.item import Entity, Text
from wikiprep.wikidata.schema import (
    item_run_schema,
    property_run_schema,
    redirect_run_schema,
    reject_run_schema,
    seen_run_schema,
    triple_run_schema,
)

KINDS = ("items", "triples", "properties", "seen", "redirects", "rejects")
ROWS = 50_000
_SEEN = 4_000_000


class RunWriter:
    """Writes `KIND-00000.arrow`, `KIND-00001.arrow`, … into a folder; `files` are those written, in order.

    Items and triples of one number are of the same items; a file without rows is not written.
    """

    def __init__(self, folder: Path, rows: int = ROWS) -> None:
        self.files: list[Path] = []
        self._folder, self._limit = folder, rows
        self._file_counts = dict.fromkeys(("run", "seen", "redirects", "rejects"), 0)
        self._items: list[tuple[Any, ...]] = []
        self._properties: list[tuple[Any, ...]] = []
        self._rejects: list[tuple[Any, ...]] = []
        self._redirects = array("q")  # old, new, old, new, …
        self._numbers = {"item": set[int](), "property": set[int]()}
        self._pairs, self._props, self._ranks = array("Q"), array("i"), array("b")
        self._seen = array("L" if array("L").itemsize == 4 else "I")

    def has(self, entity: Entity) -> bool:
        """Whether the run that is open has this item or property."""
        return entity.number in self._numbers[entity.kind]

    def saw(self, number: int) -> None:
        """An item is in the dump, with a page or without."""
        self._seen.append(number)
        if len(self._seen) >= _SEEN:
            self._flush_seen()

    def add(self, entity: Entity, line: int, offset: int) -> None:
        """An item with a page, or a property, and where it stands in the range."""
        self._numbers[entity.kind].add(entity.number)
        texts = (*_text(entity.label), *_text(entity.description))
        if entity.kind == "property":
            row = (entity.number, *texts, entity.datatype, entity.inverses, entity.subject_types, line, offset)
            self._properties.append(row)
        else:
            titles = [{"wiki": wiki, "title": title} for wiki, title in entity.sitelinks]
            flags = (entity.instance_of, entity.is_disambiguation, entity.is_list)
            self._items.append((entity.number, titles, *texts, *flags, line, offset))
            head = entity.number << 32
            for triple in entity.triples:
                self._pairs.append(head | triple.tail)
                self._props.append(triple.property)
                self._ranks.append(triple.rank)
        if len(self._items) + len(self._properties) >= self._limit:
            self._flush()

    def add_redirect(self, old: int, new: int) -> None:
        """An item was merged into another."""
        self._redirects.extend((old, new))
        if len(self._redirects) >= _SEEN:
            self._flush_redirects()

    def reject(self, line: int, offset: int, name: str | None, reason: str, detail: str) -> None:
        """A line or an entity that could not be used."""
        self._rejects.append((line, offset, name, reason, detail))
        if len(self._rejects) >= self._limit:
            self._flush_rejects()

    def close(self) -> None:
        """Write what is left."""
        self._flush()
        self._flush_seen()
        self._flush_redirects()
        self._flush_rejects()

    def _flush(self) -> None:
        run = self._next_number("run")
        for rows, kind, schema in (
            (self._items, "items", item_run_schema()),
            (self._properties, "properties", property_run_schema()),
        ):
            rows.sort(key=lambda row: row[0])
            self._write(kind, run, _table(rows, schema))
            rows.clear()
        pairs, props = np.array(self._pairs, np.uint64), np.array(self._props, np.int32)
        order = np.lexsort((props, pairs))
        columns = (pairs[order], props[order], np.array(self._ranks, np.int8)[order])
        self._write("triples", run, pa.Table.from_arrays([pa.array(c) for c in columns], schema=triple_run_schema()))
        self._pairs, self._props, self._ranks = array("Q"), array("i"), array("b")
        for numbers in self._numbers.values():
            numbers.clear()

    def _flush_seen(self) -> None:
        numbers = np.unique(np.array(self._seen, np.uint32))
        table = pa.Table.from_arrays([pa.array(numbers)], schema=seen_run_schema())
        self._write("seen", self._next_number("seen"), table)
        del self._seen[:]

    def _flush_redirects(self) -> None:
        pairs = np.array(self._redirects, np.int64).reshape(-1, 2)
        columns = [pa.array(pairs[:, 0].copy()), pa.array(pairs[:, 1].copy())]
        table = pa.Table.from_arrays(columns, schema=redirect_run_schema())
        self._write("redirects", self._next_number("redirects"), table)
        del self._redirects[:]

    def _flush_rejects(self) -> None:
        self._write("rejects", self._next_number("rejects"), _table(self._rejects, reject_run_schema()))
        self._rejects.clear()

    def _next_number(self, kind: str) -> int:
        self._file_counts[kind] += 1
        return self._file_counts[kind] - 1

    def _write(self, kind: str, number: int, table: pa.Table) -> None:
        if not table.num_rows:
            return
        path = self._folder / f"{kind}-{number:05}.arrow"
        table = table.combine_chunks()
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        self.files.append(path)


def _text(text: Text | None) -> tuple[str | None, str | None]:
    return (None, None) if text is None else (text.value, text.language)


def _table(rows: list[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
