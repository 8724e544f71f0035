"""A record by its number, from memory-mapped shards: microseconds, nothing copied, each row checked when it is read.

Nothing is held open across processes: a reader that is pickled opens its shards again where it arrives. Pages of a
shard that were read stay in the system's cache, shared by all processes, and count as no process's own memory. Of a
corpus at an address a shard is fetched when it is first read, and let go when it is no more in the cache.
"""

import contextlib
import threading
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.corpus.row_checksums import Column, checked_columns, from_metadata, row_checksum
from wikiprep.errors import WikiprepError
from wikiprep.records.record import RELATION, Record, Relations, no_relations
from wikiprep.records.shard_cache import CONNECTIONS, RemoteShard, ShardCache
from wikiprep.records.training_corpus import TrainingCorpus

_LISTS = ("word_ids", "entity_ids", "entity_starts", "entity_ends", "entity_sources", "sentence_starts")
_NUMBERS = ("page_id", "revision_id", "ordinal")
_RELATIONS = "relations"
_HINT = "the corpus is damaged: copy it again, or run `wikiprep verify` on it and build it anew"


@dataclass(frozen=True)
class _Batch:
    """The columns of one batch of a shard, as they are mapped."""

    columns: Mapping[str, Column]
    nulls: Mapping[str, npt.NDArray[np.bool_] | None]
    checksums: npt.NDArray[np.uint32] | None


