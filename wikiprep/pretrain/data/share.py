"""What one rank computes of one global batch: read, masked, collated, counted, ready to be sent between processes.

The masks of a record are drawn by a generator of (seed, epoch of its corpus, corpus, record) and nothing else. All
arrays are numpy's, so that a share travels from a worker as one message: as tensors each would be a file in
/dev/shm with an open descriptor, and a global batch has thousands.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.data.micro_batches import Cut, micro_batches
from wikiprep.pretrain.data.source import FetchingReader, Reader
from wikiprep.pretrain.data.stream import Places
from wikiprep.pretrain.family import Batch, Family


@dataclass
class Share:
    """The micro-batches of a rank. A rank that no record was left for computes one all the same, without weight."""

    batches: list[dict[str, Any]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)  # 1, or 0 for a stand-in
    records: list[list[tuple[int, int]]] = field(default_factory=list)  # (corpus, record) of each
    counts: Counter[str] = field(default_factory=Counter)  # masked positions by loss
    seen: int = 0  # records
    tokens: int = 0
    padded: int = 0  # positions with padding
    flops: float = 0.0

    def tensors(self, number: int) -> Batch:
        """A micro-batch as tensors, without a copy."""
        return {name: torch.as_tensor(array) for name, array in self.batches[number].items()}

    def pin_memory(self) -> "Share":
        """The same in page-locked memory, from which copies to a GPU need no waiting (the loader calls this)."""
        self.batches = [{k: torch.as_tensor(v).pin_memory() for k, v in b.items()} for b in self.batches]
        return self


@dataclass(frozen=True)
class Failure:
    """An error of a worker, to be raised where it can be told to all ranks."""

    what: str
    hint: str

    def error(self) -> WikiprepError:
        """The error itself."""
        return WikiprepError(self.what, self.hint)


def mask_generator(seed: int, epoch: int, corpus: int, record: int) -> np.random.Generator:
    """What the masks of a record are drawn with."""
    return np.random.default_rng((seed, epoch, corpus, record))


@dataclass(frozen=True)
class ShareMaker:
    """Makes the shares of one rank. Can be pickled into workers."""

    family: Family
    readers: tuple[Reader, ...]
    seed: int
    rank: int
    world: int
    cut: Cut
    stage: int = 2  # of the family, for the count of operations

    @property
    def reads_ahead(self) -> bool:
        """Whether `coming` is of use: some records are fetched from afar."""
        return any(isinstance(reader, FetchingReader) and reader.fetches for reader in self.readers)

    def coming(self, places: Places) -> None:
        """What stands at `places` will be asked for soon."""
        for number, reader in enumerate(self.readers):
            if isinstance(reader, FetchingReader) and reader.fetches:
                reader.coming(places.record[places.corpus == number])

    def share(self, places: Places) -> Share | Failure:
        """This rank's part of the global batch that stands at `places`."""
        try:
            return self._make_share(places)
        except WikiprepError as error:
            return Failure(error.what, error.hint)

    def _make_share(self, places: Places) -> Share:
        records = list(zip(places.corpus.tolist(), places.record.tolist(), places.epoch.tolist(), strict=True))
        sizes = [self.family.sizes(self.readers[corpus].peek(record)) for corpus, record, _ in records]
        share = Share()
        for step in micro_batches(sizes, self.world, self.cut):
            micro_batch = step[self.rank]
            own_records = [records[number] for number in micro_batch.records]
            self._add_micro_batch(
                share, own_records or records[:1], list(micro_batch.rows) or [0], 1.0 if own_records else 0.0
            )
        return share

    def _add_micro_batch(
        self, share: Share, records: list[tuple[int, int, int]], rows: list[int], weight: float
    ) -> None:
        batch = self.family.collate(
            [self.readers[corpus].read(record) for corpus, record, _ in records],
            [mask_generator(self.seed, epoch, corpus, record) for corpus, record, epoch in records],
            rows if len(set(rows)) < len(rows) else None,
        )
        share.batches.append({name: tensor.numpy() for name, tensor in batch.items()})
        share.weights.append(weight)
        share.records.append([(corpus, record) for corpus, record, _ in records])
        for name, count in self.family.counts(batch).items():
            share.counts[name] += count if weight else 0
        tokens, padded = self.family.tokens(batch)
        share.padded += padded
        if weight:
            share.seen += len(records)
            share.tokens += tokens
            share.flops += self.family.flops(batch, self.stage)
