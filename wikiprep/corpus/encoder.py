"""What an encoder of text is, and what it gives: token ids of a batch, and where in the text each of them stands.

The rule that every encoder keeps: **the tokens of a sentence are those of the sentence in one piece.** Only a start or
end of a mention that would lie inside a token cuts the sentence, there and nowhere else; what is between two cuts is
encoded on its own, a part after a cut as what it is, the rest of a word: without a mark of a space that is not there
(`▁` of SentencePiece), with the mark of a continued word (`##` of WordPiece). In the same way a sentence that follows
another without a space (Japanese) begins without the mark of one.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from wikiprep.corpus.joined_text import SEPARATOR, SPACE, JoinedText, Positions
from wikiprep.corpus.tokenizers import plain_copy


@dataclass(frozen=True)
class Tokens:
    """Ids of a whole batch.

    Unit u (a chunk, or tokens that share characters) starts at character `units[u]` and is tokens `ids[first[u]:first[u
    + 1]]`; a space before the character is the unit's.
    """

    ids: NDArray[np.int32]
    units: Positions
    first: Positions

    def at(self, positions: Positions) -> Positions:
        """The first token at or after each character position: a start of a sentence, a start or end of a mention."""
        return self.first[np.searchsorted(self.units, positions, "left")]


class Encoder(ABC):
    """Encodes batches with one tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._plain = plain_copy(tokenizer)

    @abstractmethod
    def encode(self, joined: JoinedText, sentences: Positions, bounds: Positions) -> Tokens:
        """Ids of `joined`.

        `sentences`: where sentences start, in order, the start of each paragraph with text among them; `bounds`: where
        mentions start and end, in any order. A token starts at each of them, but where the tokenizer has none for the
        text there.
        """

    def boundaries(self, joined: JoinedText, tokens: Tokens, unit: int) -> list[tuple[int, int]]:
        """The tokens of `unit` that start where a character starts, as (token, character position).

        A space before the character is the token's.
        """
        start = int(tokens.units[unit])
        stop = int(tokens.units[unit + 1]) if unit + 1 < len(tokens.units) else len(joined.codes)
        piece = joined.codes[start:stop].tobytes().decode("utf-32-le").split("\u2029")[0].rstrip(" ")
        lead = int(joined.codes[start - 1] in (SPACE, SEPARATOR))
        first, bounds = int(tokens.first[unit]), list[tuple[int, int]]()
        offsets = self._plain.encode(" " * lead + piece, add_special_tokens=False).offsets
        if len(offsets) != int(tokens.first[unit + 1]) - first:
            return [(first, start)]  # not what it is in its sentence
        end_before = 0
        for token, (begin, end) in enumerate(offsets, first):
            if begin >= end_before:
                position = max(start, start + begin - lead)
                position += int(joined.codes[position] == SPACE)
                if not bounds or bounds[-1][1] < position:  # a token that is a space alone stays with what follows
                    bounds.append((token, position))
            end_before = max(end, end_before)
        return bounds


def offsets_of(lengths: Positions) -> Positions:
    """[0, lengths[0], lengths[0] + lengths[1], …]: one more than `lengths`."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
