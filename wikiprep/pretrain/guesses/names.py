"""The names of mentions, from token ids: a mention's tokens joined, without the space before it.

Records need no text for it. "Oslo" after a space and at the start of a sentence are different tokens and one name. Case
is kept. A batch of records is one pass of Arrow's over arrays, no loop over mentions.
"""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from tokenizers import Tokenizer, models

Ints = npt.NDArray[np.int64]

_SPACES = "Ġ▁"  # how byte-level BPE and SentencePiece write the space before a token


def pieces_of(tokenizer: Tokenizer) -> pa.StringArray:
    """By token id what it adds to a name."""
    vocabulary = tokenizer.get_vocab(with_added_tokens=True)
    pieces = [""] * (max(vocabulary.values()) + 1)
    prefix = getattr(tokenizer.model, "continuing_subword_prefix", "") or ""
    for piece, number in vocabulary.items():
        pieces[number] = piece.removeprefix(prefix) if isinstance(tokenizer.model, models.WordPiece) else piece
    return pa.array(pieces, pa.string())


def names_of(pieces: pa.StringArray, tokens: npt.NDArray[np.integer], starts: Ints, ends: Ints) -> pa.StringArray:
    """The name of each mention `tokens[start:end]`. Raises pa.ArrowException or IndexError for damaged numbers."""
    lengths = ends - starts
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    places = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
    parts = pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), pieces.take(pa.array(tokens[places])))
    return pc.utf8_ltrim(pc.binary_join(parts, ""), characters=_SPACES)
