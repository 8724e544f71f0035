"""Vectors of items by what a user calls a model: a file of static word vectors, or what `embed` opens."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.extra_packages import needs_extra
from wikiprep.tasks.frozen.items import Item
from wikiprep.tasks.frozen.kinds import Floats

Note = Callable[[str], None]


@dataclass(frozen=True)
class ItemVectors:
    """`kept`: places of the items that have vectors; `rows`: by kind, [len(kept), D]. `left_out` counts the others by
    reason, `notes` what is worth knowing of those that have some."""

    kept: list[int]
    rows: Mapping[str, Floats]
    left_out: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


class Encoder(Protocol):
    """One model. `kinds`: those of vectors that it has."""

    kinds: tuple[str, ...]

    def vectors(self, items: Sequence[Item], kinds: Sequence[str]) -> ItemVectors:
        """The vectors of each item, its own words and the model alone deciding them: not the others, nor the order."""
        ...


def open_encoder(model: str, language: str | None = None, note: Note = lambda what: None) -> Encoder:
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


def select_kinds(encoder: Encoder, model: str, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of the kinds asked for (none: all) those that the model has, and those that it lacks. Raises UsageError where it
    has none."""
    available_kinds = [kind for kind in encoder.kinds if kind in names or not names]
    if not available_kinds:
        raise UsageError(f"{model}: has no vectors of {', '.join(names)}", f"it has {', '.join(encoder.kinds)}")
    return available_kinds, [kind for kind in dict.fromkeys(names) if kind not in available_kinds]


def must_have_some(vectors: ItemVectors, model: str) -> None:
    """Raises WikiprepError where no item has vectors."""
    if not vectors.kept:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in vectors.left_out.items())
        raise WikiprepError(f"{model}: none of the items has a vector", reasons or "the set is empty")
