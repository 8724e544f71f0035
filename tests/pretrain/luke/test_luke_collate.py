"""Every token and entity of a record is found again in the batch, at its place."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from luke_cases import SMALL, batch_of, random_record, words
from torch import Tensor

WORDS = words()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 2), min_size=1, max_size=6), st.booleans())
def test_records_are_found_again(seed: int, more: list[int], packed: bool) -> None:
    rng = np.random.default_rng(seed)
    records = [random_record(rng) for _ in more]
    # Rows do not fall, and none is left empty.
    rows = np.cumsum([0, *(step > 0 for step in more[1:])]).tolist() if packed else None
    batch = batch_of(records, rows)
    restored = batch["word_ids"].clone()
    restored.view(-1)[batch["word_targets"]] = batch["word_labels"]
    entities = batch["entity_ids"].clone()
    entities.view(-1)[batch["entity_targets"]] = batch["entity_labels"]
    width = restored.shape[1]
    assert width % 8 == 0 and entities.shape[1] % 8 == 0
    used, met = [0] * len(restored), [0] * len(restored)
    for number, record in enumerate(records):
        row = number if rows is None else rows[number]
        here = slice(used[row], used[row] + len(record.word_ids) + 2)
        there = slice(met[row], met[row] + len(record.entity_ids))
        assert restored[row, here].tolist() == [WORDS.first, *record.word_ids.tolist(), WORDS.last]
        assert batch["word_positions"][row, here].tolist() == list(range(2, 2 + len(record.word_ids) + 2))
        assert entities[row, there].tolist() == record.entity_ids.tolist()
        assert (batch["entity_starts"][row, there] - 1).tolist() == record.entity_starts.tolist()
        assert (batch["entity_ends"][row, there] - 1).tolist() == record.entity_ends.tolist()
        used[row], met[row] = here.stop, there.stop
    for row, (words_used, entities_used) in enumerate(zip(used, met, strict=True)):
        real = batch["real"][row]
        assert real[:words_used].all() and not real[words_used:width].any()
        assert real[width : width + entities_used].all() and not real[width + entities_used :].any()
        assert (restored[row, words_used:] == WORDS.pad).all()
    assert ("segments" in batch) == (rows is not None and len(set(rows)) < len(rows))


def test_a_record_is_masked_alike_whatever_stands_beside_it() -> None:
    rng = np.random.default_rng(1)
    first, second = random_record(rng), random_record(rng)
    alone, both = batch_of([first]), batch_of([first, second])
    length = alone["real"].sum()
    assert length == both["real"][0].sum()

    def words_of(batch: dict[str, Tensor]) -> Tensor:
        return batch["word_ids"][0][: len(first.word_ids) + 2]

    assert torch.equal(words_of(alone), words_of(both))
    assert torch.equal(alone["word_labels"], both["word_labels"][: len(alone["word_labels"])])


def test_without_entities_there_are_no_columns_for_them() -> None:
    record = random_record(np.random.default_rng(3), SMALL, entities=5)
    batch = batch_of([record], entities=False)
    assert batch["entity_ids"].shape == (1, 0)
    assert batch["real"].shape == batch["word_ids"].shape
    assert not len(batch["entity_labels"])
