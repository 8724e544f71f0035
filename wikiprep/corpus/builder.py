"""Articles to records: our rules, a batch at a time.

Per batch: paragraphs are joined into one array, ICU breaks it once, it is encoded once, and the rest is arithmetic on
positions. Each link, each span added to them (spans.py) and each sentence ends in exactly one count, so that the sums
close (design rule 4). Sentences and
tokens depend on which links are annotated: a mention starts and ends on a token boundary and lies in one sentence.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from tokenizers import Tokenizer

from wikiprep.config import RecordsConfig
from wikiprep.corpus.article_arrays import FlatArticles, flatten, slices
from wikiprep.corpus.assemble import LivingMentions, Sentences, assemble
from wikiprep.corpus.encoder import Encoder, Tokens
from wikiprep.corpus.encoder_choice import make_encoder
from wikiprep.corpus.joined_text import JoinedText, Positions, join
from wikiprep.corpus.packing import Mask, SentenceSplitter, first_of_records, outside_spans, without_overlaps
from wikiprep.corpus.record_counts import (
    PARAGRAPHS_DROPPED,
    PARAGRAPHS_FOUND,
    PARAGRAPHS_KEPT,
    RECORDS_DROPPED,
    RECORDS_FOUND,
    RECORDS_WRITTEN,
    SENTENCE_STARTS,
    SENTENCES_DROPPED,
    SENTENCES_FOUND,
    SENTENCES_JOINED,
    SENTENCES_KEPT,
    SENTENCES_SPLIT,
)
from wikiprep.corpus.relations import Aligner, MentionRelations
from wikiprep.corpus.schema import record_schema
from wikiprep.corpus.sentences import locale_of, sentence_starts
from wikiprep.corpus.spans import LINK, UNK, Outcomes, SpanAdder, Spans, places_in_records
from wikiprep.counts import Count
from wikiprep.errors import UsageError

MEMO_TARGETS = 200_000  # link targets whose entity is remembered
SLICE_BYTES = 1_000_000  # text worked on at once; about 60 bytes of memory a byte of it

_PROSE = pa.array(["prose", "quote"])
_LISTS = pa.array(["list_item", "term", "definition"])


class RecordBuilder:
    """Builds records of articles with one tokenizer, one language and one vocabulary.

    `entity_id` gives the id of a link's target (a title before redirects), None for one outside the vocabulary.
    Every page given is worked on: the caller keeps disambiguation pages out. `counts` grows with each batch and closes
    by the equations of `record_counts.py`; with `adds` also by those of `spans.py`, with `aligner` of `relations.py`.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        language: str,
        config: RecordsConfig,
        entity_id: Callable[[str], int | None],
        adds: SpanAdder | None = None,
        aligner: Aligner | None = None,
        *,
        slice_bytes: int = SLICE_BYTES,
    ) -> None:
        _check(config)
        self.counts: Counter[Count] = Counter()
        self.schema = record_schema(config.text, None if aligner is None else aligner.config)
        self._encoder: Encoder = make_encoder(tokenizer)
        self._locale = locale_of(language)
        self._config = config
        self._limit = config.max_seq_length - 2
        self._entity_id = entity_id
        self._span_adder = adds
        self._aligner = aligner
        self._entity_cache: dict[str, int | None] = {}
        self._slice_bytes = slice_bytes

    def build(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The records of a batch of articles (columns `article_arrays.COLUMNS` at least), in order of its rows."""
        parts = [self._build(flatten(part)) for part in slices(batch, self._slice_bytes)]
        if len(parts) == 1:
            return parts[0]
        table = pa.Table.from_batches(parts, self.schema).combine_chunks()
        batches = table.to_batches()
        return batches[0] if batches else pa.RecordBatch.from_pylist([], self.schema)

    def _build(self, flat: FlatArticles) -> pa.RecordBatch:
        links = Outcomes.of(len(flat.link_target))
        selected = self._choose_paragraphs(flat, links)
        spans = self._choose_links(flat, links)
        if self._span_adder is not None:
            spans = spans.with_more(self._choose_added(self._span_adder, flat, selected, links))
        paragraph_rank = np.cumsum(selected) - 1
        joined, starts, ends = join(
            flat.texts.filter(pa.array(selected)).to_pylist(), paragraph_rank[spans.paragraph], spans.start, spans.end
        )
        mentions = self._place_mentions(links, spans, starts, ends)
        sentences, tokens, mentions = self._encode(joined, links, mentions)
        paragraph = np.searchsorted(joined.separators, sentences.chars, "right") - 1
        pages = flat.page_of_paragraph[selected][paragraph]
        return self._pack(flat, joined, tokens, sentences, pages, links, mentions)

    def _choose_paragraphs(self, flat: FlatArticles, links: Outcomes) -> Mask:
        """Which paragraphs go into records."""
        lists = _mask(pc.is_in(flat.kinds, _LISTS))
        selected = np.ones(len(flat.texts), dtype=bool)
        for reason, excluded in (
            ("paragraph_kind", ~(lists | _mask(pc.is_in(flat.kinds, _PROSE)))),
            ("list", lists & (not self._config.lists)),
            ("not_abstract", ~flat.abstract & self._config.abstract_only),
        ):
            self.counts[PARAGRAPHS_DROPPED.of(reason)] += int((selected & excluded).sum())
            selected &= ~excluded
            is_lost = ~selected[flat.link_paragraph] & (links.outcome < 0)
            links.drop(np.arange(len(links.outcome)), is_lost, reason)
        self.counts[PARAGRAPHS_FOUND] += len(selected)
        self.counts[PARAGRAPHS_KEPT] += int(selected.sum())
        return selected

    def _choose_links(self, flat: FlatArticles, links: Outcomes) -> Spans:
        """Links with a valid span and an entity, in order of text."""
        numbers = np.flatnonzero(links.outcome < 0)
        lengths = _code_points(flat.texts)[flat.link_paragraph[numbers]]
        starts, ends = flat.link_starts[numbers], flat.link_ends[numbers]
        numbers = numbers[links.drop(numbers, (starts < 0) | (starts >= ends) | (ends > lengths), "bad_span")]
        outside = UNK if self._config.include_unk_entities else -1
        entities = self._entities(flat.targets, flat.link_target[numbers], outside)
        stays = links.drop(numbers, entities < 0, "outside_vocabulary")
        numbers, entities = numbers[stays], entities[stays]
        sources = np.full(len(numbers), LINK, np.int8)
        places = flat.link_paragraph[numbers], flat.link_starts[numbers], flat.link_ends[numbers]
        return Spans(numbers, sources, entities, *places)

    def _choose_added(self, span_adder: SpanAdder, flat: FlatArticles, selected: Mask, links: Outcomes) -> Spans:
        """Spans that are no links and have an entity of the vocabulary; their outcomes stand behind those of links."""
        added = span_adder.added(flat, selected, self.counts)
        numbers = len(links.outcome) + np.arange(len(added))
        links.outcome = np.append(links.outcome, np.full(len(added), -1, np.int8))
        is_kept = links.drop(numbers, ~added.late, "before_first_link")
        entities = self._entities(added.targets, added.target, -1)
        is_kept[is_kept] = links.drop(numbers[is_kept], entities[is_kept] < 0, "outside_vocabulary")
        spans = Spans(numbers, added.source, entities, added.paragraph, added.start, added.end)
        return spans.keep(is_kept)

    def _entities(self, titles: list[str], places: Positions, outside: int) -> NDArray[np.int32]:
        """The entities of `titles[places]`; `outside` for those that have none. Only titles used are looked up."""
        used = np.zeros(len(titles), dtype=bool)
        used[places] = True
        ids = np.full(len(titles), outside, np.int32)
        if len(self._entity_cache) > MEMO_TARGETS:
            self._entity_cache = {}
        for target in np.flatnonzero(used).tolist():
            title = titles[target]
            if title not in self._entity_cache:
                self._entity_cache[title] = self._entity_id(title)
            entity = self._entity_cache[title]
            if entity is not None:
                ids[target] = entity
        return ids[places]

    def _place_mentions(self, links: Outcomes, spans: Spans, starts: Positions, ends: Positions) -> LivingMentions:
        """Mentions in order of text, none blank, none over another."""
        order = np.lexsort((ends, starts))
        none = np.zeros(len(starts), np.int64)
        mentions = LivingMentions(spans.number, spans.source, spans.entity, starts, ends, none, none).keep(order)
        mentions = mentions.keep(links.drop(mentions.links, mentions.starts >= mentions.ends, "blank"))
        return mentions.keep(links.drop(mentions.links, ~without_overlaps(mentions.starts, mentions.ends), "overlap"))

    def _encode(
        self, joined: JoinedText, links: Outcomes, mentions: LivingMentions
    ) -> tuple[Sentences, Tokens, LivingMentions]:
        """Sentences, joined over mentions and split at the limit, and the tokens of all."""
        chars = sentence_starts(joined, self._locale)
        free = outside_spans(chars, mentions.starts, mentions.ends)
        self.counts[SENTENCES_JOINED] += int((~free).sum())
        chars = chars[free]
        tokens = self._encoder.encode(joined, chars, np.concatenate([mentions.starts, mentions.ends]))
        mentions.first, mentions.last = tokens.at(mentions.starts), tokens.at(mentions.ends)
        lengths = mentions.last - mentions.first
        has_tokens = links.drop(mentions.links, lengths == 0, "no_tokens")
        longest = min(self._config.max_mention_length, self._limit)
        fits = links.drop(mentions.links, lengths > longest, "mention_too_long")
        mentions = mentions.keep(np.logical_and(has_tokens, fits))
        first = tokens.at(chars)
        sentences = Sentences(
            chars=chars,
            first=first,
            lengths=np.diff(first, append=len(tokens.ids)),
            whole=np.ones(len(chars), dtype=bool),
            split=np.zeros(len(chars), dtype=bool),
        )
        return self._split(joined, tokens, sentences, mentions), tokens, mentions

    def _split(self, joined: JoinedText, tokens: Tokens, sentences: Sentences, mentions: LivingMentions) -> Sentences:
        long = np.flatnonzero(sentences.lengths > self._limit)
        self.counts[SENTENCES_SPLIT] += len(long)
        if not len(long):
            return sentences
        splitter = SentenceSplitter(self._encoder, joined, tokens, mentions.first, mentions.last, self._limit)
        insert_at, first, chars = [], [], []
        for number in long.tolist():
            start = int(sentences.first[number])
            for token, position in splitter.split(start, start + int(sentences.lengths[number])):
                insert_at.append(number + 1)
                first.append(token)
                chars.append(position)
        new_first = np.insert(sentences.first, insert_at, first)
        is_split = sentences.lengths > self._limit
        return Sentences(
            chars=np.insert(sentences.chars, insert_at, chars),
            first=new_first,
            lengths=np.diff(new_first, append=len(tokens.ids)),
            whole=np.insert(sentences.whole, insert_at, False),
            split=np.insert(is_split, insert_at, True),
        )

    def _pack(
        self,
        flat: FlatArticles,
        joined: JoinedText,
        tokens: Tokens,
        sentences: Sentences,
        pages: Positions,
        links: Outcomes,
        mentions: LivingMentions,
    ) -> pa.RecordBatch:
        """Sentences into records, records into a batch; closes the counts."""
        stays = sentences.split | (sentences.lengths >= max(1, self._config.min_sentence_length))
        self.counts[SENTENCES_FOUND] += int(sentences.whole.sum())
        self.counts[SENTENCES_DROPPED.of("short")] += int((~stays).sum())
        sentence = np.searchsorted(sentences.first, mentions.first, "right") - 1
        is_kept = links.drop(mentions.links, ~stays[sentence], "sentence_too_short")
        mentions, sentence = mentions.keep(is_kept), sentence[is_kept]
        rank = np.cumsum(stays) - 1  # among the sentences that stay
        lengths = sentences.lengths[stays]
        opens = np.zeros(len(lengths), dtype=bool)
        if self._config.sentence_records:
            opens[:] = True
        else:
            opens[first_of_records(lengths.tolist(), pages[stays].tolist(), self._limit)] = True
        record = np.cumsum(opens) - 1  # of each sentence that stays
        count = int(opens.sum())
        record_of_mention = record[rank[sentence]]
        place = places_in_records(record_of_mention, mentions.sources)
        is_kept = links.drop(mentions.links, place >= self._config.max_entity_length, "too_many_in_record")
        mentions, sentence, record_of_mention = mentions.keep(is_kept), sentence[is_kept], record_of_mention[is_kept]
        self.counts[RECORDS_FOUND] += count
        is_written = np.ones(count, dtype=bool)
        whole = record[sentences.whole[stays]]  # the record of each sentence, parts of split ones left out
        if not self._config.include_sentences_without_entities:
            is_written &= self._drop("entity", is_written, np.bincount(record_of_mention, minlength=count) > 0, whole)
        related = None
        if self._aligner is not None:
            related = self._relate(self._aligner, flat, mentions, rank[sentence], record_of_mention)
            if self._aligner.config.drop_unrelated:
                holds = np.bincount(record_of_mention[related.aligned.head], minlength=count) > 0
                is_written &= self._drop("relation", is_written, holds, whole)
                is_kept = links.drop(mentions.links, ~holds[record_of_mention], "record_without_relation")
                mentions, related = mentions.keep(is_kept), related.keep(is_kept)
        is_dropped = ~is_written[record]
        self.counts[RECORDS_WRITTEN] += int(is_written.sum())
        self.counts[SENTENCES_KEPT] += int(is_written[whole].sum())
        self.counts[SENTENCE_STARTS] += int((~is_dropped).sum())  # parts of split sentences too
        links.count(self.counts, len(flat.link_target), mentions.entities, mentions.sources)
        stays[np.flatnonzero(stays)[is_dropped]] = False
        return assemble(
            flat, joined, tokens, sentences, stays, record[~is_dropped], pages, mentions, self.schema, related
        )

    def _drop(self, missing: str, is_written: Mask, stays: Mask, whole: Positions) -> Mask:
        """Counts the records of `is_written` that do not stay, and their sentences; returns which stay."""
        dropped = is_written & ~stays
        self.counts[RECORDS_DROPPED.of(f"no_{missing}")] += int(dropped.sum())
        self.counts[SENTENCES_DROPPED.of(f"record_without_{missing}")] += int(dropped[whole].sum())
        return stays

    def _relate(
        self, aligner: Aligner, flat: FlatArticles, mentions: LivingMentions, sentence: Positions, record: Positions
    ) -> MentionRelations:
        """The items of mentions, and what holds between those that share their sentence or record."""
        unk = mentions.links[mentions.entities == UNK]  # links all: added spans have an entity
        titles = [flat.targets[target] for target in flat.link_target[unk].tolist()]
        items = aligner.items_of(mentions.entities, titles)
        group = sentence if aligner.config.relations == "sentence" else record
        return MentionRelations(aligner.align(mentions.entities, mentions.sources, items, group, self.counts), items)


def _check(config: RecordsConfig) -> None:
    """Raises UsageError for options that no record can meet."""
    for name, least, most in (
        ("max_seq_length", 3, 32_767),  # positions are int16
        ("max_entity_length", 1, 32_767),
        ("max_mention_length", 1, 32_767),
        ("min_sentence_length", 0, config.max_seq_length - 2),
    ):
        value = getattr(config, name)
        if not least <= value <= most:
            raise UsageError(f"{name} is {value}", f"it must be from {least} to {most}")


def _mask(values: pa.Array) -> Mask:
    return np.asarray(values.fill_null(False).to_numpy(zero_copy_only=False), dtype=bool)


def _code_points(texts: pa.StringArray) -> Positions:
    return np.asarray(pc.utf8_length(texts).to_numpy(zero_copy_only=False), dtype=np.int64)
