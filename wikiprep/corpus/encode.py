"""Text to token ids, for a batch of joined paragraphs cut at sentences and mentions.

What is between two cuts is encoded on its own, with a space before it where it follows a space or starts a paragraph.
`ChunkEncoder` is for byte-level BPE with GPT-2's pre-tokens (RoBERTa, GPT-2, ours): there no token reaches past a
space, so a chunk (a word with the space before it) has the same ids everywhere, and a memo of chunks spares most work.
`PieceEncoder` is for all others and encodes piece by piece.
"""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from wikiprep.corpus.joined import SEPARATOR, SPACE, Joined, Positions
from wikiprep.corpus.tokenizers import plain_copy

MEMO_CHUNKS = 500_000  # about 100 MB; then the memo starts anew (ids do not depend on it)
_LEARN_CHUNKS = 20_000  # chunks encoded in one call
_GLUED = "\0"  # marks a chunk that follows no space; the text has no NUL


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


class _Memo(dict[str, int]):
    """Chunk to row; a chunk not seen before gets the next row and waits in `pending`."""

    def __init__(self) -> None:
        super().__init__()
        self.pending: list[str] = []

    def __missing__(self, chunk: str) -> int:
        row = self[chunk] = len(self)
        self.pending.append(chunk)
        return row


class ChunkEncoder(Encoder):
    """Byte-level BPE by chunks, each encoded once while the memo lasts."""

    def __init__(self, tokenizer: Tokenizer, memo_chunks: int = MEMO_CHUNKS) -> None:
        super().__init__(tokenizer)
        self._memo_chunks = memo_chunks
        vocab = self._plain.get_vocab()
        self._spaced = np.zeros(max(vocab.values(), default=0) + 1, dtype=bool)
        self._spaced[[number for token, number in vocab.items() if token.startswith("Ġ")]] = True
        self._forget()

    def encode(self, joined: Joined, cuts: Positions) -> Tokens:
        gaps = joined.gaps()
        starts = ~gaps
        starts[1:] &= gaps[:-1]
        glued = cuts[~gaps[cuts] & ~gaps[cuts - 1]]
        starts[glued] = True
        marked = np.insert(joined.codes, np.repeat(glued, 2), np.tile(np.array([SPACE, 0], np.uint32), len(glued)))
        marked[marked == SEPARATOR] = SPACE
        rows = self._rows(marked.tobytes().decode("utf-32-le").split())
        lengths = self._lengths[rows]
        first = _offsets(lengths)
        # Token k of the batch, in unit u, is number k - first[u] of the unit's row.
        take = np.repeat(self._starts[rows] - first[:-1], lengths) + np.arange(first[-1])
        return Tokens(self._ids[take], np.flatnonzero(starts), first)

    def _rows(self, chunks: list[str]) -> Positions:
        if len(self._memo) > self._memo_chunks:
            self._forget()
        try:
            rows = np.fromiter(map(self._memo.__getitem__, chunks), np.int64, len(chunks))
            self._learn()
        except BaseException:
            self._forget()  # rows without ids must not stay
            raise
        return rows

    def _forget(self) -> None:
        self._memo = _Memo()
        self._ids = np.zeros(0, np.int32)
        self._starts = np.zeros(0, np.int64)
        self._lengths = np.zeros(0, np.int64)

    def _learn(self) -> None:
        """Gives the pending chunks their ids."""
        chunks, self._memo.pending = self._memo.pending, []
        for at in range(0, len(chunks), _LEARN_CHUNKS):
            batch = chunks[at : at + _LEARN_CHUNKS]
            spaced = [chunk for chunk in batch if chunk[0] != _GLUED]
            glued = [chunk[1:] for chunk in batch if chunk[0] == _GLUED]
            is_glued = np.array([chunk[0] == _GLUED for chunk in batch], dtype=bool)
            ids, lengths = self._encode_spaced(spaced)
            glued_ids, glued_lengths = self._encode_each(glued)
            both = np.empty(len(batch), np.int64)
            both[~is_glued], both[is_glued] = lengths, glued_lengths
            starts = np.empty(len(batch), np.int64)
            starts[~is_glued] = _offsets(lengths)[:-1]
            starts[is_glued] = len(ids) + _offsets(glued_lengths)[:-1]
            self._starts = np.concatenate([self._starts, len(self._ids) + starts])
            self._lengths = np.concatenate([self._lengths, both])
            self._ids = np.concatenate([self._ids, ids, glued_ids])

    def _encode_spaced(self, chunks: list[str]) -> tuple[NDArray[np.int32], Positions]:
        """Chunks in one text, told apart by the tokens that start with a space: half the time of one by one."""
        if not chunks:
            return self._encode_each(chunks)
        ids = np.array(self._plain.encode(" " + " ".join(chunks), add_special_tokens=False).ids, np.int32)
        starts = np.flatnonzero(self._spaced[ids])
        if len(starts) != len(chunks) or starts[0] != 0:  # a vocabulary that lacks some bytes
            return self._encode_each([" " + chunk for chunk in chunks])
        return ids, np.diff(starts, append=len(ids))

    def _encode_each(self, texts: list[str]) -> tuple[NDArray[np.int32], Positions]:
        lists = [encoding.ids for encoding in self._plain.encode_batch_fast(texts, add_special_tokens=False)]
        ids = np.array([number for ids in lists for number in ids], np.int32)
        return ids, np.fromiter(map(len, lists), np.int64, len(lists))


def _offsets(lengths: Positions) -> Positions:
    """[0, lengths[0], lengths[0] + lengths[1], …]: one more than `lengths`."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
