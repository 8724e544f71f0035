"""Torch's datasets of records and masked batches: what they hold, in which order, whoever reads them."""

import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

import wikiprep
from wikiprep.pretrain.data.share import mask_generator
from wikiprep.pretrain.data.stream import Stream
from wikiprep.pretrain.luke import batch as names
from wikiprep.records.training_corpus import open_corpora

Key = tuple[int, int]


def keys(records: Iterable[wikiprep.Record]) -> list[Key]:
    return [(record.page_id, record.ordinal) for record in records]


@pytest.fixture(scope="module")
def all_keys(sample_corpus: Path) -> list[Key]:
    return keys(wikiprep.open(sample_corpus).records())


def test_records_by_number_are_the_splits(sample_corpus: Path, all_keys: list[Key]) -> None:
    train = wikiprep.RecordDataset(sample_corpus, held_out=0.3)
    held_out = wikiprep.RecordDataset(str(sample_corpus), split="held_out", held_out=0.3)
    corpus = wikiprep.open(sample_corpus)
    assert keys(train) == keys(corpus.records("train", held_out=0.3))
    assert keys(held_out) == keys(corpus.records("held_out", held_out=0.3))
    assert keys(wikiprep.RecordDataset(corpus, split="all")) == all_keys
    assert keys([train[-1]]) == keys([train[len(train) - 1]])
    with pytest.raises(IndexError):
        train[len(train)]


def test_a_stream_has_each_record_once_an_epoch_in_the_trainer_s_order(
    sample_corpus: Path, all_keys: list[Key]
) -> None:
    stream = wikiprep.RecordStream(sample_corpus, held_out=0, seed=5, epochs=2)
    read = keys(stream)
    size = stream.epoch_size
    assert size == len(all_keys)
    first, second = read[:size], read[size:]
    assert sorted(first) == sorted(second) == sorted(all_keys) and first != second and first != all_keys
    (corpus,) = open_corpora([str(sample_corpus)], 0)
    places = Stream.of(5, [corpus.split], 0.7).places(0, 50)
    assert first[:50] == [all_keys[number] for number in places.record.tolist()]
    assert keys(wikiprep.RecordStream(sample_corpus, held_out=0, seed=6)) != first
    assert keys(wikiprep.RecordStream(sample_corpus, held_out=0, seed=5, epochs=2, start=size - 3)) == read[size - 3 :]
    assert keys(wikiprep.RecordStream(sample_corpus, split="all")) == all_keys


