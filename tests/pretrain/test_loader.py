"""Shares made ahead by workers: each record once over all ranks, in order, whatever the number of workers."""

from pathlib import Path

import numpy as np
from toy_family import make

from wikiprep.pretrain.data.loader import GlobalBatches, shares
from wikiprep.pretrain.data.micro_batches import Cut
from wikiprep.pretrain.data.share import Failure, Share, ShareMaker
from wikiprep.pretrain.data.stream import Stream
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus


def test_an_epoch_over_ranks_and_workers(sample_corpus: Path) -> None:
    corpus = open_corpus(str(sample_corpus), 0.1)
    stream = Stream.of(0, [corpus.split], 0.7)
    size = 10
    count = stream.epoch_size // size
    by_step: list[list[int]] = [[] for _ in range(count)]
    for rank, workers in ((0, 2), (1, 0)):
        maker = ShareMaker(make({}, sample_corpus), (RecordReader(corpus),), 0, rank, 2, Cut(600))
        made = list(shares(GlobalBatches(maker, stream, 0, size), count, workers, pin=False))
        assert len(made) == count
        for step, share in enumerate(made):
            assert isinstance(share, Share)
            assert all(tensor.dtype.is_floating_point is False for tensor in share.tensors(0).values())
            by_step[step] += [record for group in share.records for _, record in group]
    seen = [record for records in by_step for record in records]
    assert len(seen) == len(set(seen)) == count * size
    order = stream.places(0, count * size).record.reshape(count, size)
    assert [sorted(records) for records in by_step] == np.sort(order, axis=1).tolist()


def test_a_worker_that_is_killed_is_told(sample_corpus: Path) -> None:
    """As the system does where memory runs out."""
    corpus = open_corpus(str(sample_corpus), 0.1)
    family = make({"model": {"fail": "killed"}}, sample_corpus)
    maker = ShareMaker(family, (RecordReader(corpus),), 0, 0, 1, Cut(600))
    batches = GlobalBatches(maker, Stream.of(0, [corpus.split], 0.7), 0, 10)
    (told,) = shares(batches, 3, 1, pin=False)
    assert isinstance(told, Failure)
    assert "was ended from without (DataLoader worker" in told.what and "data.workers" in told.hint
