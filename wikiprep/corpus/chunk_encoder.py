"""Byte-level BPE with GPT-2's pre-tokens (RoBERTa, GPT-2, ours), by chunks.

There no token reaches past a space, so a chunk (a word with the space before it) has the same ids everywhere, and a
memo of chunks spares most work. Where no token crosses a cut, it leaves the tokens as they are in all but two cases, so
that text can be cut at every mention: pre-tokens are runs of letters, of digits or of other signs, and byte-level BPE
of a run is that of its parts where no merge crosses the cut. The cases are contractions ("'s" is a pre-token of its
own, but not in "”'s") and words that were added to the tokenizer; sentences with one go to `SentenceEncoder`.
"""

import re
import unicodedata
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from wikiprep.corpus.encoder import Encoder, Tokens, offsets_of
from wikiprep.corpus.joined_text import SEPARATOR, SPACE, JoinedText, Positions
from wikiprep.corpus.sentence_encoder import SentenceEncoder
from wikiprep.corpus.tokenizers import added_words

MEMO_CHUNKS = 500_000  # about 180 MB; then the memo starts anew (ids do not depend on it)
_LEARN_TEXTS = 20_000  # encoded in one call
_GLUED = "\0"  # marks a chunk that follows no space; the text has no NUL

# GPT-2's pre-tokens, for text of these scripts alone: Python's letters and those of the tokenizer agree on them,
# whatever the Unicode version of each. (OpenAI, gpt-2/src/encoder.py, has the expression; white space is left out.)
_LAST = 0x52F  # Latin, Greek, Cyrillic
_BEYOND = re.compile(f"[^\\0-{chr(_LAST)}]")
_LETTERS = "".join(re.escape(chr(code)) for code in range(_LAST + 1) if unicodedata.category(chr(code))[0] == "L")
_NUMBERS = "".join(re.escape(chr(code)) for code in range(_LAST + 1) if unicodedata.category(chr(code))[0] == "N")
_SIGN = re.compile(f"[^ \u2029{_LETTERS}{_NUMBERS}]")
_APOSTROPHE = ord("'")
_CONTRACTIONS = ("'s", "'t", "'m", "'d", "'re", "'ve", "'ll")
_PRETOKENS = re.compile(f"'(?:[stmd]|re|ve|ll)| ?[{_LETTERS}]+| ?[{_NUMBERS}]+| ?[^ {_LETTERS}{_NUMBERS}]+")

_Ids = tuple[NDArray[np.int32], Positions]  # ids of several texts, and how many each has


class ChunkEncoder(Encoder):
    """Byte-level BPE by chunks, each encoded once while the memo lasts.

    A chunk not seen before mostly has pre-tokens that were ("Smith" of "Smith,"), so these have a table of their own;
    only what is new in it reaches the tokenizer.
    """

    def __init__(self, tokenizer: Tokenizer, memo_chunks: int = MEMO_CHUNKS) -> None:
        super().__init__(tokenizer)
        self._memo_chunks = memo_chunks
        self._newline = self._plain.token_to_id("Ċ")  # "\n" in the byte-level alphabet
        self._chunks, self._pretokens = _ChunkTable(), _ChunkTable()
        self._sentence_encoder = SentenceEncoder(tokenizer)
        words = added_words(tokenizer)
        self._added_pattern = re.compile("|".join(map(re.escape, words))) if words else None

    def encode(self, joined: JoinedText, sentences: Positions, bounds: Positions) -> Tokens:
        """See `Encoder`."""
        cuts = np.unique(np.concatenate([sentences, bounds]))
        tokens = self._encode_by_chunks(joined, cuts[cuts < len(joined.codes)])
        places = self._contraction_places(joined, bounds) + self._added_word_places(joined)
        if not places:
            return tokens
        exceptional = np.unique(np.searchsorted(sentences, places, "right") - 1)
        starts, stops = sentences[exceptional], np.append(sentences[1:], len(joined.codes))[exceptional]
        return _replace_units(tokens, self._sentence_encoder.encode_some(joined, starts, stops, bounds), starts, stops)

    def _contraction_places(self, joined: JoinedText, bounds: Positions) -> list[int]:
        """Bounds before a contraction that is none in one piece, since a sign stands before it."""
        codes, bounds = joined.codes, bounds[bounds < len(joined.codes)]
        places = np.unique(bounds[codes[bounds] == _APOSTROPHE]).tolist()
        near = [(place, codes[place - 1 : place + 3].tobytes().decode("utf-32-le")) for place in places]
        return [place for place, text in near if _SIGN.match(text) and text[1:].startswith(_CONTRACTIONS)]

    def _added_word_places(self, joined: JoinedText) -> list[int]:
        """Where there may be words that were added to the tokenizer."""
        return [match.start() for match in self._added_pattern.finditer(joined.text())] if self._added_pattern else []

    def _encode_by_chunks(self, joined: JoinedText, cuts: Positions) -> Tokens:
        gaps = joined.gaps()
        starts = ~gaps
        starts[1:] &= gaps[:-1]
        glued = cuts[~gaps[cuts] & ~gaps[cuts - 1]]
        starts[glued] = True
        marked_codes = np.insert(
            joined.codes, np.repeat(glued, 2), np.tile(np.array([SPACE, 0], np.uint32), len(glued))
        )
        marked_codes[marked_codes == SEPARATOR] = SPACE
        if len(self._chunks) > self._memo_chunks or len(self._pretokens) > self._memo_chunks:
            self._chunks, self._pretokens = _ChunkTable(), _ChunkTable()
        ids, lengths = self._chunks.look_up(marked_codes.tobytes().decode("utf-32-le").split(), self._learn_chunks)
        return Tokens(ids, np.flatnonzero(starts), offsets_of(lengths))

    def _learn_chunks(self, chunks: list[str]) -> _Ids:
        parts = []
        for chunk in chunks:
            text = chunk[1:] if chunk[0] == _GLUED else " " + chunk
            parts.append([text] if _BEYOND.search(text) else _PRETOKENS.findall(text))
        ids, lengths = self._pretokens.look_up([part for split in parts for part in split], self._encode_each)
        counts = np.fromiter(map(len, parts), np.int64, len(parts))
        return ids, np.add.reduceat(lengths, offsets_of(counts)[:-1])

    def _encode_each(self, texts: list[str]) -> _Ids:
        """Ids of each text on its own.

        GPT-2's pre-tokens cut at a newline whatever is beside it, and so may many texts be one; one call for each takes
        twice as long.
        """
        every_ids, every_lengths = [], []
        for at in range(0, len(texts), _LEARN_TEXTS):
            batch = texts[at : at + _LEARN_TEXTS]
            ids = np.array(self._plain.encode("\n".join(batch), add_special_tokens=False).ids, np.int32)
            is_newline = ids == (-1 if self._newline is None else self._newline)
            edges = np.flatnonzero(is_newline)
            if len(edges) != len(batch) - 1:  # a vocabulary without the newline
                lists = [encoding.ids for encoding in self._plain.encode_batch_fast(batch, add_special_tokens=False)]
                every_ids.append(np.array([number for token_ids in lists for number in token_ids], np.int32))
                every_lengths.append(np.fromiter(map(len, lists), np.int64, len(lists)))
            else:
                every_ids.append(ids[~is_newline])
                every_lengths.append(np.diff(edges, prepend=-1, append=len(ids)) - 1)
        return np.concatenate(every_ids), np.concatenate(every_lengths)


