"""Rows behind a trained model's entity table for entities of a task: `[HEAD]`, `[TAIL]`, as copies of `[MASK]`.

Section 4 of Yamada et al. (2020) asks with such entities. A copy of a special token is no answer: its bias is so low
that the softmax over entities stays what it was in training. A copy of an entity has that one's bias too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.about import About
from wikiprep.pretrain.luke.exported_entities import ENTITY_BIAS, ENTITY_TABLE
from wikiprep.tables.entity_vocab import SPECIALS

NO_ENTITY = -10_000.0  # bias; within float16


def with_entities(
    tensors: Mapping[str, Tensor], about: About, names: Sequence[str], copy_of: str = "[MASK]"
) -> tuple[dict[str, Tensor], About]:
    """The state of a `Luke` and what is known of it, with an entity more for each name: behind all rows, in order.

    Raises UsageError for a model without entities, a name that it has or that comes twice, and an unknown `copy_of`.
    """
    entities = about.entities
    if not about.config.entities:
        raise UsageError("this model has no entities", "none can be added to it")
    for number, name in enumerate(names):
        if not name or name in entities.ids or name in names[:number]:
            what = "is in the vocabulary already" if name in entities.ids else "stands twice" if name else "is empty"
            raise UsageError(f"the entity {name!r} {what}", "give each new entity a name of its own")
    if copy_of not in entities.ids:
        raise UsageError(f"no entity {copy_of!r} to copy", "give a title of the vocabulary, such as [MASK]")
    state, source_row, rows = dict(tensors), entities.ids[copy_of], len(tensors[ENTITY_TABLE])
    for table in (ENTITY_TABLE, ENTITY_BIAS):
        copies = state[table][[source_row] * len(names)]
        if table == ENTITY_BIAS and copy_of in SPECIALS:
            copies = torch.full_like(copies, NO_ENTITY)
        state[table] = torch.cat([state[table], copies])
    ids = entities.ids | {name: rows + number for number, name in enumerate(names)}
    config = replace(about.config, entity_vocab_size=rows + len(names))
    return state, replace(about, config=config, entities=replace(entities, ids=ids, size=rows + len(names)))