class RecordReader:
    """The records of a corpus. Not for several threads at once; every process has its own.

    With their relations where the corpus was opened with them (`open_corpora`); of a record that is set apart for some
    of its pairs, with theirs alone.
    """

    def __init__(self, corpus: TrainingCorpus) -> None:
        self._corpus = corpus
        self._index = [(shard, batch) for shard, s in enumerate(corpus.shards) for batch in range(len(s.batches))]
        self._starts = [0, *accumulate(rows for shard in corpus.shards for rows in shard.batches)]
        self._batches: dict[int, _Batch] = {}
        self._files: dict[int, Any] = {}
        self._inodes: dict[int, int] = {}  # of the files that are open, where they are fetched
        self._used_shards: set[int] = set()  # shards, since another was opened
        self._prefetcher: ShardPrefetcher | None = None

    def __reduce__(self) -> tuple[type["RecordReader"], tuple[TrainingCorpus]]:
        return RecordReader, (self._corpus,)

    def __len__(self) -> int:
        return self._starts[-1]

    @property
    def fetches(self) -> bool:
        """Whether its shards are fetched from an address."""
        return self._corpus.cache is not None

    @property
    def has_checksums(self) -> bool:
        """False for a corpus of an earlier version, whose rows cannot be checked one by one."""
        return self._open(0)[0].checksums is not None

    def read(self, number: int) -> Record:
        """Record `number`, checked. Raises WikiprepError that names shard and row where it is not as it was written."""
        batch, row = self._open(number)
        if batch.checksums is not None and row_checksum(list(batch.columns.values()), row) != batch.checksums[row]:
            raise self._damage_error(number, "not what was written there (wrong checksum)")
        if not self._corpus.relations:
            return _build_record(batch, row, no_relations())
        relations, facts = _build_relations(batch, row), self._corpus.facts
        if facts is not None:
            relations = facts.of_record(relations, _list_at(batch, "entity_ids", row))
        return _build_record(batch, row, relations)

    def row(self, number: int) -> dict[str, Any]:
        """All columns of record `number` as plain values, text and titles too; numbers are checked as by `read`."""
        self.read(number)
        shard, place, row = self._locate(number)
        (values,) = self._files[shard].get_batch(self._index[place][1]).slice(row, 1).to_pylist()
        return dict(values)

    def peek(self, number: int) -> Record:
        """The same unchecked and without relations, for its sizes.

        What its arrays hold is not read from disk before it is looked at.
        """
        return _build_record(*self._open(number), no_relations())

    def coming(self, numbers: npt.NDArray[np.int64]) -> None:
        """Records that will be read soon: their shards are fetched in the background, where they must be."""
        if self._corpus.cache is None:
            return
        if self._prefetcher is None:
            self._prefetcher = ShardPrefetcher(self._corpus.cache)
        places = np.unique(np.searchsorted(self._starts, numbers, side="right") - 1).tolist()
        for shard in {self._index[place][0] for place in places}:
            if shard not in self._files:
                self._prefetcher.want(self._corpus.shards[shard])

    def place(self, number: int) -> str:
        """Where the record stands, for people: shard and row."""
        shard, _, _ = self._locate(number)
        rows_before = number - self._starts[self._index.index((shard, 0))]
        return f"{self._corpus.url}/{self._corpus.shards[shard].name}: row {rows_before}"

    def _damage_error(self, number: int, problem: str) -> WikiprepError:
        cache, shard = self._corpus.cache, self._corpus.shards[self._locate(number)[0]]
        if cache is None:
            return WikiprepError(f"{self.place(number)}: {problem}", _HINT)
        return WikiprepError(f"{self.place(number)} (kept as {cache.path(shard)}): {problem}", cache.hint(shard))

    def _locate(self, number: int) -> tuple[int, int, int]:
        """Shard, place of the batch among all batches, row in it."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        place = bisect_right(self._starts, number) - 1
        return self._index[place][0], place, number - self._starts[place]

    def _open(self, number: int) -> tuple[_Batch, int]:
        shard, place, row = self._locate(number)
        batch = self._batches.get(place)
        self._used_shards.add(shard)
        if batch is None:
            try:
                if shard not in self._files:
                    self._files[shard] = self._open_shard(shard)
                batch = _read_batch(self._files[shard].get_batch_with_custom_metadata(self._index[place][1]))
            except (pa.ArrowException, OSError, ValueError) as error:
                raise self._damage_error(number, f"cannot be read ({error})") from error
            self._batches[place] = batch
        return batch, row

    def _open_shard(self, shard: int) -> Any:
        cache, shards = self._corpus.cache, self._corpus.shards
        if cache is None:
            return self._corpus.open(shards[shard])
        for other in self._used_shards - {shard}:
            cache.used(shards[other])
        self._used_shards = {shard}
        reader, self._inodes[shard] = cache.open(shards[shard])
        open_shards = self._inodes.keys() - {
            shard
        }  # it may be gone again already: it is let go when the next is opened
        removed_shards = {other for other in open_shards if cache.inode(shards[other]) != self._inodes[other]}
        for other in removed_shards:
            del self._files[other], self._inodes[other]
        self._batches = {
            place: batch for place, batch in self._batches.items() if self._index[place][0] not in removed_shards
        }
        return reader


def _read_batch(batch_and_metadata: Any) -> _Batch:
    columns = checked_columns(batch_and_metadata.batch)
    nulls = {name: _null_mask(batch_and_metadata.batch.column(name)) for name in _NUMBERS}
    checksums = from_metadata(batch_and_metadata.custom_metadata)
    if checksums is not None and len(checksums) != batch_and_metadata.batch.num_rows:
        raise ValueError(f"{len(checksums)} checksums of {batch_and_metadata.batch.num_rows} rows")
    return _Batch(columns, nulls, checksums)


def _null_mask(column: Any) -> npt.NDArray[np.bool_] | None:
    nulls: npt.NDArray[np.bool_] | None = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
    return nulls


def _build_record(batch: _Batch, row: int, relations: Relations) -> Record:
    columns = [*(_number_at(batch, name, row) for name in _NUMBERS), *(_list_at(batch, name, row) for name in _LISTS)]
    return Record(*[*columns, relations])


def _build_relations(batch: _Batch, row: int) -> Relations:
    columns = {name: _list_at(batch, f"{_RELATIONS}.{name}", row) for name in RELATION.names or ()}
    relations = np.empty(len(columns["head"]), RELATION)
    for name, values in columns.items():
        relations[name] = values
    return relations


def _number_at(batch: _Batch, name: str, row: int) -> Any:
    nulls = batch.nulls[name]
    return -1 if nulls is not None and nulls[row] else int(batch.columns[name][1][row])


def _list_at(batch: _Batch, name: str, row: int) -> Any:
    offsets, values = batch.columns[name]
    assert offsets is not None
    return values[offsets[row] : offsets[row + 1]]


class ShardPrefetcher:
    """Fetches shards in the background, each asked for once in a while. What cannot be had is told by who needs it."""

    def __init__(self, cache: ShardCache) -> None:
        self._cache = cache
        self._queue: SimpleQueue[RemoteShard] = SimpleQueue()
        for _ in range(CONNECTIONS):
            threading.Thread(target=self._work, daemon=True).start()

    def want(self, shard: RemoteShard) -> None:
        """Begin to fetch it, if it is not here."""
        if not self._cache.here(shard):
            self._queue.put(shard)

    def _work(self) -> None:
        while True:
            with contextlib.suppress(Exception):
                self._cache.fetch(self._queue.get())
