"""Trained weights that can be asked: all that `predict`, `embed` and `evaluate` know of a model family.

A family makes it of a checkpoint and its run's `about` folder alone, without the corpus. In one process, unwrapped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from wikiprep.pretrain.family import Family
from wikiprep.records.record import Record
from wikiprep.tables.titles_to_vocabulary import Carrier, TitleSource

TOKENS, WORDS, SPANS, ENTITIES = KINDS = ("tokens", "words", "spans", "entities")  # of vectors that a text has
PAIRS = "pairs"  # of mentions: of a model that has them (`frozen.PairVectors`)

Places = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class MarkedText:
    """A text and its mentions: spans [start, end) in code points, in order, none over another.

    `titles[i]` is the entity of span i where it is known, else None; `qids[i]` its Wikidata item, where a text says it.
    """

    text: str
    spans: tuple[tuple[int, int], ...] = ()
    titles: tuple[str | None, ...] = ()
    qids: tuple[str | None, ...] = ()


class BadText(Exception):
    """Why a model cannot take a text, for people; whoever read the text adds where it stands."""


@dataclass(frozen=True)
class Guess:
    """An entity and its probability, over all entities of the model that have a title, and `[UNK]`."""

    title: str
    score: float
    qid: str | None = None


@dataclass(frozen=True, eq=False)
class Vectors:
    """Of one text: row i of `rows` [n, D] is of `text[starts[i]:ends[i]]`."""

    starts: Places
    ends: Places
    rows: Floats


@dataclass(frozen=True, eq=False)
class EntityRanks:
    """How many entities a model prefers to the right one of each target (0: it is right).

    `over_all`, and `among` the target's candidates, -1 where the right one is none of them.
    """

    over_all: Places
    among: Places


class Trained(Protocol):
    """One model with its weights, in evaluation mode. Raises UsageError where it lacks a part that is asked for."""

    name: str
    model: nn.Module
    entities: int  # rows of the entity table that texts are looked up in; 0 where there is none
    ranks_entities: bool  # `entity_ranks` can be asked

    def family(self, options: Mapping[str, Mapping[str, object]], corpus: Path) -> Family:
        """The family as it was trained, by the tables of the run's configuration, for the records of `corpus`.

        Raises WikiprepError where the ids of `corpus` do not mean what the model learned.
        """
        ...

    def entity_ranks(
        self, records: Sequence[Record], places: Sequence[Places], candidates: Sequence[Places], *, words_masked: bool
    ) -> EntityRanks:
        """The ranks of the right entity, for each masked mention in order; `candidates`: entity ids, rising, for each.

        The mentions at `places[i]` of record i are masked, all others are seen, and all words but, with
        `words_masked`, those of the masked mentions.
        """
        ...

    def carrier(self, source: TitleSource | None = None) -> Carrier:
        """What finds the model's entities by titles and Wikidata items of links. `source`: whose titles they are."""
        ...

    def check(self, text: MarkedText) -> None:
        """Raises BadText where the model cannot take it: too long, a mention without a word, an unknown title."""
        ...

    def predict(self, texts: Sequence[MarkedText], most: int, *, words_masked: bool) -> list[list[list[Guess]]]:
        """For each mention of each text the `most` likely entities, best first. All mentions are masked at once."""
        ...

    def scores_of(self, texts: Sequence[MarkedText], titles: Sequence[Sequence[Sequence[str]]]) -> list[list[Floats]]:
        """For each mention of each text the scores of these titles of its entities, which may be none.

        The higher the likelier. All mentions are masked as entities, their words are seen.
        """
        ...

    def vectors(self, texts: Sequence[MarkedText], kind: str) -> list[Vectors]:
        """Vectors of one of KINDS. Mentions are seen by the model as their entity, or masked where none is given."""
        ...

    def entity_rows(self, titles: Sequence[str] | None) -> tuple[list[str], list[str], Tensor]:
        """Rows of the entity table: titles found (None asks for all, in order of id), titles not found, [found, H]."""
        ...


class OpenTrained(Protocol):
    """What `families.py` knows a family's maker of `Trained` as."""

    def __call__(self, about: Path, weights: Mapping[str, Tensor], device: torch.device) -> Trained:
        """Raises WikiprepError where the weights do not fit what the folder says."""
        ...


class OpenFolder(Protocol):
    """The same for a folder of Hugging Face's: configuration, tokenizer, weights, and entities where it has any."""

    def __call__(self, folder: Path, device: torch.device, language: str | None = None) -> Trained:
        """`language`: whose entities, of a vocabulary with several. Raises WikiprepError for what cannot be opened."""
        ...
