"""What a trained model may have beside `Trained`.

Titles in several languages, vectors of mentions with their words masked, its own of mentions and pairs, and the
relations of pairs. A family whose model has these methods is asked for them by `predict`, `embed`, `evaluate` and
`tasks/frozen/`; one that lacks them is not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from wikiprep.pretrain.trained import Floats, MarkedText, Places, Trained
from wikiprep.records.record import Record


@runtime_checkable
class MasksMentions(Protocol):
    """It has a mask token."""

    def masked_spans(self, texts: Sequence[MarkedText]) -> list[Floats]:
        """[n, D] of each text: of each mention the mean over its tokens, where those of all mentions are masked."""
        ...


@runtime_checkable
class Multilingual(Protocol):
    """Its entities may have titles in several languages."""

    def in_language(self, language: str | None) -> Trained:
        """The same model, asked by plain titles of that language; those of the others are "en:Oslo".

        Raises UsageError where it has no titles in it.
        """
        ...


@runtime_checkable
class OwnVectors(Protocol):
    """It was pretrained with vectors of mentions and pairs, as SPOT's span and pair encoders."""

    def span_vectors(self, texts: Sequence[MarkedText]) -> list[Floats]:
        """[n, D] of each text, a row a mention."""
        ...

    def pair_vectors(self, texts: Sequence[MarkedText], pairs: Sequence[tuple[int, int]]) -> list[Floats]:
        """[D] of each text: of the ordered pair (head, tail) of its mentions, by their numbers."""
        ...


@runtime_checkable
class PairVectors(Protocol):
    """Vectors of any ordered pairs of a text's mentions, and spans of which a bounded number of tokens counts."""

    def vectors_of_pairs(
        self, texts: Sequence[MarkedText], pairs: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterator[Floats]:
        """[n, D] of each text, a row a pair (head, tail) of its mentions; all of its mentions are seen.

        One text after the other, since pairs are quadratic in mentions.
        """
        ...

    def cut_spans(self, texts: Sequence[MarkedText]) -> int:
        """How many mentions have more tokens than count."""
        ...


@dataclass(frozen=True)
class RelationGuess:
    """A property ("P36"), its label where the corpus had one, and its probability for a pair of mentions."""

    property: str
    label: str | None
    score: float


@runtime_checkable
class GuessesRelations(Protocol):
    """It names relations of any two mentions of a text."""

    def relation_guesses(
        self, texts: Sequence[MarkedText], pairs: Sequence[Sequence[tuple[int, int]]], most: int, *, words_masked: bool
    ) -> Iterator[list[list[RelationGuess]]]:
        """The likeliest `most` properties of each text's ordered pairs (head, tail) of mentions, best first.

        With `words_masked` the words of all mentions are hidden. A model without a class for "no relation" says which
        one a pair would have.
        """
        ...


@runtime_checkable
class RanksRelations(Protocol):
    """It guesses the relation of two mentions."""

    def relation_ranks(self, records: Sequence[Record]) -> Places:
        """[n]: how many properties the model prefers to the best of a pair's own (0: it is right).

        Of each ordered pair with a relation, record by record and by head and tail.
        """
        ...
