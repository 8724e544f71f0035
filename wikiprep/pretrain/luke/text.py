"""A text with mentions as the record that a build would make of it: the same token ids, and where each token stands.

White space is normalised and text before, in and after a mention is encoded on its own, by the code that builds use.
Vectors of its tokens and words, of the last hidden states, are what LUKE and SPOT have alike.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.corpus.encoder import Encoder, Tokens
from wikiprep.corpus.joined_text import JoinedText, join
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.trained import TOKENS, BadText, Floats, MarkedText, Vectors
from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EncodedText:
    """`record` has the mentions with entity id 0 (to be filled in); `_joined`, `_tokens` are for `token_spans`."""

    record: Record
    text: str
    _joined: JoinedText
    _tokens: Tokens

    def token_spans(self, encoder: Encoder) -> tuple[Ints, Ints]:
        """Start and end of each token in code points of the text as given; tokens of one character share it."""
        count = len(self.record.word_ids)
        starts = np.full(count, -1, np.int64)
        for unit in range(len(self._tokens.units)):
            for token, position in encoder.boundaries(self._joined, self._tokens, unit):
                starts[token] = position
        starts = np.maximum.accumulate(starts)
        stops = np.append(starts[1:], len(self._joined.codes))
        for place in range(count - 2, -1, -1):
            if starts[place] == starts[place + 1]:
                stops[place] = stops[place + 1]
        gaps = self._joined.gaps()
        text_places = self._text_places()
        ends = [
            text_places[_last_letter(gaps, start, stop)] + 1
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
        ]
        return text_places[starts], np.array(ends, np.int64)

    def _text_places(self) -> Ints:
        """Of each position in the joined array the place in the text as given."""
        places = np.arange(len(self.text))
        _, mapped, stops = join([self.text], np.zeros(len(places), np.int64), places, places + 1)
        text_places = np.zeros(len(self._joined.codes) + 1, np.int64)
        letters = mapped < stops
        text_places[mapped[letters]] = places[letters]
        return text_places


def encode(text: MarkedText, encoder: Encoder) -> EncodedText:
    """Raises BadText for a text without a token, and for a mention without one."""
    starts, ends = (np.array([span[side] for span in text.spans], np.int64) for side in (0, 1))
    joined, starts, ends = join([text.text], np.zeros(len(starts), np.int64), starts, ends)
    for place in np.flatnonzero(starts >= ends).tolist():
        raise BadText(f"mention {place + 1} is empty")
    first = joined.separators + 1
    tokens = encoder.encode(joined, first[first < len(joined.codes)], np.concatenate([starts, ends]))
    if not len(tokens.ids):
        raise BadText("there is no text")
    first, last = tokens.at(starts), tokens.at(ends)
    for place in np.flatnonzero(first >= last).tolist():
        raise BadText(f"mention {place + 1} has no token of the tokenizer")
    mention_columns = (np.zeros(len(first), np.int32), first.astype(np.int16), last.astype(np.int16))
    record = Record(-1, -1, 0, tokens.ids, *mention_columns, np.zeros(len(first), np.int8), np.zeros(1, np.int16))
    return EncodedText(record, text.text, joined, tokens)


def _last_letter(gaps: npt.NDArray[np.bool_], start: int, stop: int) -> int:
    """The last position of [start, stop) that is no space; start where all are."""
    while stop - 1 > start and gaps[stop - 1]:
        stop -= 1
    return stop - 1


def word_vectors(kind: str, one: EncodedText, states: Floats, encoder: Encoder, words: Words) -> Vectors:
    """Of the `states` [n, D] of a text's n tokens: themselves (TOKENS), or the mean over the tokens of each word."""
    starts, ends = one.token_spans(encoder)
    if kind == TOKENS:
        return Vectors(starts, ends, states)
    begins = words.begins[one.record.word_ids]
    begins[0] = True
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(begins))
    return Vectors(starts[first], ends[last - 1], means(states, first, last))


def means(states: Floats, starts: npt.NDArray[np.integer], ends: npt.NDArray[np.integer]) -> Floats:
    """[n, D]: the mean of the rows [start, end) of each."""
    rows = [states[start:end].mean(axis=0) for start, end in zip(starts, ends, strict=True)]
    return np.array(rows, np.float32).reshape(len(rows), states.shape[1])
