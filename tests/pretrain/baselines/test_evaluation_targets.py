"""Which targets belong together: those of a page, or of a record where there are no pages."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa

from wikiprep.pretrain.baselines.targets import masked_of, targets_of
from wikiprep.pretrain.data.stream import Places
from wikiprep.records.record import Record


def record(page: int, mentions: int) -> Record:
    places = np.arange(mentions, dtype=np.int16)
    empty = np.zeros(0, np.int8)
    return Record(page, page, 0, np.arange(9, dtype=np.int32), places + 5, places, places + 1, empty, places)  # type: ignore[arg-type]


def test_pages_of_corpora_and_records_without_pages() -> None:
    family: Any = SimpleNamespace(masked_entities=lambda record, rng: np.arange(len(record.entity_ids)))
    wiki, other = ([record(7, 2), record(7, 1), record(8, 1)], [record(7, 1), record(-1, 2), record(-1, 1)])
    readers: Any = [SimpleNamespace(read=records.__getitem__) for records in (wiki, other)]
    corpus, number = np.repeat([0, 1], 3), np.tile(np.arange(3), 2)
    masked = masked_of(family, readers, Places(corpus, number, np.zeros(6, np.int64)), 0)
    targets = targets_of(masked, pa.array([str(n) for n in range(9)]))
    _, groups = np.unique(targets.pages, return_inverse=True)
    first = {group: place for place, group in reversed(list(enumerate(groups.tolist())))}
    assert [first[group] for group in groups.tolist()] == [0, 0, 0, 3, 4, 5, 5, 7]
    assert targets.names == ["0", "1", "0", "0", "0", "0", "1", "0"]
