"""Vectors of items by what a user calls a model: a file of static word vectors, or what `embed` opens; and their kinds.

Kinds of vectors of a mention, from those of its tokens; a pair of mentions has both, concatenated:

average    mean of the last hidden states of its tokens
endpoints  those of its first and its last token, concatenated
max        their maximum, number by number
mask       mean of the states with all its tokens (of a pair those of both) replaced by the mask token
entity     the state of a `[MASK]` entity at the mention, of a model with entities
own        what the model itself has for mentions and pairs: `pretrain/frozen.py`
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.extra_packages import needs_extra
from wikiprep.tasks.frozen.items import TextItem

Floats = npt.NDArray[np.float32]

AVERAGE, ENDPOINTS, MAX, MASK, ENTITY, OWN = KINDS = ("average", "endpoints", "max", "mask", "entity", "own")
OF_TOKENS = (AVERAGE, ENDPOINTS, MAX)
Note = Callable[[str], None]


def pool_states(states: Floats, kind: str) -> Floats:
    """The vector of a mention of these tokens, [n, D], n at least 1: [D], of end points [2 D]."""
    if kind == AVERAGE:
        return np.asarray(states.mean(axis=0), np.float32)
    if kind == MAX:
        return np.asarray(states.max(axis=0), np.float32)
    if kind != ENDPOINTS:
        raise ValueError(f"no kind of vectors of tokens: {kind}")
    return np.concatenate([states[0], states[-1]])


@dataclass(frozen=True)
class ItemVectors:
    """`kept`: places of the items that have vectors; `rows`: by kind, [len(kept), D].

    `left_out` counts the others by reason, `notes` what is worth knowing of those that have some.
    """

    kept: list[int]
    rows: Mapping[str, Floats]
    left_out: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


class ItemEncoder(Protocol):
    """One model. `kinds`: those of vectors that it has."""

    kinds: tuple[str, ...]

    def vectors(self, items: Sequence[TextItem], kinds: Sequence[str]) -> ItemVectors:
        """The vectors of each item, its own words and the model alone deciding them: not the others, nor the order."""
        ...


def open_encoder(model: str, language: str | None = None, note: Note = lambda what: None) -> ItemEncoder:
    """A file: static word vectors. A folder, or a name: a run, a checkpoint, or one of Hugging Face's; needs torch.
    `language`: whose entities, of a model with several. `note`: tells how far a long work has come.

    Raises UsageError where there is nothing of these, WikiprepError where it is damaged.
    """
    if Path(model).is_file():
        from wikiprep.tasks.frozen.static_words import StaticWords

        return StaticWords(Path(model))
    with needs_extra("train", "torch", "safetensors"):
        from wikiprep.tasks.frozen.trained_vectors import open_trained
    return open_trained(model, language, note)


def select_kinds(encoder: ItemEncoder, model: str, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of the kinds asked for (none: all) those that the model has, and those that it lacks.

    Raises UsageError where it has none.
    """
    available_kinds = [kind for kind in encoder.kinds if kind in names or not names]
    if not available_kinds:
        raise UsageError(f"{model}: has no vectors of {', '.join(names)}", f"it has {', '.join(encoder.kinds)}")
    return available_kinds, [kind for kind in dict.fromkeys(names) if kind not in available_kinds]


def must_have_some(vectors: ItemVectors, model: str) -> None:
    """Raises WikiprepError where no item has vectors."""
    if not vectors.kept:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in vectors.left_out.items())
        raise WikiprepError(f"{model}: none of the items has a vector", reasons or "the set is empty")
