"""A trained SPOT that can be asked: vectors of any spans and pairs of any text, entities of spans, ranks of answers.

No text is looked up: spans and pairs of entities that training never saw have vectors like any others. The mentions of
a text see each other, as those of a sentence do in training.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from wikiprep.corpus.encoder_choice import make_encoder
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError
from wikiprep.options.option_fields import fill_options
from wikiprep.pretrain.checkpoint_tensors import fill_model
from wikiprep.pretrain.family import to_device
from wikiprep.pretrain.frozen import RelationGuess
from wikiprep.pretrain.luke.corpus_entities import read_entities, vocabulary_path
from wikiprep.pretrain.luke.text import EncodedText, encode, means, word_vectors
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.about_folder import About, read_about
from wikiprep.pretrain.spot.collate import collate
from wikiprep.pretrain.spot.config import Objective
from wikiprep.pretrain.spot.entity_softmax import NO_ENTITY
from wikiprep.pretrain.spot.example import Example, make_query_example
from wikiprep.pretrain.spot.family import SpotFamily
from wikiprep.pretrain.spot.model import Spot
from wikiprep.pretrain.spot.relation_classes import (
    best_relations,
    every_target,
    read_relation_classes,
    relation_classes_path,
)
from wikiprep.pretrain.trained import ENTITIES, SPANS, BadText, EntityRanks, Floats, Guess, MarkedText, Places, Vectors
from wikiprep.records.record import Record
from wikiprep.tables.titles_to_vocabulary import Carrier, TitleSource

_CLASSES = 1 << 24  # whose scores are held at once: 64 MB
_MASKS = ("[MASK]", "[MASK2]")  # no answers
_PAIRS = 8192  # computed at once


def open_trained(about: Path, weights: Mapping[str, Tensor], device: torch.device) -> "TrainedSpot":
    """See `OpenTrained`."""
    description = read_about(about)
    model = fill_model(about, Spot(description.text, description.config, None), weights)
    return TrainedSpot(description, model.to(device).eval())


class TrainedSpot:
    """See `Trained`, and of `frozen.py` all protocols."""

    name = "spot"
    entities = 0  # no text is looked up
    ranks_entities = True

    def __init__(self, about: About, model: Spot) -> None:
        self.about = about
        self.model = model
        self._words = words_of(about.tokenizer, "the run's tokenizer")
        self._encoder = make_encoder(about.tokenizer)
        self._device = next(model.parameters()).device

    def family(self, options: Mapping[str, Mapping[str, object]], corpus: Path) -> SpotFamily:
        """See `Trained`. A checkpoint that training started from is not looked at: all of it is in the weights."""
        self._check_corpus(corpus)
        objective = fill_options(Objective(), options.get("objective", {}), "objective")
        about = self.about
        return SpotFamily(about.text, about.config, objective, self._words, about.relations, corpus)

    def entity_ranks(
        self, records: Sequence[Record], places: Sequence[Places], candidates: Sequence[Places], *, words_masked: bool
    ) -> EntityRanks:
        """See `Trained`. "No entity" is a class too: a model that prefers it is wrong."""
        examples = [
            make_query_example(
                record, mentions=mentions, hidden=mentions.tolist() if words_masked else (), mask=self._words.mask
            )
            for record, mentions in zip(records, places, strict=True)
        ]
        vectors, batch = self._encode_spans(examples)
        with torch.no_grad():
            targets = vectors.index_select(0, batch[names.ENTITY_ROWS])
            labels = batch[names.ENTITY_LABELS]
            over_all = self.model.entities.ranks(targets, labels).cpu().numpy()
            rows = [torch.as_tensor(ids, device=self._device) for ids in candidates]
            among = self.model.entities.ranks_among(targets, labels, rows).cpu().numpy()
        return EntityRanks(over_all, among)

    def relation_ranks(self, records: Sequence[Record]) -> Places:
        """See `RanksRelations`."""
        targets = [every_target(record, self.about.relations) for record in records]
        pairs = [(record_targets.heads, record_targets.tails) for record_targets in targets]
        examples = [
            make_query_example(record, pairs=record_pairs) for record, record_pairs in zip(records, pairs, strict=True)
        ]
        vectors, batch = self._encode_spans(examples)
        with torch.no_grad():
            r = self.model.pair_vectors(
                vectors, names.spans_of(batch), batch[names.PAIR_HEADS], batch[names.PAIR_TAILS]
            )
            scores = self.model.relations(r).float().cpu().numpy()
        best_ranks, offset = [np.zeros(0, np.int64)], 0
        for record_targets in targets:
            record_scores = scores[offset : offset + len(record_targets.heads)]
            order = np.argsort(-record_scores, axis=1, kind="stable")
            ranks = np.empty_like(order)
            np.put_along_axis(ranks, order, np.arange(record_scores.shape[1])[None], axis=1)
            best = np.full(len(record_scores), record_scores.shape[1], np.int64)
            np.minimum.at(best, record_targets.pairs, ranks[record_targets.pairs, record_targets.labels])
            best_ranks.append(best)
            offset += len(record_scores)
        return np.concatenate(best_ranks)

    def carrier(self, source: TitleSource | None = None) -> Carrier:
        """See `Trained`: of the entities that it learned to tell."""
        return Carrier(self.about.entities.ids, self.about.entities.qids, dict, source)

    def check(self, text: MarkedText) -> None:
        """See `Trained`. Titles are not looked at."""
        self._encode(text)

    def predict(self, texts: Sequence[MarkedText], most: int, *, words_masked: bool) -> list[list[list[Guess]]]:
        """See `Trained`: of the vector of each span. With `words_masked` the words of all mentions are hidden."""
        vectors, _ = self._encode_spans(self._query_examples(texts, words_masked=words_masked))
        step = max(1, _CLASSES // self.about.config.entity_vocab_size)
        guesses = iter([guess for part in torch.split(vectors, step) for guess in self._best_guesses(part, most)])
        return [[next(guesses) for _ in text.spans] for text in texts]

    def scores_of(self, texts: Sequence[MarkedText], titles: Sequence[Sequence[Sequence[str]]]) -> list[list[Floats]]:
        """See `Trained`: logarithms of what the softmax over all entities gives them."""
        vectors, _ = self._encode_spans(self._query_examples(texts, words_masked=False))
        ids, scores = self.about.entities.ids, []
        vector_iterator = iter(vectors)
        for text_titles in titles:
            text_scores = []
            for mention_titles in text_titles:
                rows = torch.tensor([ids[title] for title in mention_titles], dtype=torch.long, device=self._device)
                with torch.no_grad():
                    text_scores.append(
                        self.model.entities.log_prob(next(vector_iterator)[None])[0, rows].float().cpu().numpy()
                    )
            scores.append(text_scores)
        return scores

    def vectors(self, texts: Sequence[MarkedText], kind: str) -> list[Vectors]:
        """See `Trained`. SPANS: those of the span encoder; TOKENS and WORDS: last hidden states of the text encoder."""
        if kind == ENTITIES:
            raise UsageError("this model: SPOT has no states of entities", "its vectors of mentions: --of spans")
        if kind == SPANS:
            spans = [np.array(text.spans, np.int64).reshape(-1, 2) for text in texts]
            span_vectors = self.span_vectors(texts)
            return [
                Vectors(text_spans[:, 0], text_spans[:, 1], rows)
                for text_spans, rows in zip(spans, span_vectors, strict=True)
            ]
        encoded = [self._encode(text) for text in texts]
        states = self._word_states([make_query_example(one.record) for one in encoded])
        return [
            word_vectors(kind, one, text_states[: len(one.record.word_ids)], self._encoder, self._words)
            for one, text_states in zip(encoded, states, strict=True)
        ]

    def masked_spans(self, texts: Sequence[MarkedText]) -> list[Floats]:
        """See `MasksMentions`: of the text encoder."""
        examples = self._query_examples(texts, words_masked=True)
        records = [example.record for example in examples]
        return [
            means(states, record.entity_starts, record.entity_ends)
            for states, record in zip(self._word_states(examples), records, strict=True)
        ]

    def span_vectors(self, texts: Sequence[MarkedText]) -> list[Floats]:
        """See `OwnVectors`: e, before the mentions see each other."""
        vectors, _ = self._encode_spans([make_query_example(self._encode(text).record) for text in texts])
        rows = vectors.float().cpu().numpy()
        return np.split(rows, np.cumsum([len(text.spans) for text in texts])[:-1])

    def pair_vectors(self, texts: Sequence[MarkedText], pairs: Sequence[tuple[int, int]]) -> list[Floats]:
        """See `OwnVectors`."""
        return [rows[0] for rows in self.vectors_of_pairs(texts, [[pair] for pair in pairs])]

    def vectors_of_pairs(
        self, texts: Sequence[MarkedText], pairs: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterator[Floats]:
        """See `PairVectors`."""
        for parts in self._encode_pairs(texts, pairs):
            yield torch.cat([part.float().cpu() for part in parts]).numpy()

    def relation_guesses(
        self, texts: Sequence[MarkedText], pairs: Sequence[Sequence[tuple[int, int]]], most: int, *, words_masked: bool
    ) -> Iterator[list[list[RelationGuess]]]:
        """See `GuessesRelations`."""
        head, classes = self.about.config.relation_head, self.about.relations
        for parts in self._encode_pairs(texts, pairs, words_masked=words_masked):
            with torch.no_grad():
                scores = [self.model.relations(part) for part in parts]
            yield [guesses for part in scores for guesses in best_relations(part, head, classes, most)]

    def cut_spans(self, texts: Sequence[MarkedText]) -> int:
        """See `PairVectors`."""
        records = [self._encode(text).record for text in texts]
        widest = self.about.config.max_span_width
        return sum(int((record.entity_ends - record.entity_starts > widest).sum()) for record in records)

    def entity_rows(self, titles: Sequence[str] | None) -> tuple[list[str], list[str], Tensor]:
        """See `Trained`. Raises UsageError: it has none."""
        raise UsageError(
            "this model: SPOT has no table of entities: a vector is of a span of a text", "--of spans has them"
        )

    def _encode(self, text: MarkedText) -> EncodedText:
        encoded = encode(text, self._encoder)
        limit = self.about.text.max_words - 2
        if len(encoded.record.word_ids) > limit:
            raise BadText(f"{len(encoded.record.word_ids)} tokens, the model takes {limit}")
        return encoded

    def _query_examples(self, texts: Sequence[MarkedText], *, words_masked: bool) -> list[Example]:
        records = [self._encode(text).record for text in texts]
        return [
            make_query_example(
                record, hidden=range(len(record.entity_ids)) if words_masked else (), mask=self._words.mask
            )
            for record in records
        ]

    def _make_batch(self, examples: Sequence[Example]) -> dict[str, Tensor]:
        batch = collate(examples, None, self._words, (), self.about.config.max_span_width)
        return to_device(batch, self._device)

    def _encode_spans(self, examples: Sequence[Example]) -> tuple[Tensor, dict[str, Tensor]]:
        """e of all mentions [S, size], example by example, and the batch."""
        batch = self._make_batch(examples)
        with torch.no_grad():
            _, tokens = self.model.states(batch)
            return self.model.span_vectors(tokens, names.spans_of(batch)), batch

    def _encode_pairs(
        self, texts: Sequence[MarkedText], pairs: Sequence[Sequence[tuple[int, int]]], *, words_masked: bool = False
    ) -> Iterator[Iterator[Tensor]]:
        """r of the pairs of each text, some rows at a time; a text's are computed when they are taken."""
        vectors, batch = self._encode_spans(self._query_examples(texts, words_masked=words_masked))
        with torch.no_grad():
            span_states = self.model.pairs.in_sentence(vectors, names.spans_of(batch).layout)
        offset = 0
        for text, text_pairs in zip(texts, pairs, strict=True):
            places = offset + torch.tensor(text_pairs, dtype=torch.long, device=self._device).reshape(-1, 2)
            yield (self._pair_vectors(span_states, part) for part in torch.split(places, _PAIRS))
            offset += len(text.spans)

    @torch.no_grad()
    def _pair_vectors(self, span_states: Tensor, places: Tensor) -> Tensor:
        vectors: Tensor = self.model.pairs.of_pairs(span_states, places[:, 0], places[:, 1])
        return vectors

    def _word_states(self, examples: Sequence[Example]) -> Floats:
        """[B, W, D] of the text encoder, without the first special token."""
        batch = self._make_batch(examples)
        with torch.no_grad():
            words, _ = self.model.text.encode(batch)
        states: Floats = words.float().cpu().numpy()[:, 1:]
        return states

    def _best_guesses(self, vectors: Tensor, most: int) -> Iterator[list[Guess]]:
        entities = self.about.entities
        titles_by_id = {number: name for name, number in entities.ids.items()}
        has_title = torch.zeros(self.about.config.entity_vocab_size, dtype=torch.bool, device=self._device)
        has_title[torch.tensor([n for n, name in titles_by_id.items() if n != NO_ENTITY and name not in _MASKS])] = True
        with torch.no_grad():
            probabilities = (
                self.model.entities.log_prob(vectors).float().masked_fill(~has_title, -torch.inf).softmax(dim=1)
            )
            best = probabilities.topk(min(most, int(has_title.sum())), dim=1)
        for scores, numbers in zip(best.values.tolist(), best.indices.tolist(), strict=True):
            titles = [titles_by_id[number] for number in numbers]
            yield [Guess(name, score, entities.qids.get(name)) for name, score in zip(titles, scores, strict=True)]

    def _check_corpus(self, corpus: Path) -> None:
        """Its ids must mean what the model learned."""
        about = self.about
        for what, ours, theirs in (
            (
                "tokenizer",
                about.tokenizer.get_vocab(),
                load_tokenizer(corpus / "tokenizer" / "tokenizer.json").get_vocab(),
            ),
            ("entity vocabulary", about.entities.ids, read_entities(vocabulary_path(corpus)).ids),
            (
                "vocabulary of relations",
                about.relations.properties.tolist(),
                read_relation_classes(relation_classes_path(corpus)).properties.tolist(),
            ),
        ):
            if ours != theirs:
                raise UsageError(
                    f"{corpus}: its {what} is not the model's", "evaluate on the corpus that the run was trained on"
                )
