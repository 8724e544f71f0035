"""Text to token ids, for a batch of joined paragraphs cut at sentences and mentions.

What is between two cuts is encoded on its own, with a space before it where it follows a space or starts a paragraph.
`ChunkEncoder` is for byte-level BPE with GPT-2's pre-tokens (RoBERTa, GPT-2, ours): there no token reaches past a
space, so a chunk (a word with the space before it) has the same ids everywhere, and a memo of chunks spares most work.
`PieceEncoder` is for all others and encodes piece by piece.
"""

import json
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from wikiprep.corpus.joined import SEPARATOR, SPACE, Joined, Positions
from wikiprep.corpus.tokenizers import plain_copy

MEMO_CHUNKS = 500_000  # about 180 MB; then the memo starts anew (ids do not depend on it)
_LEARN_TEXTS = 20_000  # encoded in one call
_GLUED = "\0"  # marks a chunk that follows no space; the text has no NUL

# GPT-2's pre-tokens, for text of these scripts alone: Python's letters and those of the tokenizer agree on them,
# whatever the Unicode version of each. (OpenAI, gpt-2/src/encoder.py, has the expression; white space is left out.)
_LAST = 0x52F  # Latin, Greek, Cyrillic
_BEYOND = re.compile(f"[^\\0-{chr(_LAST)}]")
_LETTERS = "".join(re.escape(chr(code)) for code in range(_LAST + 1) if unicodedata.category(chr(code))[0] == "L")
_NUMBERS = "".join(re.escape(chr(code)) for code in range(_LAST + 1) if unicodedata.category(chr(code))[0] == "N")
_PRETOKENS = re.compile(f"'(?:[stmd]|re|ve|ll)| ?[{_LETTERS}]+| ?[{_NUMBERS}]+| ?[^ {_LETTERS}{_NUMBERS}]+")

_Ids = tuple[NDArray[np.int32], Positions]  # ids of several texts, and how many each has


@dataclass(frozen=True)
class Tokens:
    """Ids of a whole batch. Unit u (a chunk or a piece) starts at character `units[u]` and is tokens
    `ids[first[u]:first[u + 1]]`."""

    ids: NDArray[np.int32]
    units: Positions
    first: Positions

    def at(self, positions: Positions) -> Positions:
        """The first token at or after each character position; the position must be a cut or lie between words."""
        return self.first[np.searchsorted(self.units, positions, "left")]


class Encoder(ABC):
    """Encodes batches with one tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._plain = plain_copy(tokenizer)

    @abstractmethod
    def encode(self, joined: Joined, cuts: Positions) -> Tokens:
        """Ids of `joined`, cut at `cuts`: sorted positions of characters, the start of each paragraph with text among
        them."""

    def boundaries(self, joined: Joined, tokens: Tokens, unit: int) -> list[tuple[int, int]]:
        """(token, character position) of each token of `unit` that starts where a character starts; a space before
        the character is the token's."""
        start = int(tokens.units[unit])
        stop = int(tokens.units[unit + 1]) if unit + 1 < len(tokens.units) else len(joined.codes)
        piece = joined.codes[start:stop].tobytes().decode("utf-32-le").split("\u2029")[0].rstrip(" ")
        lead = int(joined.codes[start - 1] in (SPACE, SEPARATOR))
        found: list[tuple[int, int]] = []
        end_before = 0
        offsets = self._plain.encode(" " * lead + piece, add_special_tokens=False).offsets
        for token, (begin, end) in enumerate(offsets, int(tokens.first[unit])):
            if begin >= end_before:
                position = max(start, start + begin - lead)
                position += int(joined.codes[position] == SPACE)
                if not found or found[-1][1] < position:  # a token that is a space alone stays with what follows
                    found.append((token, position))
            end_before = max(end, end_before)
        return found


def make_encoder(tokenizer: Tokenizer) -> Encoder:
    """The fastest encoder that gives the tokenizer's own ids."""
    document = json.loads(tokenizer.to_str())
    pre_tokenizer = document["pre_tokenizer"] or {}
    gpt2 = pre_tokenizer.get("type") == "ByteLevel" and pre_tokenizer.get("use_regex", True)
    if gpt2 and not document["normalizer"] and not document["model"].get("dropout"):
        return ChunkEncoder(tokenizer)
    return PieceEncoder(tokenizer)


