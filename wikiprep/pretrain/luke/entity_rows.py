"""Rows of the entity table: those of another model's that are entities here, those of a task's, what an export changes.

By QID or title, never by id (`match_rows`): a title there finds its entity here as any title of another dump does
(`tables/titles_to_vocabulary.py`). Rows that nothing claims keep the values of a new model.

Behind a trained model's rows stand those of a task's entities, `[HEAD]` and `[TAIL]`, as copies of `[MASK]`
(`with_entities`). Section 4 of Yamada et al. (2020) asks with such entities. A copy of a special token is no answer:
its bias is so low that the softmax over entities stays what it was in training. A copy of an entity has that one's bias
too.

What an export changes is kept beside it, so that the folder opens as the model that was trained (`restore`). `[MASK2]`,
which transformers wants, is a copy of `[MASK]`: as a new row behind the table, or in the place of a row of the corpus's
that no link ever meant. Either way one more entity takes part in the softmax over entities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from wikiprep.errors import UsageError
from wikiprep.files import apply_umask
from wikiprep.pretrain.luke.about_folder import About
from wikiprep.tables.entity_vocab import SPECIALS
from wikiprep.tables.titles_to_vocabulary import BY_QID, BY_REDIRECT, BY_TITLE, Carrier

_WAYS = (BY_QID, BY_TITLE, BY_REDIRECT)  # the best first
NO_ENTITY = -10_000.0  # bias; within float16
AS_TRAINED = "as_trained.safetensors"
ENTITY_TABLE, ENTITY_BIAS = "entities.entity.weight", "entity_head.bias"
_ROWS, _CHANGED = "entity_rows", "changed_row"


@dataclass(frozen=True)
class Matches:
    """How entities here found their rows, and rows their entities. Special tokens are matched by name beside these."""

    by_qid: int
    by_title: int
    by_redirect: int
    unmatched: int  # entities here without a row there
    unused: int  # rows there without an entity here

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return asdict(self)


@dataclass(frozen=True)
class StartReport:
    """`new`: tensors that the checkpoint does not have; `entities`: None where it has no entity table."""

    new: list[str] = field(default_factory=list)
    entities: Matches | None = None


def match_rows(
    ours: Mapping[str, int],
    theirs: Mapping[str, int],
    redirects: Mapping[str, str],
    our_qids: Mapping[str, str],
    their_qids: Mapping[str, str],
) -> tuple[npt.NDArray[np.int64], Matches]:
    """(row there of each id here, -1 for none; counts). All by title; `redirects`: title -> title at the chain's end.

    Several rows can claim one entity (a page and its redirect): QID before title before redirect, then the lower id.
    """
    row_of = np.full(max(ours.values(), default=-1) + 1, -1, np.int64)
    entities = {title: number for title, number in ours.items() if title not in SPECIALS}
    carrier = Carrier(entities, {title: qid for title, qid in our_qids.items() if title in entities}, lambda: redirects)
    way_of: dict[int, int] = {}
    for title, row in sorted(theirs.items(), key=lambda item: item[1]):
        match = None if title in SPECIALS else carrier.find(title, their_qids.get(title))
        if match is None:
            continue
        entity, way = ours[match.title], _WAYS.index(match.way)
        if way < way_of.get(entity, len(_WAYS)):
            way_of[entity], row_of[entity] = way, row
    for token in SPECIALS:
        if token in ours and token in theirs:
            row_of[ours[token]] = theirs[token]
    used_rows = set(row_of[list(way_of)].tolist())
    rows = {row for title, row in theirs.items() if title not in SPECIALS}
    by_qid, by_title, by_redirect = (sum(1 for way in way_of.values() if way == kind) for kind in range(len(_WAYS)))
    unmatched = len(set(entities.values())) - len(way_of)
    return row_of, Matches(by_qid, by_title, by_redirect, unmatched, len(rows - used_rows))


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


def write_as_trained(folder: Path, tensors: Mapping[str, Tensor], mask2: int) -> None:
    """`tensors`: as trained; `mask2`: the row that the export fills."""
    rows = len(tensors[ENTITY_TABLE])
    original_rows = {name: tensors[name][mask2 : mask2 + 1].float().clone() for name in (ENTITY_TABLE, ENTITY_BIAS)}
    save_file(original_rows, folder / AS_TRAINED, {_ROWS: str(rows), _CHANGED: str(mask2)})
    apply_umask(folder / AS_TRAINED)


def restore(folder: Path, tensors: dict[str, Tensor]) -> int | None:
    """Undo it in the tables of `tensors` (our names). Returns how many rows there were; None for another's folder."""
    path = folder / AS_TRAINED
    if not path.is_file():
        return None
    with safe_open(path, "pt") as file:
        metadata = file.metadata()
        rows, changed_row = int(metadata[_ROWS]), int(metadata[_CHANGED])
        for name in (ENTITY_TABLE, ENTITY_BIAS):
            if name in tensors:
                row = file.get_tensor(name)
                parts = [tensors[name][:changed_row], row.to(tensors[name].dtype), tensors[name][changed_row + 1 :]]
                tensors[name] = torch.cat(parts)[:rows]
    return rows