def _replace_units(tokens: Tokens, others: Tokens, starts: Positions, stops: Positions) -> Tokens:
    """`tokens` with those of `others` in the regions `[starts, stops)`, which is where all of these are."""
    region = np.searchsorted(starts, tokens.units, "right") - 1
    stays = (region < 0) | (tokens.units >= stops[region])
    units = np.concatenate([tokens.units[stays], others.units])
    order = np.argsort(units, kind="stable")
    first = np.concatenate([tokens.first[:-1][stays], len(tokens.ids) + others.first[:-1]])[order]
    lengths = np.concatenate([np.diff(tokens.first)[stays], np.diff(others.first)])[order]
    offsets = offsets_of(lengths)
    take = np.repeat(first - offsets[:-1], lengths) + np.arange(offsets[-1])
    return Tokens(np.concatenate([tokens.ids, others.ids])[take], units[order], offsets)


class _ChunkTable:
    """Ids of strings met so far. A string is a row; rows are told apart by a dict that numbers what is new."""

    def __init__(self) -> None:
        self._rows = _Numbering()
        self._ids = np.zeros(0, np.int32)
        self._starts = np.zeros(0, np.int64)
        self._lengths = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._rows)

    def look_up(self, keys: list[str], learn: Callable[[list[str]], _Ids]) -> _Ids:
        """Ids of all keys in order, and how many each has; `learn` gives those of keys not met before."""
        try:
            rows = np.fromiter(map(self._rows.__getitem__, keys), np.int64, len(keys))
            if self._rows.new:
                self._grow(*learn(self._rows.new))
                self._rows.new = []
        except BaseException:
            self._rows, self._ids = _Numbering(), self._ids[:0]  # rows without ids must not stay
            self._starts, self._lengths = self._starts[:0], self._lengths[:0]
            raise
        lengths = self._lengths[rows]
        ends = np.cumsum(lengths)
        # The k-th id of all, of the key whose ids begin at b, is the (k - b)-th of the key's row.
        take = np.repeat(self._starts[rows] - ends + lengths, lengths) + np.arange(ends[-1] if len(ends) else 0)
        return self._ids[take], lengths

    def _grow(self, ids: NDArray[np.int32], lengths: Positions) -> None:
        self._starts = np.concatenate([self._starts, len(self._ids) + offsets_of(lengths)[:-1]])
        self._lengths = np.concatenate([self._lengths, lengths])
        self._ids = np.concatenate([self._ids, ids])


class _Numbering(dict[str, int]):
    """String to row; a string not met before gets the next row and waits in `new`."""

    def __init__(self) -> None:
        super().__init__()
        self.new: list[str] = []

    def __missing__(self, key: str) -> int:
        row = self[key] = len(self)
        self.new.append(key)
        return row
