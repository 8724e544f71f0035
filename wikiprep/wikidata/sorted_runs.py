"""The files that reading a range leaves: sorted runs of items and triples, and these merged without holding them all.

Merged, they are one sorted stream of tables, a range of keys at a time: memory is bounded by the size of a range.

A run is written every ROWS items, so that a unit that is a whole gz file takes no more memory than a small range.
"""

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import WikiprepError
from wikiprep.wikidata.item import Text, WikidataEntity
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
Keys = npt.NDArray[np.uint64]


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

    def has(self, entity: WikidataEntity) -> bool:
        """Whether the run that is open has this item or property."""
        return entity.number in self._numbers[entity.kind]

    def saw(self, number: int) -> None:
        """An item is in the dump, with a page or without."""
        self._seen.append(number)
        if len(self._seen) >= _SEEN:
            self._flush_seen()

    def add(self, entity: WikidataEntity, line: int, offset: int) -> None:
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


def open_run(path: Path) -> pa.Table:
    """A run, memory-mapped. Raises WikiprepError where it is gone or not whole."""
    try:
        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
            return reader.read_all()
    except (FileNotFoundError, pa.ArrowInvalid) as error:
        raise WikiprepError(f"{path}: not a whole file of a Wikidata unit ({error})", "run the build again") from error


def merge_runs(
    runs: Sequence[Path], key: str, rows: int, shift: int = 0
) -> Iterator[tuple[pa.Table, npt.NDArray[np.int32]]]:
    """Tables of about `rows` rows each, sorted by the whole-number column `key`, with the run that each row is of.

    Rows of one key stay in the order of `runs`, and within a run in its order. Keys that agree but for their lowest
    `shift` bits are never in two tables.
    """
    edges = _edges(runs, key, rows, shift)
    for low, high in zip([None, *edges], [*edges, None], strict=True):
        parts, of_run = [], []
        for number, path in enumerate(runs):
            table = open_run(path)
            keys = _keys(table, key)
            start = 0 if low is None else int(keys.searchsorted(low))
            end = len(keys) if high is None else int(keys.searchsorted(high))
            if end > start:
                parts.append(table.slice(start, end - start))
                of_run.append(np.full(end - start, number, np.int32))
        if not parts:
            continue
        table = pa.concat_tables(parts)
        order = np.argsort(_keys(table, key), kind="stable")
        yield table.take(pa.array(order)), np.concatenate(of_run)[order]


def _edges(runs: Sequence[Path], key: str, rows: int, shift: int) -> list[np.uint64]:
    """Keys that cut all rows into ranges of about `rows`, from a sample of every run."""
    step = max(1, rows // (4 * max(1, len(runs))))
    samples = [_keys(open_run(path), key)[::step].copy() for path in runs]
    sample = np.sort(np.concatenate(samples)) if samples else np.empty(0, np.uint64)
    cuts = sample[rows // step :: max(1, rows // step)] >> np.uint64(shift) << np.uint64(shift)
    return list(np.unique(cuts))


def _keys(table: pa.Table, key: str) -> Keys:
    keys: Keys = table[key].combine_chunks().to_numpy().astype(np.uint64, copy=False)
    return keys