def test_ranks_share_a_stream_and_have_as_many_each(sample_corpus: Path, all_keys: list[Key]) -> None:
    whole = keys(wikiprep.RecordStream(sample_corpus, held_out=0, seed=5, epochs=2))
    ranks = [keys(wikiprep.RecordStream(sample_corpus, held_out=0, seed=5, rank=r, world=7)) for r in range(7)]
    assert {len(one) for one in ranks} == {-(-len(all_keys) // 7)}
    together = [key for turn in zip(*ranks, strict=True) for key in turn]
    assert together == whole[: len(together)]


def test_an_endless_stream_goes_on(sample_corpus: Path, all_keys: list[Key]) -> None:
    stream = iter(wikiprep.RecordStream(sample_corpus, seed=5, epochs=None))
    assert len([next(stream) for _ in range(len(all_keys) + 5)]) == len(all_keys) + 5
    endless = iter(wikiprep.MaskedStream(sample_corpus, batch_size=200, seed=5, epochs=None))
    assert len([next(endless) for _ in range(4)]) == 4


@pytest.fixture(scope="module")
def batches(sample_corpus: Path) -> wikiprep.MaskedBatches:
    return wikiprep.MaskedBatches(sample_corpus, batch_size=16, seed=3)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def test_a_batch_is_the_trainer_s_global_batch_mask_for_mask(
    sample_corpus: Path, batches: wikiprep.MaskedBatches
) -> None:
    from wikiprep.pretrain.families import family_named
    from wikiprep.records.reader import RecordReader

    (corpus,) = open_corpora([str(sample_corpus)], 0.002)
    places = Stream.of(3, [corpus.split], 0.7).places(32, 48)
    family = family_named("luke")({}, sample_corpus)
    reader = RecordReader(corpus)
    numbers = list(zip(places.record.tolist(), places.epoch.tolist(), strict=True))
    made = family.collate(
        [reader.read(number) for number, _ in numbers],
        [mask_generator(3, epoch, 0, number) for number, epoch in numbers],
    )
    assert same(batches[2], made)


def test_all_batches_are_full_and_every_record_is_in_one(
    sample_corpus: Path, batches: wikiprep.MaskedBatches, all_keys: list[Key]
) -> None:
    assert len(batches) == -(-len(wikiprep.RecordDataset(sample_corpus)) // 16)
    assert {len(batches[number][names.WORD_IDS]) for number in range(len(batches))} == {16}
    with pytest.raises(IndexError):
        batches[len(batches)]
    assert same(batches[-1], batches[len(batches) - 1])
    plain = wikiprep.MaskedBatches(sample_corpus, batch_size=16, split="all")
    sizes = [len(plain[number][names.WORD_IDS]) for number in range(len(plain))]
    assert sum(sizes) == len(all_keys) and set(sizes[:-1]) == {16}


def test_masks_can_be_undone_and_ranks_are_of_one_batch(sample_corpus: Path, batches: wikiprep.MaskedBatches) -> None:
    batch = batches[0]
    words = batch[names.WORD_IDS].flatten().clone()
    words[batch[names.WORD_TARGETS]] = batch[names.WORD_LABELS]
    first = next(iter(wikiprep.RecordStream(sample_corpus, seed=3)))
    row = words.view(batch[names.WORD_IDS].shape)[0, 1 : len(first.word_ids) + 1]
    assert np.array_equal(row.numpy(), first.word_ids)
    assert (batch[names.ENTITY_IDS] == 2).any()
    halves = [wikiprep.MaskedBatches(sample_corpus, batch_size=8, seed=3, rank=r, world=2)[0] for r in range(2)]
    labels = torch.cat([half[names.ENTITY_LABELS] for half in halves])
    assert torch.equal(labels, batch[names.ENTITY_LABELS])


def test_workers_and_pickle_change_nothing(sample_corpus: Path, batches: wikiprep.MaskedBatches) -> None:
    again = pickle.loads(pickle.dumps(batches))
    alone = [batches[number] for number in range(len(batches))]
    stream = wikiprep.MaskedStream(sample_corpus, batch_size=16, seed=3, start=1)
    for dataset, expected in ((again, alone), (stream, alone[1:])):
        read = list(DataLoader(dataset, batch_size=None, num_workers=2, multiprocessing_context="fork"))
        assert len(read) == len(expected) and all(map(same, read, expected))
    records = wikiprep.RecordStream(sample_corpus, seed=3)
    loader = DataLoader(
        records, batch_size=None, num_workers=2, collate_fn=lambda it: it, multiprocessing_context="fork"
    )
    assert keys(loader) == keys(records)


def test_the_form_for_transformers(sample_corpus: Path, batches: wikiprep.MaskedBatches) -> None:
    ours = batches[1]
    theirs = wikiprep.MaskedBatches(sample_corpus, batch_size=16, seed=3, form="transformers")[1]
    assert torch.equal(theirs["input_ids"], ours[names.WORD_IDS])
    assert theirs["attention_mask"].shape == theirs["labels"].shape == theirs["input_ids"].shape
    assert theirs["attention_mask"].sum() + theirs["entity_attention_mask"].sum() == ours[names.REAL].sum()
    for labels, targets, known in (
        ("labels", names.WORD_TARGETS, names.WORD_LABELS),
        ("entity_labels", names.ENTITY_TARGETS, names.ENTITY_LABELS),
    ):
        flat = theirs[labels].flatten()
        assert torch.equal(flat[ours[targets]], ours[known]) and int((flat != -100).sum()) == len(ours[known])
    positions = theirs["entity_position_ids"]
    assert torch.equal((positions >= 0).sum(2), ours[names.ENTITY_ENDS] - ours[names.ENTITY_STARTS])
    assert torch.equal(positions.clamp(min=0).amax(2) + 1, ours[names.ENTITY_ENDS].clamp(min=1))
    plain = wikiprep.MaskedBatches(sample_corpus, batch_size=4, form="transformers", model={"entities": False})[0]
    assert set(plain) == {"input_ids", "attention_mask", "labels"}


def test_several_corpora_are_mixed(sample_corpus: Path, all_keys: list[Key], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.symlink_to(sample_corpus)
    assert keys(wikiprep.RecordDataset([sample_corpus, other], split="all")) == all_keys * 2
    with pytest.raises(wikiprep.UsageError, match="given twice"):
        wikiprep.RecordDataset([sample_corpus, sample_corpus])


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"batch_size": 0}, "batch_size = 0"),
        ({"epochs": 0}, "epochs = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"rank": 2, "world": 2}, "ranks are 0 to 1"),
        ({"split": "test"}, "it takes all, train, held_out"),
        ({"held_out": 2}, "no share"),
        ({"smoothing": 2}, "no share"),
        ({"form": "keras"}, "it takes wikiprep or transformers"),
        ({"family": "bart"}, "no model family 'bart'"),
        ({"objective": {"word_shares": 1}}, "word_shares"),
        ({"held_out": 0, "split": "held_out"}, "no record in the split 'held_out'"),
    ],
)
def test_what_cannot_be_is_told(sample_corpus: Path, options: dict[str, Any], what: str) -> None:
    with pytest.raises(wikiprep.WikiprepError, match=what):
        wikiprep.MaskedBatches(sample_corpus, **{"batch_size": 4, **options})


def test_batches_are_not_batched_again(batches: wikiprep.MaskedBatches) -> None:
    assert batches.collate([batches[0]]).keys() == batches[0].keys()
    with pytest.raises(wikiprep.UsageError, match="batch_size=1"):
        batches.collate([batches[0], batches[1]])
    with pytest.raises(wikiprep.UsageError, match="no corpus given"):
        wikiprep.RecordDataset([])


def test_relations_come_in_batches_of_spot(sample_spot: Path) -> None:
    batch = wikiprep.MaskedBatches(sample_spot, batch_size=4, family="spot")[0]
    assert len(batch["relation_pairs"])
    with pytest.raises(wikiprep.UsageError, match="no form for transformers"):
        wikiprep.MaskedBatches(sample_spot, batch_size=4, family="spot", form="transformers")
