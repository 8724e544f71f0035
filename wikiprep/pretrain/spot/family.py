"""SPOT as a model family of the trainer: each call is handed on to the file that does it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import WikiprepError
from wikiprep.pretrain.checkpoint_tensors import checkpoint_folder
from wikiprep.pretrain.family import Batch, ParameterGroup, Sums
from wikiprep.pretrain.luke import batch as word_names
from wikiprep.pretrain.luke.attention import kernel_head_size
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.corpus_entities import entities_digest, read_entities, vocabulary_path
from wikiprep.pretrain.luke.start_from import start_digest, start_from
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.about_folder import write_about
from wikiprep.pretrain.spot.collate import collate
from wikiprep.pretrain.spot.config import Objective, SpotConfig
from wikiprep.pretrain.spot.entity_softmax import ADAPTIVE, usable_cutoffs
from wikiprep.pretrain.spot.example import example_of
from wikiprep.pretrain.spot.model import ENTITY, MLM, RELATION, Spot
from wikiprep.pretrain.spot.parameter_groups import (
    Sizes,
    is_trained,
    parameter_groups,
    parameters_by_module,
    training_flops,
)
from wikiprep.pretrain.spot.relation_classes import RelationClasses
from wikiprep.records.record import Record


@dataclass(frozen=True, eq=False)
class SpotFamily:
    """`corpus` is only read again by `build_model` and `about`. `new_word_head`: see `LukeFamily`."""

    text: LukeConfig
    config: SpotConfig
    objective: Objective
    words: Words
    relations: RelationClasses
    corpus: Path
    start: str = ""
    new_word_head: bool = False
    name: str = "spot"

    @property
    def attention_dropout(self) -> float:
        """See `Family`."""
        return self.text.attention_dropout

    @property
    def attention_head_size(self) -> int:
        """See `Family`."""
        return kernel_head_size(self.text)

    def build_model(self, seed: int, *, empty: bool = False) -> nn.Module:
        """See `Family`. What a checkpoint to start from gave is kept in the `started` of the text encoder."""
        model = Spot(self.text, self.config, seed)
        if self.start and not empty:
            tokenizer = load_tokenizer(self.corpus / "tokenizer" / "tokenizer.json")
            entities = read_entities(vocabulary_path(self.corpus))
            folder = checkpoint_folder(self.start)
            model.text.started = start_from(model.text, folder, tokenizer, entities, dict, None)
        return model

    def identity(self) -> dict[str, str]:
        """See `Family`."""
        digests = {
            "entity vocabulary": entities_digest(vocabulary_path(self.corpus)),
            "relation vocabulary": self.relations.digest(),
        }
        if self.start:
            digests["checkpoint to start from (model.start)"] = start_digest(self.start, tuple)  # it takes no entities
        return digests

    def about(self, folder: Path) -> None:
        """See `Family`."""
        write_about(folder, self.text, self.config, self.corpus, self.new_word_head)

    def notes(self, model: nn.Module) -> dict[str, object]:
        """See `Family`: `modules` has the parameters of each module."""
        model = cast(Spot, model)
        notes: dict[str, object] = {
            "parameters": sum(tensor.numel() for tensor in model.parameters()),
            "modules": parameters_by_module(model),
        }
        if self.new_word_head:
            notes["word_head"] = "new: the checkpoint to start from has no head for masked words; stage 1 trains it too"
        if model.text.started is not None:
            notes |= {"start": self.start, "new_tensors": [f"text.{name}" for name in model.text.started.new]}
        return notes

    def sizes(self, record: Record) -> tuple[int, ...]:
        """See `Family`: words. Spans and pairs are no positions."""
        return (len(record.word_ids) + 2,)

    def collate(
        self, records: Sequence[Record], rngs: Sequence[np.random.Generator], rows: Sequence[int] | None = None
    ) -> Batch:
        """See `Family`. Raises WikiprepError for a record that is too long for the model, or damaged."""
        examples = []
        for record, rng in zip(records, rngs, strict=True):
            self._check_record(record)
            examples.append(example_of(record, self.words, self.relations, self.objective, rng))
        return collate(examples, rows, self.words, self._cutoffs, self.config.max_span_width)

    def masked_entities(self, record: Record, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """See `Family`: all mentions, as entities are guessed of visible ones too."""
        return np.arange(len(record.entity_ids))

    def counts(self, batch: Batch) -> dict[str, int]:
        """See `Family`: of the three losses, and what was cut or left out."""
        counts = {
            MLM: len(batch[word_names.WORD_LABELS]),
            ENTITY: len(batch[names.ENTITY_LABELS]),
            RELATION: len(batch[names.PAIR_HEADS]),
        }
        return counts | dict(zip(names.COUNTS, batch[names.NUMBERS].tolist(), strict=True))

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`: `mlm`, `entity`, `relation`."""
        return cast(Sums, model(batch))

    def metrics(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`, and `model.py` for the names."""
        return cast(Sums, model(batch, "metrics"))

    def parameter_groups(self, model: nn.Module, stage: int) -> list[ParameterGroup]:
        """See `Family`. Stage 1: what the checkpoint to start from lacks; later ones: everything."""
        return parameter_groups(model, stage, self.new_word_head)

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        """See `Family`: the layers of the text encoder."""
        return list(cast(Spot, model).text.layers)

    def tokens(self, batch: Batch) -> tuple[int, int]:
        """See `Family`."""
        real = batch[word_names.REAL]
        return int(real.sum()), real.numel()

    def flops(self, batch: Batch, stage: int) -> float:
        """See `Family`."""
        return training_flops(self._sizes, batch, partial(is_trained, stage, self.new_word_head))

    @cached_property
    def _sizes(self) -> Sizes:
        with torch.device("meta"):
            return Sizes(Spot(self.text, self.config, None))

    @property
    def _cutoffs(self) -> tuple[int, ...]:
        if self.config.entity_softmax != ADAPTIVE:
            return ()
        return usable_cutoffs(self.config.entity_cutoffs, self.config.entity_vocab_size)

    def _check_record(self, record: Record) -> None:
        where = f"record {record.ordinal} of page {record.page_id}"
        length = len(record.word_ids)
        if length + 2 > self.text.max_words:
            raise WikiprepError(
                f"{where} has {length} tokens, the model takes {self.text.max_words - 2}",
                "raise max_positions in [model], or build the corpus with a smaller --max-seq-length",
            )
        hint = "records, tokenizer and tables are of different builds: `wikiprep verify` the corpus"
        for ids, size in ((record.word_ids, self.words.size), (record.entity_ids, self.config.entity_vocab_size)):
            if len(ids) and int(ids.max()) >= size:
                raise WikiprepError(f"{where} has an id of {ids.max()}, the vocabulary goes to {size - 1}", hint)
        starts, ends = record.entity_starts, record.entity_ends
        wrong = np.flatnonzero((starts < 0) | (ends <= starts) | (ends > length))
        if len(wrong):
            span = f"[{starts[wrong[0]]}, {ends[wrong[0]]})"
            raise WikiprepError(f"{where} has a mention {span}, and {length} tokens", hint)
