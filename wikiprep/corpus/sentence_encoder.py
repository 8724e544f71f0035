"""Any tokenizer: sentences in one piece, cut where a start or end of a mention would lie inside a token.

Sentences are encoded as they are, and the offsets of the tokens say which of the bounds lie inside one. Such a sentence
is cut at these bounds and its parts are encoded (`continuation_encoder.py`); since a part has other tokens than it had
in the sentence, the bounds in it are looked at once more, until none lies inside a token.
"""

import json
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from wikiprep.corpus.continuation_encoder import AHEAD, ContinuationEncoder, Marks, byte_level
from wikiprep.corpus.encoder import Encoder, Tokens
from wikiprep.corpus.joined_text import JoinedText, Positions

_Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Spans:
    """Tokens in order of text: ids, the characters [begins, ends) of each, and where the piece starts that it is of."""

    ids: NDArray[np.int32]
    begins: Positions
    ends: Positions
    pieces: Positions


class SentenceEncoder(Encoder):
    """See the module."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__(tokenizer)
        # LUKE has a space before a paragraph; other tokenizers begin a text as they were made to.
        self._start_lead = " " if byte_level(json.loads(tokenizer.to_str())["pre_tokenizer"]) else ""
        self._space_lead = _lead_after_space(self._plain)
        self._glue = ContinuationEncoder(self._plain)
        # What stands before a part behind a cut, if always the same.
        self._continuation_lead = None if self._glue.needed else ""

    def encode(self, joined: JoinedText, sentences: Positions, bounds: Positions) -> Tokens:
        """See `Encoder`."""
        return self.encode_some(joined, sentences, np.append(sentences[1:], len(joined.codes)), bounds)

    def encode_some(self, joined: JoinedText, starts: Positions, stops: Positions, bounds: Positions) -> Tokens:
        """Of the sentences `[starts, stops)` alone."""
        text, gaps, bounds = joined.text(), joined.gaps(), np.unique(bounds)
        marks = self._glue.marks(text)
        letters = np.maximum.accumulate(np.where(gaps, -1, np.arange(len(gaps))))  # the last one up to each position
        encoded: list[_Spans] = []
        while len(starts):
            starts, stops = starts + gaps[starts], letters[stops - 1] + 1
            starts, stops = starts[starts < stops], stops[starts < stops]
            spans = self._encode_pieces(text, starts, stops, marks)
            inside = bounds[_is_inside_token(spans, bounds, gaps)]
            is_cut = np.zeros(len(starts), dtype=bool)
            is_cut[np.searchsorted(starts, inside, "right") - 1] = True
            stays = ~is_cut[np.searchsorted(starts, spans.pieces)]
            encoded.append(_Spans(spans.ids[stays], spans.begins[stays], spans.ends[stays], spans.pieces[stays]))
            starts, stops = np.sort(np.append(starts[is_cut], inside)), np.sort(np.append(stops[is_cut], inside))
        return _units(_concatenate(encoded), gaps)

    def _encode_pieces(self, text: str, starts: Positions, stops: Positions, marks: Marks) -> _Spans:
        """The tokens of the pieces `[starts, stops)`, none of which starts or ends with a space."""
        texts, ahead, glued = list[str](), list[int](), list[bool]()
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            before, after = text[start - 1], text[stop : stop + 1]
            lead = {"\u2029": self._start_lead, " ": self._space_lead}.get(before, self._continuation_lead)
            tail = marks.tail if after not in ("\u2029", " ", "") else ""
            glued.append(lead is None or bool(tail))
            lead = marks.before(before, text[start]) if lead is None else lead
            ahead.append(len(lead))
            texts.append(lead + text[start:stop] + tail)
        encodings = self._encode_texts(texts, glued, marks)
        counts = np.fromiter(map(len, encodings), np.int64, len(encodings))
        ids = np.fromiter(chain.from_iterable(e.ids for e in encodings), np.int32, counts.sum())
        flat = chain.from_iterable(chain.from_iterable(e.offsets for e in encodings))
        offsets = np.fromiter(flat, np.int64, 2 * len(ids)).reshape(-1, 2)
        pieces, ends = np.repeat(starts, counts), np.repeat(stops, counts)
        first = np.repeat(starts - np.array(ahead, np.int64), counts)
        begins, ends = first + offsets[:, 0], np.minimum(first + offsets[:, 1], ends)
        # A space in front is part of the piece; what stands for a cut is not, nor for what goes on behind one.
        real = (ends > pieces) | (np.repeat(np.array(ahead, np.int64), counts) < AHEAD)
        real &= begins < np.repeat(stops, counts)
        begins = np.maximum.accumulate(np.maximum(begins, pieces)[real])
        return _Spans(ids[real], begins, np.maximum(ends[real], begins), pieces[real])

    def _encode_texts(self, texts: list[str], glued: list[bool], marks: Marks) -> list[Encoding]:
        """Each by the tokenizer itself, or by the one for what is glued to other text."""
        encodings = {}
        for is_glued in set(glued):
            encoder = self._glue.tokenizer(marks) if is_glued else self._plain
            selected = [text for text, text_glued in zip(texts, glued, strict=True) if text_glued is is_glued]
            encodings[is_glued] = iter(encoder.encode_batch(selected, add_special_tokens=False))
        return [next(encodings[is_glued]) for is_glued in glued]


def _lead_after_space(plain: Tokenizer) -> str:
    """What stands before a text that follows a space: the space, or nothing where the tokenizer marks it by itself."""
    twice, once = ("".join(_pre_tokens(plain, text)) for text in ("a a", "a"))
    return "" if twice == once * 2 else " "


def _pre_tokens(plain: Tokenizer, text: str) -> list[str]:
    normal = text if plain.normalizer is None else plain.normalizer.normalize_str(text)
    if plain.pre_tokenizer is None:
        return [normal]
    return [part for part, _ in plain.pre_tokenizer.pre_tokenize_str(normal)]


def _is_inside_token(spans: _Spans, bounds: Positions, gaps: _Mask) -> _Mask:
    """Which bounds lie inside a token. One after a space may lie before it: the space goes with what follows."""
    reach = np.append(np.maximum.accumulate(spans.ends), 0)

    def inside(places: Positions) -> _Mask:
        before = np.searchsorted(spans.begins, places, "left") - 1  # the last token that begins before
        crossed: _Mask = (before >= 0) & (reach[before] > places)
        return crossed

    return inside(bounds) & (~gaps[bounds - 1] | inside(bounds - 1))


def _concatenate(encoded: list[_Spans]) -> _Spans:
    if not encoded:
        none = np.zeros(0, np.int64)
        return _Spans(none.astype(np.int32), none, none, none)
    names = ("ids", "begins", "ends", "pieces")
    columns = [np.concatenate([getattr(spans, name) for spans in encoded]) for name in names]
    order = np.argsort(columns[-1], kind="stable")
    return _Spans(*(column[order] for column in columns))


def _units(spans: _Spans, gaps: _Mask) -> Tokens:
    """Tokens that share characters are one unit, since nothing can be told apart in it."""
    reach = np.maximum.accumulate(spans.ends)
    opens = np.ones(len(reach), dtype=bool)
    opens[1:] = spans.begins[1:] >= reach[:-1]
    begins = spans.begins[opens]
    return Tokens(spans.ids, begins + gaps[begins], np.append(np.flatnonzero(opens), len(spans.ids)))
