"""Wikidata's items of the mentions of finished records: from the records, or from the vocabulary by entity id."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc


def mention_items(records: pa.RecordBatch, items: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The item of every mention of a batch of records, in order; -1 for none. `items`: by entity id."""
    name = "entity_qids"
    if name in records.schema.names:
        stored_items: npt.NDArray[np.int64] = pc.list_flatten(records[name]).to_numpy(zero_copy_only=False)
        return stored_items
    entity_items: npt.NDArray[np.int64] = items[pc.list_flatten(records["entity_ids"]).to_numpy(zero_copy_only=False)]
    return entity_items


class FlatRelations:
    """The relations of a batch of records as arrays: `head` and `tail` number the mentions of the batch."""

    def __init__(self, records: pa.RecordBatch) -> None:
        lists = records["relations"]
        values = pc.list_flatten(lists)
        self.record = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64)
        mentions = pc.list_value_length(records["entity_ids"]).to_numpy(zero_copy_only=False).astype(np.int64)
        first = (np.cumsum(mentions) - mentions)[self.record]
        self.mentions = mentions[self.record]  # of each relation's record
        self.head_index, self.tail_index, self.property, self.rank, self.source = (
            values.field(name).to_numpy(zero_copy_only=False) for name in ("head", "tail", "property", "rank", "source")
        )
        self.head, self.tail = first + self.head_index, first + self.tail_index

    def __len__(self) -> int:
        return len(self.record)
