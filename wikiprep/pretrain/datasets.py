"""Records and masked batches as torch's datasets, for trainers other than ours (docs/python.md).

All that is random is a function of (seed, epoch, corpus, record), as in `wikiprep pretrain`: neither workers, nor
ranks, nor where one begins decide what a record's masks are, and batch k of one rank is global batch k of a run with
that seed and that size. Everything here can be pickled into workers, which open the files again.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any, Literal

from torch import Tensor
from torch.utils.data import Dataset, IterableDataset, get_worker_info

from wikiprep.api.corpus import Corpus
from wikiprep.api.records import Split
from wikiprep.errors import UsageError
from wikiprep.pretrain.config import DataConfig
from wikiprep.pretrain.data.order import Batches, open_order
from wikiprep.pretrain.data.share import mask_generator
from wikiprep.pretrain.families import corpus_files_of, corpus_relations_of, family_named
from wikiprep.pretrain.luke.batch import for_transformers
from wikiprep.pretrain.start_training import local_folder
from wikiprep.records.held_out import HELD_OUT
from wikiprep.records.reader import RecordReader
from wikiprep.records.record import Record

Place = str | os.PathLike[str] | Corpus
Form = Literal["wikiprep", "transformers"]
FORMS = ("wikiprep", "transformers")
SMOOTHING = DataConfig().smoothing
_CHUNK = 256  # positions whose records are looked up together


class RecordDataset(Dataset[Record]):
    """The records of a split by number, in the order of the dump; those of several corpora one corpus after the other.

    `corpus`: an open corpus, its folder, or several of these. `split` is "train", "held_out" or "all"; `held_out` the
    share of pages that is set apart, by default that of `pretrain`. Raises WikiprepError for a corpus without records,
    and for corpora whose ids mean different things.
    """

    def __init__(self, corpus: Place | Sequence[Place], *, split: Split = "train", held_out: float = HELD_OUT) -> None:
        self._order = open_order(_urls(corpus), split, held_out, 0, SMOOTHING, shuffle=False)
        self._readers = tuple(map(RecordReader, self._order.corpora))

    def __len__(self) -> int:
        return self._order.epoch_size

    def __getitem__(self, number: int) -> Record:
        if not -len(self) <= number < len(self):
            raise IndexError(f"{number}: there are {len(self):,} records")
        ((corpus, record, _),) = self._order.records([number % len(self)])
        return self._readers[corpus].read(record)


class RecordStream(IterableDataset[Record]):
    """The records of a split in a random order that the seed alone decides, each once an epoch.

    `epochs`: None for ever. `start`: the position to begin at, where a run goes on. `rank` of `world`: this process's
    share of the stream; each has as many records, the last of them of the epoch that would follow. Several corpora are
    mixed by size^`smoothing`. With a DataLoader's workers the order stays the same, if it has `batch_size=None`.
    `shuffle` False: in the order of the dump, by default for "held_out" and "all". Raises as `RecordDataset`.
    """

    def __init__(
        self,
        corpus: Place | Sequence[Place],
        *,
        split: Split = "train",
        held_out: float = HELD_OUT,
        seed: int = 0,
        epochs: int | None = 1,
        start: int = 0,
        smoothing: float = SMOOTHING,
        shuffle: bool | None = None,
        rank: int = 0,
        world: int = 1,
    ) -> None:
        _check(seed=seed, start=start, epochs=epochs, rank=rank, world=world)
        shuffled = split == "train" if shuffle is None else shuffle
        order = open_order(_urls(corpus), split, held_out, seed, smoothing, shuffle=shuffled)
        self._batches = Batches(order, 1, epochs, start, rank, world)
        self._readers = tuple(map(RecordReader, order.corpora))

    @property
    def epoch_size(self) -> int:
        """Positions of an epoch, of all ranks together."""
        return self._batches.order.epoch_size

    def __iter__(self) -> Iterator[Record]:
        numbers = _worker_share(self._batches.numbers())
        while chunk := list(islice(numbers, _CHUNK)):
            for corpus, record, _ in self._batches.records(chunk):
                yield self._readers[corpus].read(record)


class MaskedBatches(Dataset[dict[str, Tensor]]):
    """Batches for masked language modelling with entities, by number: tensors, masked, padded and ready for a model.

    `batch_size`: records of a batch. `family`, `model` and `objective`: what `[model]` and `[objective]` of a
    configuration of `pretrain` hold (docs/pretraining.md), for example `objective={"word_share": 0.3}`;
    `model={"entities": False}` masks words alone. `form`: "wikiprep" for the names of our own model, "transformers" for
    those of `LukeForMaskedLM`, or of `RobertaForMaskedLM` where there are no entities. The rest as `RecordStream`.

    An item is a whole batch: give a DataLoader `batch_size=None`, and a trainer that wants a size `batch_size=1` with
    `MaskedBatches.collate`. Batches that are shuffled are all full, the last one with records of the epoch that would
    follow; otherwise the last one is shorter, and each record comes once. Raises UsageError for options that do not
    fit.
    """

    def __init__(
        self,
        corpus: Place | Sequence[Place],
        *,
        batch_size: int,
        family: str = "luke",
        model: Mapping[str, object] | None = None,
        objective: Mapping[str, object] | None = None,
        form: Form = "wikiprep",
        split: Split = "train",
        held_out: float = HELD_OUT,
        seed: int = 0,
        epochs: int = 1,
        smoothing: float = SMOOTHING,
        shuffle: bool | None = None,
        rank: int = 0,
        world: int = 1,
    ) -> None:
        _check(seed=seed, epochs=epochs, rank=rank, world=world, batch_size=batch_size)
        if form not in FORMS:
            raise UsageError(f"form = {form!r} is not known", f"it takes {' or '.join(FORMS)}")
        make_family = family_named(family)
        tables = {"model": dict(model or {}), "objective": dict(objective or {})}
        relations = corpus_relations_of(family, tables)
        shuffled = split == "train" if shuffle is None else shuffle
        order = open_order(_urls(corpus), split, held_out, seed, smoothing, shuffle=shuffled, relations=relations)
        self._family = make_family(tables, local_folder(order.corpora[0], corpus_files_of(family, tables)))
        if form == "transformers" and family != "luke":
            raise UsageError(f"batches of the family {family} have no form for transformers", 'give form="wikiprep"')
        self._batches = Batches(order, batch_size, epochs, 0, rank, world)
        self._readers = tuple(map(RecordReader, order.corpora))
        self._form, self._seed = form, seed

    def __len__(self) -> int:
        """Batches of this rank."""
        return len(self._batches)

    def __getitem__(self, number: int) -> dict[str, Tensor]:
        if not -len(self) <= number < len(self):
            raise IndexError(f"{number}: there are {len(self):,} batches")
        return self._build_batch(number % len(self))

    @staticmethod
    def collate(items: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
        """The one batch of a list of one. Raises UsageError for more: batches are not batched again."""
        if len(items) != 1:
            raise UsageError(f"{len(items)} batches in one", "give batch_size=1: an item is a whole batch")
        return items[0]

    def _build_batch(self, number: int) -> dict[str, Tensor]:
        records = self._batches.records([number])
        batch = self._family.collate(
            [self._readers[corpus].read(record) for corpus, record, _ in records],
            [mask_generator(self._seed, epoch, corpus, record) for corpus, record, epoch in records],
        )
        if self._form == "wikiprep":
            return batch
        entities: bool = self._family.config.entities  # type: ignore[attr-defined]
        return for_transformers(batch, entities=entities)


class MaskedStream(IterableDataset[dict[str, Tensor]]):
    """The batches of `MaskedBatches` one after the other, with the same options; `epochs` None for ever.

    `start`: the batch to begin with, where a run goes on. Give a DataLoader `batch_size=None`: the order is the same
    with any number of workers.
    """

    def __init__(
        self,
        corpus: Place | Sequence[Place],
        *,
        batch_size: int,
        epochs: int | None = 1,
        start: int = 0,
        **options: Any,
    ) -> None:
        _check(epochs=epochs, start=start)
        self._batches = MaskedBatches(corpus, batch_size=batch_size, epochs=1 if epochs is None else epochs, **options)
        self._endless, self._start = epochs is None, start

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        numbers = count(self._start) if self._endless else range(self._start, len(self._batches))
        return map(self._batches._build_batch, _worker_share(numbers))


def _worker_share(numbers: Iterable[int]) -> Iterator[int]:
    """Every n-th for each of a DataLoader's n workers, which it asks in turn."""
    worker = get_worker_info()
    return iter(numbers) if worker is None else islice(numbers, worker.id, None, worker.num_workers)


def _urls(corpus: Place | Sequence[Place]) -> list[str]:
    corpora = [corpus] if isinstance(corpus, str | os.PathLike | Corpus) else list(corpus)
    if not corpora:
        raise UsageError("no corpus given", "give an open corpus, a folder, or several")
    return [one.path if isinstance(one, Corpus) else os.fspath(one) for one in corpora]


def _check(**numbers: int | None) -> None:
    minimums = {"seed": 0, "start": 0, "epochs": 1, "rank": 0, "world": 1, "batch_size": 1}
    for name, value in numbers.items():
        if value is not None and (not isinstance(value, int) or value < minimums[name]):
            raise UsageError(f"{name} = {value!r}", f"it takes a whole number from {minimums[name]} on")
    rank, world = numbers.get("rank") or 0, numbers.get("world") or 1
    if rank >= world:
        raise UsageError(f"rank = {rank} of world = {world}", f"ranks are 0 to {world - 1}")
