"""A trained LUKE that can be asked: entities of mentions, vectors, ranks of right answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from wikiprep.corpus.encoder_choice import make_encoder
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError
from wikiprep.pretrain.checkpoint_tensors import fill_model
from wikiprep.pretrain.family import Batch, to_device
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.about_folder import About, read_about
from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import Objective
from wikiprep.pretrain.luke.corpus_entities import entities_size, plain_entities, read_entities, vocabulary_path
from wikiprep.pretrain.luke.entity_rows import with_entities
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.luke.languages import EntityNames, plain_redirects, with_language
from wikiprep.pretrain.luke.masking import MASK, UNK, MaskedRecord
from wikiprep.pretrain.luke.masking_weights import entity_weights, word_weights
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.softmax import ranks_among, target_ranks
from wikiprep.pretrain.luke.text import EncodedText, encode, means, word_vectors
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.trained import (
    ENTITIES,
    SPANS,
    TOKENS,
    WORDS,
    BadText,
    EntityRanks,
    Floats,
    Guess,
    MarkedText,
    Places,
    Vectors,
)
from wikiprep.records.record import Record
from wikiprep.tables.titles_to_vocabulary import Carrier, TitleSource

_MENTIONS = 32  # whose scores of all entities are held at once: 64 MB at 500,000 entities
_NO_PLACES = np.zeros(0, np.int64)


def open_trained(about: Path, weights: Mapping[str, Tensor], device: torch.device) -> "TrainedLuke":
    """See `OpenTrained`."""
    description = read_about(about)
    return TrainedLuke(description, fill_model(about, Luke(description.config), weights).to(device).eval())


class TrainedLuke:
    """See `Trained`."""

    name = "luke"

    def __init__(
        self,
        about: About,
        model: Luke,
        lacks: Mapping[str, str] | None = None,
        of: str = "",
        language: str | None = None,
    ) -> None:
        """`lacks`: of `word_head` and `entity_head` those that are not there, with a reason for people.

        `of`: whose tokenizer it is, of a folder; such a one may have more tokens and entities than a corpus has.
        `language`: in which titles are plain (`languages.py`), of several.
        """
        self.model = model
        self._missing_heads = dict(lacks or {})
        self._source = of
        self.entities = about.config.entity_vocab_size if about.config.entities else 0
        self.ranks_entities = bool(self.entities)
        self._about = about
        self._words = words_of(about.tokenizer, of or "the run's tokenizer")
        self._encoder = make_encoder(about.tokenizer)
        self._language = language if about.languages else None
        self._names = EntityNames.of(about.entities, about.languages, language)
        self._device = next(model.parameters()).device

    @property
    def about(self) -> About:
        """Its configuration, tokenizer and entities."""
        return self._about

    def in_language(self, language: str | None) -> "TrainedLuke":
        """See `Multilingual`; of a model with titles in one language the same."""
        return TrainedLuke(self._about, self.model, self._missing_heads, self._source, language)

    def with_entities(self, names: Sequence[str], copy_of: str = "[MASK]") -> "TrainedLuke":
        """A model with an entity more for each name, whose rows are copies of that of `copy_of`, on the same device.

        This one stays as it is. Raises UsageError as `entity_rows.with_entities` does.
        """
        tensors, about = with_entities(self.model.state_dict(), self._about, names, copy_of)
        model = Luke(about.config, seed=None)
        model.load_state_dict(tensors)
        return TrainedLuke(about, model.to(self._device).eval(), self._missing_heads, self._source, self._language)

    def family(self, options: Mapping[str, Mapping[str, object]], corpus: Path) -> LukeFamily:
        """See `Trained`. A checkpoint that training started from is not looked at: all of it is in the weights."""
        self._require_head("word_head", "it has vectors, and no losses")
        if self.entities:
            self._require_head("entity_head", "it has vectors, and no losses")
        self._check_corpus(corpus)
        objective = Objective(**options.get("objective", {}))  # type: ignore[arg-type]  # checked when the run began
        config = self._about.config
        if not self.entities:  # the mentions of a record are there, and are not looked at
            config = replace(config, entity_vocab_size=entities_size(vocabulary_path(corpus)))
        word_file, size = objective.word_weights, config.entity_vocab_size
        return LukeFamily(
            config,
            objective,
            self._words,
            corpus,
            word_weights=word_weights(word_file, self._words.size, corpus / "tokenizer" / "tokenizer.json"),
            entity_weights=entity_weights(objective.entity_weights, objective.entity_exponent, corpus, size),
            other_entities=plain_entities(self._about.entities) if objective.random_entity_prob else None,
        )

    def entity_ranks(
        self, records: Sequence[Record], places: Sequence[Places], candidates: Sequence[Places], *, words_masked: bool
    ) -> EntityRanks:
        """See `Trained`. `[PAD]`, `[MASK]` and their like are entities too: a model that prefers them is wrong."""
        masked = [
            self._mask_record(record, mention_places, words_masked)
            for record, mention_places in zip(records, places, strict=True)
        ]
        batch = self._make_batch(records, masked)
        with torch.no_grad():
            states = self._entity_states(batch)
            table, bias = self._table_and_bias()
            labels = batch[names.ENTITY_LABELS]
            over_all = target_ranks(states, table, bias, labels).cpu().numpy()
            rows = [torch.as_tensor(ids, device=self._device) for ids in candidates]
            among = ranks_among(states, table, bias, labels, rows).cpu().numpy()
        return EntityRanks(over_all, among)

    def carrier(self, source: TitleSource | None = None) -> Carrier:
        """See `Trained`."""
        redirects = partial(_plain_redirects, self._about, self._language)
        return Carrier(self._names.ids, self._names.qids, redirects, source)

    def check(self, text: MarkedText) -> None:
        """See `Trained`."""
        self._encode(text)

    def predict(self, texts: Sequence[MarkedText], most: int, *, words_masked: bool) -> list[list[list[Guess]]]:
        """See `Trained`. Special tokens are no answers, but for `[UNK]`: an entity outside the vocabulary."""
        self._require_entities()
        self._require_head("entity_head", "it has vectors of entities")
        states = self._mention_states(texts, words_masked=words_masked)
        with torch.no_grad():
            guesses = iter(
                [guess for part in torch.split(states, _MENTIONS) for guess in self._best_guesses(part, most)]
            )
        return [[next(guesses) for _ in text.spans] for text in texts]

    def scores_of(self, texts: Sequence[MarkedText], titles: Sequence[Sequence[Sequence[str]]]) -> list[list[Floats]]:
        """See `Trained`."""
        self._require_entities()
        self._require_head("entity_head", "it has vectors of entities")
        states, (table, bias) = self._mention_states(texts, words_masked=False), self._table_and_bias()
        scores, ids = [], self._names.ids
        for row, mention_titles in enumerate(name for text_titles in titles for name in text_titles):
            rows = torch.tensor([ids[title] for title in mention_titles], dtype=torch.long, device=self._device)
            with torch.no_grad():
                scores.append((table[rows] @ states[row] + bias[rows]).float().cpu().numpy())
        remaining = iter(scores)
        return [[next(remaining) for _ in text_titles] for text_titles in titles]

    def _mention_states(self, texts: Sequence[MarkedText], *, words_masked: bool) -> Tensor:
        """[mentions, size] of the entity head, text by text."""
        records = [self._encode(text).record for text in texts]
        all_places = [np.arange(len(record.entity_ids)) for record in records]
        masked = [
            self._mask_record(record, mention_places, words_masked)
            for record, mention_places in zip(records, all_places, strict=True)
        ]
        with torch.no_grad():
            return self._entity_states(self._make_batch(records, masked))

    def vectors(self, texts: Sequence[MarkedText], kind: str) -> list[Vectors]:
        """See `Trained`: last hidden states; of a word or span the mean over its tokens, of an entity its own."""
        if kind == ENTITIES:
            self._require_entities()
        encoded = [self._encode(text) for text in texts]
        records = [encoded_text.record for encoded_text in encoded]
        with torch.no_grad():
            inputs = [self._with_entity_ids(text, record) for text, record in zip(texts, records, strict=True)]
            words, entities = self.model.encode(self._make_batch(records, inputs))
        vectors = []
        for row, (text, encoded_text) in enumerate(zip(texts, encoded, strict=True)):
            count = len(encoded_text.record.word_ids)
            states = words[row, 1 : count + 1].float().cpu().numpy()
            if kind == ENTITIES:
                states = entities[row, : len(text.spans)].float().cpu().numpy()
            vectors.append(self._vectors_of(kind, text, encoded_text, states))
        return vectors

    def masked_spans(self, texts: Sequence[MarkedText]) -> list[Floats]:
        """See `MasksMentions`. A model with entities sees each mention as `[MASK]`."""
        records = [self._encode(text).record for text in texts]
        all_places = [np.arange(len(record.entity_ids)) for record in records]
        masked = [
            self._mask_record(record, mention_places, True)
            for record, mention_places in zip(records, all_places, strict=True)
        ]
        with torch.no_grad():
            words, _ = self.model.encode(self._make_batch(records, masked))
        states = words.float().cpu().numpy()[:, 1:]
        return [
            means(text_states, record.entity_starts, record.entity_ends)
            for text_states, record in zip(states, records, strict=True)
        ]

    def entity_rows(self, titles: Sequence[str] | None) -> tuple[list[str], list[str], Tensor]:
        """See `Trained`. The rows as they are: 256 numbers, before the matrix U."""
        self._require_entities()
        ids, titles_of = self._names.ids, self._names.title
        requested_titles = [titles_of[number] for number in sorted(titles_of)] if titles is None else titles
        found_titles, missing_titles = (
            [title for title in requested_titles if title in ids],
            [title for title in requested_titles if title not in ids],
        )
        rows = torch.tensor([ids[title] for title in found_titles], dtype=torch.long, device=self._device)
        return found_titles, missing_titles, self._table_and_bias()[0].detach()[rows].float().cpu()

    def _vectors_of(self, kind: str, text: MarkedText, encoded: EncodedText, states: Floats) -> Vectors:
        starts, ends = (np.array([span[side] for span in text.spans], np.int64) for side in (0, 1))
        record = encoded.record
        if kind == ENTITIES:
            return Vectors(starts, ends, states)
        if kind == SPANS:
            return Vectors(starts, ends, means(states, record.entity_starts, record.entity_ends))
        assert kind in (TOKENS, WORDS)
        return word_vectors(kind, encoded, states, self._encoder, self._words)

    def _encode(self, text: MarkedText) -> EncodedText:
        encoded = encode(text, self._encoder)
        limit = self._about.config.max_words - 2
        if len(encoded.record.word_ids) > limit:
            raise BadText(f"{len(encoded.record.word_ids)} tokens, the model takes {limit}")
        for title in text.titles:
            if title is not None and title not in self._names.ids:
                raise BadText(f"the entity {title!r} is not in the model's vocabulary")
        return encoded

    def _mask_record(self, record: Record, places: Places, words_masked: bool) -> MaskedRecord:
        ids, entities = record.word_ids.copy(), record.entity_ids.copy()
        entities[places] = MASK
        for place in places if words_masked else ():
            ids[record.entity_starts[place] : record.entity_ends[place]] = self._words.mask
        return MaskedRecord(ids, _NO_PLACES, entities, places)

    def _with_entity_ids(self, text: MarkedText, record: Record) -> MaskedRecord:
        entity_ids = [MASK if title is None else self._names.ids[title] for title in text.titles]
        return MaskedRecord(record.word_ids, _NO_PLACES, np.array(entity_ids, np.int32), _NO_PLACES)

    def _make_batch(self, records: Sequence[Record], masked: Sequence[MaskedRecord]) -> Batch:
        return to_device(collate(records, masked, None, self._words, bool(self.entities)), self._device)

    def _entity_states(self, batch: Batch) -> Tensor:
        _, entities = self.model.encode(batch)
        assert self.model.entity_head is not None
        states: Tensor = self.model.entity_head(at_places(entities, batch[names.ENTITY_TARGETS]))
        return states

    def _table_and_bias(self) -> tuple[Tensor, Tensor]:
        assert self.model.entities is not None and self.model.entity_head is not None
        return self.model.entities.entity.weight, self.model.entity_head.bias

    def _best_guesses(self, states: Tensor, most: int) -> Iterator[list[Guess]]:
        table, bias = self._table_and_bias()
        has_title = torch.zeros(len(table), dtype=torch.bool, device=self._device)
        has_title[torch.tensor([n for n, title in self._names.title.items() if n == UNK or not _is_special(title)])] = (
            True
        )
        probabilities = (states @ table.T + bias).float().masked_fill(~has_title, -torch.inf).softmax(dim=1)
        best = probabilities.topk(min(most, int(has_title.sum())), dim=1)
        for scores, numbers in zip(best.values.tolist(), best.indices.tolist(), strict=True):
            titles, qids = [self._names.title[number] for number in numbers], self._names.qids
            yield [Guess(title, score, qids.get(title)) for title, score in zip(titles, scores, strict=True)]

    def _require_entities(self) -> None:
        if not self.entities:
            raise UsageError(f"{self._source or 'this model'}: has no entities", "it has vectors of words and spans")

    def _require_head(self, head: str, hint: str) -> None:
        if head in self._missing_heads:
            raise UsageError(self._missing_heads[head], hint)

    def _check_corpus(self, corpus: Path) -> None:
        """Its ids must mean what the model learned."""
        words = load_tokenizer(corpus / "tokenizer" / "tokenizer.json").get_vocab()
        if not self._is_same_vocabulary(words, self._about.tokenizer.get_vocab()):
            raise UsageError(
                f"{corpus}: its tokenizer is not the model's", "build the corpus with the model's tokenizer"
            )
        if self.entities and not self._has_same_entities(read_entities(vocabulary_path(corpus)).ids):
            raise UsageError(
                f"{corpus}: its entity vocabulary is not the model's", "build the corpus with the model's vocabulary"
            )

    def _has_same_entities(self, of_corpus: Mapping[str, int]) -> bool:
        ids = self._about.entities.ids
        if not self._about.languages:
            return self._is_same_vocabulary(of_corpus, ids)
        return any(
            all(ids.get(with_language(language, title)) == number for title, number in of_corpus.items())
            for language in self._about.languages
        )

    def _is_same_vocabulary(self, of_corpus: Mapping[str, int], of_model: Mapping[str, int]) -> bool:
        """A folder's model may know more than a corpus has, such as the words that an export adds."""
        return of_corpus.items() <= of_model.items() if self._source else of_corpus == of_model


def _plain_redirects(about: About, language: str | None) -> Mapping[str, str]:
    return plain_redirects(about.redirects(), language)


def _is_special(title: str) -> bool:
    return title in ("[PAD]", "[UNK]", "[MASK]", "[MASK2]")
