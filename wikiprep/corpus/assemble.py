"""Sentences with their records and mentions, as the Arrow batch of `schema.record_schema`."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wikiprep.corpus.article_arrays import FlatArticles
from wikiprep.corpus.encoder import Tokens
from wikiprep.corpus.joined_text import SEPARATOR, SPACE, JoinedText, Positions
from wikiprep.corpus.packing import Mask
from wikiprep.corpus.relations import MentionRelations
from wikiprep.corpus.schema import RELATION


@dataclass
class LivingMentions:
    """Living mentions in order of text; parallel arrays. `starts`, `ends` are characters, `first`, `last` tokens.

    `links` are numbers of links, and behind these of added spans; `sources` as in records.
    """

    links: Positions
    sources: NDArray[np.int8]
    entities: NDArray[np.int32]
    starts: Positions
    ends: Positions
    first: Positions
    last: Positions

    def keep(self, stays: Mask | Positions) -> "LivingMentions":
        """Those that a mask or an order chooses."""
        return LivingMentions(
            self.links[stays],
            self.sources[stays],
            self.entities[stays],
            self.starts[stays],
            self.ends[stays],
            self.first[stays],
            self.last[stays],
        )


@dataclass
class Sentences:
    """Sentences in order of text; parallel arrays. `chars` and `first` are where they start."""

    chars: Positions
    first: Positions
    lengths: Positions
    whole: Mask  # False for the second and later parts of a split sentence
    split: Mask  # part of a split sentence


def assemble(
    flat: FlatArticles,
    joined: JoinedText,
    tokens: Tokens,
    sentences: Sentences,
    stays: Mask,
    record: Positions,
    pages: Positions,
    mentions: LivingMentions,
    schema: pa.Schema,
    related: MentionRelations | None = None,
) -> pa.RecordBatch:
    """The batch of records.

    `stays` says which sentences are in one, `record` is the record of each of these (in order, gaps allowed), `pages`
    the page of each sentence of all; all mentions lie in sentences that stay. `related` is of the same mentions; a
    schema with relations or items takes it.
    """
    opens = np.diff(record, prepend=-1) > 0
    record = np.cumsum(opens) - 1
    count = int(opens.sum())
    page = pages[stays][opens]
    ordinal = np.arange(count) - np.searchsorted(page, page, "left")

    lengths = sentences.lengths[stays]
    ends = np.cumsum(lengths)
    first_token = (ends - lengths)[opens]  # of each record, in the stream of tokens that stay
    word_ids = tokens.ids[np.repeat(stays, sentences.lengths)]

    sentence = np.searchsorted(sentences.first, mentions.first, "right") - 1
    kept_sentence = (np.cumsum(stays) - 1)[sentence]
    record_of_mention = record[kept_sentence]
    shift = (ends - lengths)[kept_sentence] - sentences.first[sentence] - first_token[record_of_mention]

    mention_counts = np.bincount(record_of_mention, minlength=count)
    columns = [flat.pages.column(name).take(pa.array(page)) for name in ("page_id", "revision_id", "title", "qid")]
    columns += [
        pa.array(ordinal, pa.int32()),
        _lists(np.diff(first_token, append=len(word_ids)), word_ids, np.int32),
        _lists(mention_counts, mentions.entities, np.int32),
        _lists(mention_counts, mentions.first + shift, np.int16),
        _lists(mention_counts, mentions.last + shift, np.int16),
        _lists(mention_counts, mentions.sources, np.int8),
        _lists(np.bincount(record, minlength=count), ends - lengths - first_token[record], np.int16),
    ]
    if "text" in schema.names:
        columns += _text(joined, sentences, stays, record, opens, mentions, record_of_mention)
    if related is not None:
        if "entity_qids" in schema.names:
            columns.append(_lists(mention_counts, related.items, np.int64))
        columns.append(_relations(related, record_of_mention, mention_counts))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _text(
    joined: JoinedText,
    sentences: Sentences,
    stays: Mask,
    record: Positions,
    opens: Mask,
    mentions: LivingMentions,
    record_of_mention: Positions,
) -> list[pa.Array]:
    """The text columns. A record's text is its sentences with the space that is between them, one between paragraphs.

    The space before a sentence belongs to it, so that sentences share out the array.
    """
    gaps = joined.gaps()
    regions = sentences.chars - gaps[sentences.chars - 1]
    lengths = np.diff(regions, append=len(gaps))
    keep = np.zeros(len(gaps) + 1, dtype=bool)
    if len(regions):
        keep[regions[0] : -1] = np.repeat(stays, lengths)
    keep[:-1] &= ~(gaps & np.append(gaps[1:], True))  # two in a row: an empty paragraph between
    starts = sentences.chars[stays]
    first = starts[opens]  # first character of each record
    keep[first - 1] &= ~gaps[first - 1]
    new_positions = np.cumsum(keep) - keep
    kept_codes = joined.codes[keep[:-1]]
    text = np.where(kept_codes == SEPARATOR, np.uint32(SPACE), kept_codes).tobytes().decode("utf-32-le")
    edges = [*new_positions[first].tolist(), len(text)]
    mention_counts = np.bincount(record_of_mention, minlength=len(first))
    return [
        pa.array([text[a:b] for a, b in pairwise(edges)], pa.string()),
        _lists(
            np.bincount(record, minlength=len(first)), new_positions[starts] - new_positions[first][record], np.int32
        ),
        _lists(mention_counts, new_positions[mentions.starts] - new_positions[first][record_of_mention], np.int32),
        _lists(mention_counts, new_positions[mentions.ends] - new_positions[first][record_of_mention], np.int32),
    ]


def _relations(related: MentionRelations, record_of_mention: Positions, mention_counts: Positions) -> pa.ListArray:
    """The relations of each record, mentions numbered within it."""
    aligned, first = related.aligned, np.cumsum(mention_counts) - mention_counts
    record = record_of_mention[aligned.head]
    values = (
        aligned.head - first[record], aligned.tail - first[record], aligned.property, aligned.rank, aligned.source,
    )  # fmt: skip
    arrays = [pa.array(v, field.type, safe=True) for v, field in zip(values, RELATION, strict=True)]
    offsets = np.zeros(len(mention_counts) + 1, np.int32)
    np.cumsum(np.bincount(record, minlength=len(mention_counts)), out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), pa.StructArray.from_arrays(arrays, fields=list(RELATION)))


def _lists(lengths: Positions, values: NDArray[np.generic], kind: type[np.generic]) -> pa.ListArray:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values.astype(kind)))
