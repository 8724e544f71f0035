"""Records by the rules of the published LUKE code (`--compat luke-2020`), token for token and span for span.

The rules are the numbered steps of "Record algorithm" in the design's notes on the reference; they are kept here with
their quirks (a link across a sentence break is lost, a sentence over the limit vanishes with its links, a mention may
be empty) and are not ours to improve: `builder.py` is the one that does better. No code of the reference is here.

A batch is worked on in three steps, so that ICU and the tokenizer each see much text at once: pages are cut into
sentences and sentences into pieces, all different pieces are encoded, records are packed.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyarrow as pa
from tokenizers import Tokenizer

from wikiprep.config import RecordsConfig
from wikiprep.corpus.articles import ArticleRow, article_rows
from wikiprep.corpus.luke2020_pieces import ReferenceEncoder, sentence_spans
from wikiprep.corpus.record_counts import (
    LINKS_DROPPED,
    LINKS_ENTITY,
    LINKS_FOUND,
    LINKS_UNK,
    PARAGRAPHS_DROPPED,
    PARAGRAPHS_FOUND,
    PARAGRAPHS_KEPT,
    RECORDS_DROPPED,
    RECORDS_FOUND,
    RECORDS_WRITTEN,
    SENTENCE_STARTS,
    SENTENCES_DROPPED,
    SENTENCES_FOUND,
    SENTENCES_KEPT,
)
from wikiprep.corpus.schema import record_schema
from wikiprep.counts import Count, Reasons
from wikiprep.errors import UsageError
from wikiprep.wikitext.article import Link, Paragraph

UNK_ID = 1
PAGES_FOUND = Count("pages.found", "Pages that were looked at (--compat luke-2020).")
PAGES_DROPPED = Reasons(
    "pages.dropped.",
    "Pages without records (--compat luke-2020).",
    namespace="The title begins with image, file or category.",
)
_LIST_KINDS = frozenset({"list_item", "term", "definition"})
_SKIPPED_PAGES = frozenset({"image", "file", "category"})  # pages the reference makes no records of, by title


@dataclass(slots=True)
class _Mention:
    """A linked span of a sentence."""

    entity_id: int
    piece: int  # index into the sentence's pieces
    start: int  # code points of the sentence
    end: int


@dataclass(slots=True)
class _Sentence:
    """A sentence before its tokens are joined."""

    text: str
    pieces: list[str] = field(default_factory=list)
    mentions: list[_Mention] = field(default_factory=list)


@dataclass(slots=True)
class _EncodedSentence:
    """A sentence as token ids, with mentions by token and by character."""

    text: str
    ids: list[int]
    mentions: list[tuple[int, int, int, int, int]]  # entity id, first token, last token + 1, first character, last + 1


class Luke2020Builder:
    """Makes records of articles as the published LUKE code does.

    `entity_id` gives the vocabulary id of a title, or None; `redirect` follows ONE hop and gives other titles back as
    they are. `counts` closes by the equations of `record_counts.py`.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        language: str,
        config: RecordsConfig,
        entity_id: Callable[[str], int | None],
        redirect: Callable[[str], str] | None = None,
        *,
        unk_id: int = UNK_ID,
    ) -> None:
        if not 2 < config.max_seq_length <= 32_767:
            raise UsageError(f"max_seq_length is {config.max_seq_length}", "positions are 16-bit: use 3 to 32767")
        self._encoder = ReferenceEncoder(tokenizer)
        self._language = language
        self._config = config
        self._max_tokens = config.max_seq_length - 2  # the two special tokens are added by the reader of the records
        self._entity_id = entity_id
        self._redirect = redirect
        self._unk_id = unk_id
        self.counts: Counter[Count] = Counter()

    def build(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The records of a batch of whole articles, in the order of the articles, as `record_schema(config.text)`."""
        rows = [row for row in article_rows(batch) if self._has_records(row)]
        pages = self._sentences(rows)
        ids = self._encoder.encode(piece for page in pages for s in page for piece in s.pieces)
        columns: dict[str, list[object]] = {name: [] for name in record_schema(self._config.text).names}
        for row, page in zip(rows, pages, strict=True):
            encoded = [encoded_sentence for s in page if (encoded_sentence := self._encode(s, ids)) is not None]
            record_count = 0
            for record in self._pack(encoded):
                if self._add_record(columns, row, record_count, record):
                    record_count += 1
        return pa.RecordBatch.from_pydict(columns, schema=record_schema(self._config.text))

    def _has_records(self, row: ArticleRow) -> bool:
        self.counts[PAGES_FOUND] += 1
        prefix, colon, _ = row.title.lower().partition(":")
        if not (colon and prefix in _SKIPPED_PAGES):
            return True
        self.counts[PAGES_DROPPED.of("namespace")] += 1
        for paragraph in row.paragraphs:
            self._drop_paragraph(paragraph, "page_namespace")
        return False

    def _drop_paragraph(self, paragraph: Paragraph, reason: str) -> None:
        self.counts[PARAGRAPHS_FOUND] += 1
        self.counts[PARAGRAPHS_DROPPED.of(reason)] += 1
        if paragraph.links:
            self.counts[LINKS_FOUND] += len(paragraph.links)
            self.counts[LINKS_DROPPED.of(reason)] += len(paragraph.links)

    # Step 1: pieces

    def _sentences(self, rows: list[ArticleRow]) -> list[list[_Sentence]]:
        """Each page's sentences, cut into the pieces that are tokenized one by one."""
        prepared = [[self._links(p) for p in self._paragraphs(row)] for row in rows]
        spans = iter(sentence_spans([text.rstrip() for page in prepared for text, _ in page], self._language))
        return [[s for text, links in page for s in self._cut(text, links, next(spans))] for page in prepared]

    def _paragraphs(self, row: ArticleRow) -> Iterator[Paragraph]:
        for paragraph in row.paragraphs:
            if self._config.abstract_only and paragraph.section:
                self._drop_paragraph(paragraph, "not_abstract")
            elif not self._config.lists and paragraph.kind in _LIST_KINDS:
                self._drop_paragraph(paragraph, "list")
            else:
                self.counts[PARAGRAPHS_FOUND] += 1
                self.counts[PARAGRAPHS_KEPT] += 1
                yield paragraph

    def _links(self, paragraph: Paragraph) -> tuple[str, list[tuple[int, Link]]]:
        """The text with category links blanked, and the links that are annotated with their entity ids (rules 2, 5)."""
        text = paragraph.text
        annotated: list[tuple[int, Link]] = []
        for link in paragraph.links:
            self.counts[LINKS_FOUND] += 1
            title = self._redirect(link.target) if self._redirect else link.target
            # Both must say so: `[[:Category:Logic|logic]]` in running text is a link like any other.
            if title.startswith("Category:") and paragraph.text[link.start : link.end].lower().startswith("category:"):
                text = text[: link.start] + " " * (link.end - link.start) + text[link.end :]
                self.counts[LINKS_DROPPED.of("category")] += 1
                continue
            entity_id = self._entity_id(title)
            if entity_id is not None:
                annotated.append((entity_id, link))
            elif self._config.include_unk_entities:
                annotated.append((self._unk_id, link))
            else:
                self.counts[LINKS_DROPPED.of("outside_vocabulary")] += 1
        return text, annotated

    def _cut(self, text: str, links: list[tuple[int, Link]], spans: list[tuple[int, int]]) -> list[_Sentence]:
        sentences = []
        mention_count = 0
        for start, end in spans:
            sentence = _Sentence(text[start:end].rstrip())
            self._cut_sentence(sentence, text, links, start, end)
            mention_count += len(sentence.mentions)
            sentences.append(sentence)
        self.counts[SENTENCES_FOUND] += len(spans)
        if mention_count < len(links):
            self.counts[LINKS_DROPPED.of("crosses_sentence")] += len(links) - mention_count
        return sentences

    def _cut_sentence(
        self, sentence: _Sentence, text: str, links: list[tuple[int, Link]], start: int, end: int
    ) -> None:
        """Text before, inside and after each link of `text[start:end]`, each with its leading space or not (rule 4)."""
        position = start
        for entity_id, link in links:
            if not (start <= link.start < end and link.end <= end):
                continue
            before = text[position : link.start]
            self._add_piece(sentence, before, position == 0 or text[position - 1] == " ")
            mention = _Mention(entity_id, len(sentence.pieces), link.start - start, link.end - start)
            self._add_piece(sentence, text[link.start : link.end], not before or before.endswith(" "))
            sentence.mentions.append(mention)
            position = link.end
        self._add_piece(sentence, text[position:end], position == 0 or text[position - 1] == " ")

    def _add_piece(self, sentence: _Sentence, text: str, leading_space: bool) -> None:
        sentence.pieces.append(self._encoder.prepare(text, leading_space))

    # Step 2: tokens

    def _encode(self, sentence: _Sentence, ids: dict[str, list[int]]) -> _EncodedSentence | None:
        """The sentence's tokens, or None where it is too short or too long (rule 6)."""
        words: list[int] = []
        starts: list[int] = []
        for piece in sentence.pieces:
            starts.append(len(words))
            words += ids[piece]
        reason = "short" if len(words) < self._config.min_sentence_length else "long"
        if reason == "short" or len(words) > self._max_tokens:
            self._count_dropped(1, len(sentence.mentions), reason)
            return None
        starts.append(len(words))
        limit = len(sentence.text)
        mentions = [
            (m.entity_id, starts[m.piece], starts[m.piece + 1], min(m.start, limit), min(m.end, limit))
            for m in sentence.mentions
        ]
        return _EncodedSentence(sentence.text, words, mentions)

    def _count_dropped(self, sentences: int, mentions: int, reason: str) -> None:
        self.counts[SENTENCES_DROPPED.of(reason)] += sentences
        if mentions:
            self.counts[LINKS_DROPPED.of(f"sentence_too_{reason}")] += mentions

    # Step 3: records

    def _pack(self, sentences: list[_EncodedSentence]) -> Iterator[list[_EncodedSentence]]:
        """Runs of sentences: greedy, until the next would pass the limit."""
        record: list[_EncodedSentence] = []
        size = 0
        for sentence in sentences:
            if record and size + len(sentence.ids) > self._max_tokens:
                yield record
                record, size = [], 0
            record.append(sentence)
            size += len(sentence.ids)
        if record:
            yield record

    def _add_record(
        self, columns: dict[str, list[object]], row: ArticleRow, ordinal: int, sentences: list[_EncodedSentence]
    ) -> bool:
        """Adds one record to the columns; False where it has no mention and is dropped."""
        self.counts[RECORDS_FOUND] += 1
        mention_count = sum(len(s.mentions) for s in sentences)
        if not mention_count and not self._config.include_sentences_without_entities:
            self.counts[RECORDS_DROPPED.of("no_entity")] += 1
            self.counts[SENTENCES_DROPPED.of("record_without_entity")] += len(sentences)
            return False
        words: list[int] = []
        sentence_starts: list[int] = []
        character_starts: list[int] = []
        mentions: list[tuple[int, int, int, int, int]] = []
        characters = 0
        for s in sentences:
            sentence_starts.append(len(words))
            character_starts.append(characters)
            for entity_id, start, end, first, last in s.mentions:
                token = len(words)
                mentions.append((entity_id, token + start, token + end, characters + first, characters + last))
            words += s.ids
            characters += len(s.text) + 1
        self._count_record(len(sentences), mentions)
        mentions = mentions[: self._config.max_entity_length]
        longest = self._config.max_mention_length
        columns["page_id"].append(row.page_id)
        columns["revision_id"].append(row.revision_id)
        columns["title"].append(row.title)
        columns["qid"].append(row.qid)
        columns["ordinal"].append(ordinal)
        columns["word_ids"].append(words)
        columns["entity_ids"].append([m[0] for m in mentions])
        columns["entity_starts"].append([m[1] for m in mentions])
        columns["entity_ends"].append([min(m[2], m[1] + longest) for m in mentions])
        columns["entity_sources"].append([0] * len(mentions))
        columns["sentence_starts"].append(sentence_starts)
        if self._config.text:
            columns["text"].append("\n".join(s.text for s in sentences))
            columns["sentence_char_starts"].append(character_starts)
            columns["entity_char_starts"].append([m[3] for m in mentions])
            columns["entity_char_ends"].append([m[4] for m in mentions])
        return True

    def _count_record(self, sentences: int, mentions: list[tuple[int, int, int, int, int]]) -> None:
        self.counts[RECORDS_WRITTEN] += 1
        self.counts[SENTENCES_KEPT] += sentences
        self.counts[SENTENCE_STARTS] += sentences
        kept_mentions = mentions[: self._config.max_entity_length]
        unk = sum(m[0] == self._unk_id for m in kept_mentions)
        for key, number in (
            (LINKS_UNK, unk),
            (LINKS_ENTITY, len(kept_mentions) - unk),
            (LINKS_DROPPED.of("too_many_in_record"), len(mentions) - len(kept_mentions)),
        ):
            if number:
                self.counts[key] += number
