"""LUKE as a model family of the trainer: each call is handed on to the file that does it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.about_folder import write_about
from wikiprep.pretrain.luke.attention import kernel_head_size
from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import LukeConfig, Objective
from wikiprep.pretrain.luke.corpus_entities import (
    entities_digest,
    plain_entities,
    read_entities,
    redirect_lines,
    redirects_of,
    vocabulary_path,
)
from wikiprep.pretrain.luke.entity_rows import StartReport
from wikiprep.pretrain.luke.flops import training_flops
from wikiprep.pretrain.luke.languages import OfCorpus, merged_entities, merged_redirects
from wikiprep.pretrain.luke.loss_choice import choose
from wikiprep.pretrain.luke.masking import MaskedRecord, WordWeights, mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_groups import is_trained, parameter_groups
from wikiprep.pretrain.luke.start_from import start_digest, start_from
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.row_shards import RowShards
from wikiprep.records.record import Record

_Weights = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LukeFamily:
    """`corpus` is only read again by `build_model` and `about`.

    `new_word_head`: the checkpoint to start from has no head for masked words, as BERT without its own.
    `other_entities`: ids that `random_entity_prob` draws from, where it is above 0. `languages`: the corpora, where
    they are of several.
    """

    config: LukeConfig
    objective: Objective
    words: Words
    corpus: Path
    start: str = ""
    start_language: str | None = None
    decay_head_norm: bool = True
    word_weights: WordWeights | None = None
    entity_weights: _Weights | None = None
    new_word_head: bool = False
    freeze_entity_table: bool = False
    other_entities: npt.NDArray[np.int32] | None = None
    languages: tuple[OfCorpus, ...] = ()
    name: str = "luke"

    @property
    def attention_dropout(self) -> float:
        """See `Family`."""
        return self.config.attention_dropout

    @property
    def attention_head_size(self) -> int:
        """See `Family`."""
        return kernel_head_size(self.config)

    def build_model(self, seed: int, *, empty: bool = False) -> nn.Module:
        """See `Family`. What a checkpoint to start from gave is kept in the module's `started`."""
        model = Luke(self.config, seed)
        if self.start and not empty:
            tokenizer = load_tokenizer(self.corpus / "tokenizer" / "tokenizer.json")
            model.started = start_from(
                model,
                checkpoint_folder(self.start),
                tokenizer,
                merged_entities(self.languages) if self.languages else read_entities(vocabulary_path(self.corpus)),
                lambda: merged_redirects(self.languages) if self.languages else redirects_of(self.corpus),
                self.start_language,
                several=bool(self.languages),
            )
        return model

    def identity(self) -> dict[str, str]:
        """See `Family`."""
        digests = {"entity vocabulary": entities_digest(vocabulary_path(self.corpus))}
        if self.start:
            digests["checkpoint to start from (model.start)"] = start_digest(
                self.start, partial(redirect_lines, self.corpus)
            )
        for name in ("entity_weights", "word_weights"):
            weights = getattr(self, name)
            if weights is not None:
                digests[f"numbers behind objective.{name}"] = hashlib.sha256(weights.tobytes()).hexdigest()
        return digests

    def about(self, folder: Path) -> None:
        """See `Family`."""
        write_about(folder, self.config, self.corpus, self.new_word_head, self.languages)

    def in_languages(self, corpora: Sequence[OfCorpus]) -> "LukeFamily":
        """See `SeveralLanguages`. A corpus may lack the last ids: the table is as long as any of them asks."""
        entities = merged_entities(corpora)
        config = replace(self.config, entity_vocab_size=max(self.config.entity_vocab_size, entities.size))
        others = plain_entities(entities) if self.other_entities is not None else None
        return replace(self, config=config, other_entities=others, languages=tuple(corpora))

    def notes(self, model: nn.Module) -> dict[str, object]:
        """See `Family`."""
        notes: dict[str, object] = {"parameters": sum(tensor.numel() for tensor in model.parameters())}
        if self.new_word_head:
            notes["word_head"] = "new: the checkpoint to start from has no head for masked words; stage 1 trains it too"
        started = getattr(model, "started", None)
        if isinstance(started, StartReport):
            notes |= {"start": self.start, "new_tensors": started.new}
            notes |= {"entity_rows": started.entities.as_dict()} if started.entities else {}
        return notes

    def sizes(self, record: Record) -> tuple[int, ...]:
        """See `Family`: words and, with entity inputs, entities."""
        words = len(record.word_ids) + 2
        return (words, len(record.entity_ids)) if self.config.entities else (words,)

    def collate(
        self, records: Sequence[Record], rngs: Sequence[np.random.Generator], rows: Sequence[int] | None = None
    ) -> Batch:
        """See `Family`. Raises WikiprepError for a record that is too long for the model."""
        for record in records:
            self._check_record(record)
        masked = [self._mask_record(record, rng) for record, rng in zip(records, rngs, strict=True)]
        return collate(records, masked, rows, self.words, self.config.entities)

    def masked_entities(self, record: Record, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """See `Family`."""
        return self._mask_record(record, rng).entity_targets

    def counts(self, batch: Batch) -> dict[str, int]:
        """See `Family`."""
        counts = {"mlm": len(batch[names.WORD_LABELS])}
        return counts | ({"entity": len(batch[names.ENTITY_LABELS])} if self.config.entities else {})

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`: `mlm` and, with entities, `entity`."""
        return cast(Sums, model(batch))

    def metrics(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`, and `metrics.py` for the names."""
        return cast(Sums, model(batch, "metrics"))

    def parameter_groups(self, model: nn.Module, stage: int) -> list[ParameterGroup]:
        """See `Family`. Stage 1: what the checkpoint to start from lacks; later ones: everything."""
        return parameter_groups(
            model, stage, self.decay_head_norm, self.new_word_head, freeze_entity_table=self.freeze_entity_table
        )

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        """See `Family`."""
        return list(cast(Luke, model).layers)

    def shard_tables(self, model: nn.Module, ranks: Ranks) -> list[str]:
        """See `ShardsTables`: the rows of entities and their biases."""
        luke = cast(Luke, model)
        if luke.entities is None or luke.entity_head is None:
            return []
        rows = self.config.entity_vocab_size
        luke.entities.shards = shards = RowShards(ranks.mesh(), ranks.rank, ranks.world, rows)
        luke.entities.entity.weight = shards.parameter(cast(nn.Parameter, luke.entities.entity.weight), ranks.device)
        bias = luke.entity_head.bias
        if not isinstance(bias, nn.Parameter):
            return ["entities.entity.weight"]
        luke.entity_head.bias = shards.parameter(bias, ranks.device)
        return ["entities.entity.weight", "entity_head.bias"]

    def choose_loss(
        self, model: nn.Module, batch: Batch, kind: str, compute: torch.dtype, ranks: Ranks
    ) -> dict[str, object]:
        """See `ChoosesLoss`."""
        luke = cast(Luke, model)
        luke.loss_choice.kind = kind
        return choose(luke.loss_choice, luke.head_shapes(batch), compute, ranks)

    def tokens(self, batch: Batch) -> tuple[int, int]:
        """See `Family`."""
        real = batch[names.REAL]
        return int(real.sum()), real.numel()

    def flops(self, batch: Batch, stage: int) -> float:
        """See `Family`."""
        has_new = self.config.entities or self.new_word_head
        trains = partial(is_trained, stage if has_new else 2, self.new_word_head, self.freeze_entity_table)
        return training_flops(self.config, batch, trains)

    def _mask_record(self, record: Record, rng: np.random.Generator) -> MaskedRecord:
        return mask(
            record,
            self.words,
            self.objective,
            rng,
            entities=self.config.entities,
            word_weights=self.word_weights,
            entity_weights=self.entity_weights,
            others=self.other_entities,
        )

    def _check_record(self, record: Record) -> None:
        where = f"record {record.ordinal} of page {record.page_id}"
        if len(record.word_ids) + 2 > self.config.max_words:
            raise WikiprepError(
                f"{where} has {len(record.word_ids)} tokens, the model takes {self.config.max_words - 2}",
                "raise max_positions in [model], or build the corpus with a smaller --max-seq-length",
            )
        for ids, size in ((record.word_ids, self.words.size), (record.entity_ids, self.config.entity_vocab_size)):
            if len(ids) and int(ids.max()) >= size:
                raise WikiprepError(
                    f"{where} has an id of {ids.max()}, the vocabulary goes to {size - 1}",
                    "records, tokenizer and tables are of different builds: `wikiprep verify` the corpus",
                )
