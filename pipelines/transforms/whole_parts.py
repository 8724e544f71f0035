"""Parts that are written whole: what `WriteArrow` and `WriteArticles` share.

Elements are gathered by their part (one GroupByKey), sorted by their ordinal, and written to local scratch; then the
file gets its final name in one step (`files.py`). Doing a part again puts the same bytes there, so that a runner may
repeat it or do it twice at a time. A part takes the memory of its own elements and no more. Last, parts of which
nothing is left (all filtered, or of redirects alone) get files without rows, and older files of the folder go.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import apache_beam as beam

from wikiprep.addresses import is_web
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.pipelines.transforms import coders as _coders  # registers them
from wikiprep.pipelines.transforms.corpus import absolute
from wikiprep.pipelines.transforms.elements import Place, WrittenPart
from wikiprep.pipelines.transforms.worker import MANIFEST, CheckedDoFn, Worker

_REGISTERED = _coders
_Written = tuple[int, int, WrittenPart]  # part, parts


class Parts:
    """How a part is written: `folder/part-00000-of-00431.suffix`. One class a kind of file."""

    transform: str
    kind: type
    folder: str
    suffix: str

    def write(self, path: Path, elements: Iterable[Any]) -> int:
        """Write elements, sorted, to a local file; the number of rows."""
        raise NotImplementedError

    def write_empty(self, path: Path, like: Path) -> None:
        """Write a file without rows, of the schema of `like`."""
        raise NotImplementedError

    def path(self, place: Place) -> str:
        """Relative to the output."""
        return f"{self.folder}/{place.name}{self.suffix}"


class WriteParts(beam.PTransform):
    """Writes the parts of a bounded PCollection; gives a `WrittenPart` for each file."""

    parts: Parts

    def __init__(self, output: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        super().__init__()
        url = absolute(os.fspath(output))
        if is_web(url):
            raise UsageError(f"{url}: nothing can be written there", "give a folder, or s3://, gs://, hdfs://")
        self._store = Store(url)
        if self._store.size(MANIFEST) is not None:
            raise UsageError(
                f"{url}: is a corpus, and its manifest would no longer be true", "give a folder of its own"
            )
        existing = self._store.list(self.parts.folder)
        if existing and not overwrite:
            raise UsageError(
                f"{url}/{self.parts.folder}: holds {len(existing)} files already, {Path(existing[0]).name} among them",
                "give another folder, or overwrite=True, which puts the new parts in their place",
            )

    def expand(self, elements: beam.PCollection) -> beam.PCollection:
        """The files that are there."""
        if not elements.is_bounded:
            raise UsageError(
                f"{self.parts.transform} writes whole parts, and this PCollection never ends", "give one that does"
            )
        written_parts = (
            elements
            | "OneWindow" >> beam.WindowInto(beam.window.GlobalWindows())
            | "ByPart" >> beam.Map(_key_by_part).with_output_types(beam.typehints.KV[int, self.parts.kind])
            | "Gather" >> beam.GroupByKey()
            | "Write" >> beam.ParDo(_Write(self.parts, self._store)).with_output_types(tuple[int, _Written])
        )
        # All parts by one key, not a side input: runners have lost those (apache/beam#36563), and a part that seems to
        # be missing would be written empty.
        return (
            written_parts
            | "All" >> beam.GroupByKey()
            | "Finish" >> beam.ParDo(self.finish()).with_output_types(WrittenPart)
        )

    def finish(self) -> "Finish":
        """What comes after the last part."""
        return Finish(self.parts, self._store)


def _key_by_part(element: Any) -> tuple[int, Any]:
    return element.place.part, element


class _Write(CheckedDoFn):
    def __init__(self, parts: Parts, store: Store) -> None:
        super().__init__(parts.transform, Worker(), parts.kind)
        self._parts, self._store = parts, store

    def process(self, element: tuple[int, Iterable[Any]]) -> Iterator[tuple[int, _Written]]:
        """Write a part."""
        elements = list(element[1])
        for it in elements:
            self.check(it)
        elements.sort(key=lambda it: it.place)
        for before, after in pairwise(elements):
            if before.place.parts != after.place.parts:
                raise _mixed_error(before.place.parts, after.place.parts)
            if before.place == after.place:
                raise WikiprepError(
                    f"{self._transform}: page {after.place.ordinal} of {after.place.name} came twice",
                    "of two sources flattened into one PCollection each needs parts of its own, or its own output",
                )
        place = elements[0].place
        if not 0 <= place.part < place.parts:
            raise WikiprepError(f"{self._transform}: part {place.part} of {place.parts}", "parts are counted from 0")
        with self._store.scratch(place.name) as folder:
            path = folder / f"part{self._parts.suffix}"
            rows = self._parts.write(path, elements)
            receipt = self._store.publish(path, self._parts.path(place))
        self.count({"parts": 1, "rows": rows})
        yield 0, (place.part, place.parts, WrittenPart(receipt.path, rows, receipt.size, receipt.sha256))


class Finish(CheckedDoFn):
    """Makes the folder whole, once, after all of its parts."""

    def __init__(self, parts: Parts, store: Store) -> None:
        super().__init__(parts.transform, Worker(), tuple)
        self._parts, self._store = parts, store

    def process(self, element: tuple[int, Iterable[_Written]]) -> Iterator[WrittenPart]:
        """Write the parts of which nothing came, and clear away what is no part of these."""
        entries = sorted(element[1], key=lambda it: it[0])
        totals = sorted({total for _, total, _ in entries})
        if len(totals) > 1:
            raise _mixed_error(*totals[:2])
        written_parts = {part: it for part, _, it in entries}
        for it in written_parts.values():
            if self._store.size(it.path) != it.size:
                raise WikiprepError(
                    f"{self._store.url}/{it.path}: was written by another worker, and is not to be seen here",
                    "a local path must lie on a disk that all workers share; else give gs://, s3:// or hdfs://",
                )
        like = self._store.fetch(entries[0][2].path)
        for part in range(totals[0]):
            if part not in written_parts:
                written_parts[part] = self._write_empty(Place(part, totals[0], 0), like)
        names = {it.path for it in written_parts.values()}
        for path in self._store.list(self._parts.folder):
            if path not in names:
                self._store.remove(path)
        yield from (written_parts[part] for part in sorted(written_parts))

    def _write_empty(self, place: Place, like: Path) -> WrittenPart:
        with self._store.scratch(place.name) as folder:
            path = folder / f"part{self._parts.suffix}"
            self._parts.write_empty(path, like)
            receipt = self._store.publish(path, self._parts.path(place))
        return WrittenPart(receipt.path, 0, receipt.size, receipt.sha256)


def _mixed_error(one: int, other: int) -> WikiprepError:
    return WikiprepError(
        f"pages of a source of {one} parts and of one of {other} are mixed",
        "give each source an output of its own, or number the parts of both through",
    )