class PieceEncoder(Encoder):
    """Any tokenizer: each piece between two cuts is one call's work."""

    def encode(self, joined: Joined, cuts: Positions) -> Tokens:
        text = joined.text()
        gaps = joined.gaps()
        pieces, units = [], []
        for start, end in pairwise([*cuts.tolist(), len(text)]):
            body = text[start:end].strip(" \u2029")
            if body:
                inner = start + int(gaps[start])
                pieces.append(" " + body if gaps[inner - 1] else body)
                units.append(inner)
        encodings = self._plain.encode_batch_fast(pieces, add_special_tokens=False)
        lists = [encoding.ids for encoding in encodings]
        ids = np.array([number for ids in lists for number in ids], np.int32)
        return Tokens(ids, np.array(units, np.int64), _offsets(np.fromiter(map(len, lists), np.int64, len(lists))))


class ChunkEncoder(Encoder):
    """Byte-level BPE by chunks, each encoded once while the memo lasts.

    A chunk not seen before mostly has pre-tokens that were ("Smith" of "Smith,"), so these have a table of their own;
    only what is new in it reaches the tokenizer.
    """

    def __init__(self, tokenizer: Tokenizer, memo_chunks: int = MEMO_CHUNKS) -> None:
        super().__init__(tokenizer)
        self._memo_chunks = memo_chunks
        self._newline = self._plain.token_to_id("Ċ")  # "\n" in the byte-level alphabet
        self._chunks, self._pretokens = _Table(), _Table()

    def encode(self, joined: Joined, cuts: Positions) -> Tokens:
        gaps = joined.gaps()
        starts = ~gaps
        starts[1:] &= gaps[:-1]
        glued = cuts[~gaps[cuts] & ~gaps[cuts - 1]]
        starts[glued] = True
        marked = np.insert(joined.codes, np.repeat(glued, 2), np.tile(np.array([SPACE, 0], np.uint32), len(glued)))
        marked[marked == SEPARATOR] = SPACE
        if len(self._chunks) > self._memo_chunks or len(self._pretokens) > self._memo_chunks:
            self._chunks, self._pretokens = _Table(), _Table()
        ids, lengths = self._chunks.look_up(marked.tobytes().decode("utf-32-le").split(), self._learn_chunks)
        return Tokens(ids, np.flatnonzero(starts), _offsets(lengths))

    def _learn_chunks(self, chunks: list[str]) -> _Ids:
        parts = []
        for chunk in chunks:
            text = chunk[1:] if chunk[0] == _GLUED else " " + chunk
            parts.append([text] if _BEYOND.search(text) else _PRETOKENS.findall(text))
        ids, lengths = self._pretokens.look_up([part for split in parts for part in split], self._encode_each)
        counts = np.fromiter(map(len, parts), np.int64, len(parts))
        return ids, np.add.reduceat(lengths, _offsets(counts)[:-1])

    def _encode_each(self, texts: list[str]) -> _Ids:
        """Ids of each text on its own. GPT-2's pre-tokens cut at a newline whatever is beside it, and so may many texts
        be one; one call for each takes twice as long."""
        every_ids, every_lengths = [], []
        for at in range(0, len(texts), _LEARN_TEXTS):
            batch = texts[at : at + _LEARN_TEXTS]
            ids = np.array(self._plain.encode("\n".join(batch), add_special_tokens=False).ids, np.int32)
            between = ids == (-1 if self._newline is None else self._newline)
            edges = np.flatnonzero(between)
            if len(edges) != len(batch) - 1:  # a vocabulary without the newline
                lists = [encoding.ids for encoding in self._plain.encode_batch_fast(batch, add_special_tokens=False)]
                every_ids.append(np.array([number for found in lists for number in found], np.int32))
                every_lengths.append(np.fromiter(map(len, lists), np.int64, len(lists)))
            else:
                every_ids.append(ids[~between])
                every_lengths.append(np.diff(edges, prepend=-1, append=len(ids)) - 1)
        return np.concatenate(every_ids), np.concatenate(every_lengths)


class _Table:
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
        self._starts = np.concatenate([self._starts, len(self._ids) + _offsets(lengths)[:-1]])
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


def _offsets(lengths: Positions) -> Positions:
    """[0, lengths[0], lengths[0] + lengths[1], …]: one more than `lengths`."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
