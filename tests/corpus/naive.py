"""The record rules said slowly: a paragraph at a time, a piece at a time. What the fast builder must equal."""

from collections.abc import Callable
from dataclasses import dataclass, field

from icu4py.breakers import SentenceBreaker
from naive_tokens import Kind, sentence_tokens

from wikiprep.config import RecordsConfig
from wikiprep.corpus.articles import ArticleRow
from wikiprep.corpus.sentences import locale_of
from wikiprep.wikitext.article import Paragraph


@dataclass
class Sentence:
    ids: list[int] = field(default_factory=list)
    mentions: list[tuple[int, int, int]] = field(default_factory=list)  # start, end, entity


Record = tuple[list[int], list[int], list[int], list[int], list[int]]


def naive_records(
    row: ArticleRow,
    kind: Kind,
    language: str,
    config: RecordsConfig,
    entity_id: Callable[[str], int | None],
) -> list[Record]:
    """(word_ids, sentence_starts, entity_ids, entity_starts, entity_ends) of each record. No sentence is too long."""
    kinds = {"prose", "quote"} | ({"list_item", "term", "definition"} if config.lists else set())
    sentences = []
    for paragraph in row.paragraphs:
        if paragraph.kind in kinds and not (config.abstract_only and paragraph.section):
            sentences += paragraph_sentences(paragraph, kind, language, config, entity_id)
    return pack(sentences, config)


def paragraph_sentences(
    paragraph: Paragraph,
    kind: Kind,
    language: str,
    config: RecordsConfig,
    entity_id: Callable[[str], int | None],
) -> list[Sentence]:
    text, mentions, reached = " ".join(paragraph.text.split()), [], -1
    for link in paragraph.links:
        entity = entity_id(link.target)
        entity = 1 if entity is None and config.include_unk_entities else entity
        before, inside = paragraph.text[: link.start], paragraph.text[link.start : link.end]
        if entity is None or not inside.split():
            continue
        start = len(" ".join([*before.split(), ""])) if not before or before[-1].isspace() else None
        if start is None:
            start = len(" ".join(before.split())) + (1 if inside[0].isspace() and before.split() else 0)
        end = start + len(" ".join(inside.split()))
        if start >= reached:
            mentions.append((start, end, entity))
            reached = end
    sentences = []
    for start, end in sentence_spans(text, mentions, language):
        sentence = Sentence()
        bounds = [place for first, last, _ in mentions for place in (first, last)]
        tokens = sentence_tokens(kind, text, start, end, bounds)
        sentence.ids = [number for number, _, _ in tokens]
        begins = [begin + (text[begin] == " ") for _, begin, _ in tokens]
        for first, last, entity in mentions:
            if start <= first and last <= end:
                token, stop = (sum(begin < place for begin in begins) for place in (first, last))
                if 0 < stop - token <= config.max_mention_length:
                    sentence.mentions.append((token, stop, entity))
        if len(sentence.ids) >= max(1, config.min_sentence_length):
            sentences.append(sentence)
    return sentences


def sentence_spans(text: str, mentions: list[tuple[int, int, int]], language: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for segment in SentenceBreaker(text, locale_of(language)) if text else []:
        end = at + len(segment)
        if spans and any(first < at < last for first, last, _ in mentions):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((at, end))
        at = end
    return spans


def pack(sentences: list[Sentence], config: RecordsConfig) -> list[Record]:
    groups: list[list[Sentence]] = []
    for sentence in sentences:
        if (
            not config.sentence_records
            and groups
            and sum(len(s.ids) for s in [*groups[-1], sentence]) <= config.max_seq_length - 2
        ):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    records = []
    for group in groups:
        ids: list[int] = []
        starts, mentions = [], []
        for sentence in group:
            starts.append(len(ids))
            mentions += [(first + len(ids), last + len(ids), entity) for first, last, entity in sentence.mentions]
            ids += sentence.ids
        mentions = mentions[: config.max_entity_length]
        if mentions or config.include_sentences_without_entities:
            columns = [[mention[k] for mention in mentions] for k in range(3)]
            records.append((ids, starts, columns[2], columns[0], columns[1]))
    return records
