"""What a trained model may have beside `Trained`: vectors of mentions with their words masked, and its own of mentions
and pairs. A family whose model has these methods is asked for them by `tasks/frozen/`; one that lacks them is not."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from wikiprep.pretrain.trained import Floats, Marked


@runtime_checkable
class MasksMentions(Protocol):
    """It has a mask token."""

    def masked_spans(self, texts: Sequence[Marked]) -> list[Floats]:
        """[n, D] of each text: of each mention the mean over its tokens, where those of all mentions are masked."""
        ...


@runtime_checkable
class OwnVectors(Protocol):
    """It was pretrained with vectors of mentions and pairs, as SPOT's span and pair encoders."""

    def span_vectors(self, texts: Sequence[Marked]) -> list[Floats]:
        """[n, D] of each text, a row a mention."""
        ...

    def pair_vectors(self, texts: Sequence[Marked], pairs: Sequence[tuple[int, int]]) -> list[Floats]:
        """[D] of each text: of the ordered pair (head, tail) of its mentions, by their numbers."""
        ...
