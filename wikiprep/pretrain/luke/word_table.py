"""Weights of whole words for informed masking: a file of `kg-weights`, and the look-up of a record's words in it.

An Arrow file with a row a word: `tokens` (list of int32), `weight`, and for people `word`, `count` and `neighbours`.
Its metadata has the weight of all other words, and the digest of the tokenizer whose ids these are.

A word is looked up by a 64-bit hash of its token ids: one more multiplication a token, all words of a record at once.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import UsageError, WikiprepError

SUFFIX = ".arrow"
LONGEST = 8  # tokens of a word that may have a weight of its own
UNKNOWN, TOKENIZER = b"wikiprep.unknown", b"wikiprep.tokenizer"
SCHEMA = pa.schema(
    [
        ("tokens", pa.list_(pa.int32())),
        ("weight", pa.float32()),
        ("word", pa.string()),
        ("count", pa.int64()),
        ("neighbours", pa.float32()),
    ]
)

Weights = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

_FACTOR = 0x9E3779B97F4A7C15  # odd, so that multiplying by it loses nothing: 2^64 over the golden ratio
_POWERS = np.array([pow(_FACTOR, power + 1, 1 << 64) for power in range(LONGEST)], np.uint64)


def hashes_of(ids: npt.NDArray[np.integer], first: Ints, lengths: Ints) -> Hashes:
    """A hash of each word: ids [T] of a record, the place of each word's first token and its length [W].

    Meaningless for words of more than LONGEST tokens.
    """
    place = np.arange(len(ids)) - np.repeat(first, lengths)
    token_hashes = (ids.astype(np.uint64) + np.uint64(1)) * _POWERS[np.minimum(place, LONGEST - 1)]
    token_hashes ^= token_hashes >> np.uint64(29)
    return np.asarray(np.add.reduceat(token_hashes, first), np.uint64)


@dataclass(frozen=True, eq=False)
class WordTable:
    """Words by their hashes, which stand in order; `unknown` is the weight of words that are not among them."""

    hashes: Hashes
    weights: Weights
    unknown: float

    def of_words(self, ids: npt.NDArray[np.integer], first: Ints, lengths: Ints) -> Weights:
        """The weight of each word of a record; see `hashes_of`."""
        weights = np.full(len(first), self.unknown, np.float32)
        if not len(self.hashes):
            return weights
        hashes = hashes_of(ids, first, lengths)
        place = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        is_known = (self.hashes[place] == hashes) & (lengths <= LONGEST)
        weights[is_known] = self.weights[place[is_known]]
        return weights

    def tobytes(self) -> bytes:
        """What a run is told apart by."""
        return self.hashes.tobytes() + self.weights.tobytes() + np.float32(self.unknown).tobytes()


def table_of(words: Sequence[Sequence[int]], weights: npt.ArrayLike, unknown: float) -> WordTable:
    """Weights are taken relative to the highest, so that equal ones are 1: masks are then those without weights.

    Raises WikiprepError where a weight is no weight, or two words have one hash (which has not been seen).
    """
    values = np.asarray(weights, np.float64)
    if not np.isfinite([*values, unknown]).all() or min([*values, unknown]) < 0:
        raise WikiprepError("weights under 0 or not finite", "a weight is 0 (never masked) or more")
    highest = max([*values, unknown]) or 1.0
    lengths = np.array([len(word) for word in words], np.int64)
    if len(words) and not 1 <= lengths.min() <= lengths.max() <= LONGEST:
        raise WikiprepError(f"a word of {lengths.min()} or {lengths.max()} tokens", f"words have 1 to {LONGEST}")
    hashes = np.zeros(0, np.uint64)
    if len(words):
        ids = np.concatenate([np.asarray(word, np.int64) for word in words])
        hashes = hashes_of(ids, np.cumsum(lengths) - lengths, lengths)
    order = np.argsort(hashes, kind="stable")
    if (np.diff(hashes[order].view(np.int64)) == 0).any():
        raise WikiprepError("a word stands there twice, or two have one hash", "make the file with `kg-weights`")
    return WordTable(hashes[order], (values[order] / highest).astype(np.float32), float(unknown / highest))


def tokenizer_digest(path: Path) -> str:
    """What a file of weights says of its tokenizer."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_word_table(path: str, tokenizer: Path) -> WordTable:
    """A file of `kg-weights`. Raises UsageError where it cannot be read or is of another tokenizer."""
    hint = "`wikiprep kg-weights CORPUS --output FILE.arrow` makes such a file"
    try:
        with pa.OSFile(path) as file:
            table = pa.ipc.open_file(file).read_all()
    except (OSError, pa.ArrowException) as error:
        raise UsageError(f"{path}: no weights of words can be read ({error})", hint) from error
    metadata = table.schema.metadata or {}
    if not table.schema.equals(SCHEMA) or UNKNOWN not in metadata:
        raise UsageError(f"{path}: has other columns than a file of kg-weights", hint)
    if metadata.get(TOKENIZER, b"").decode() != tokenizer_digest(tokenizer):
        raise UsageError(
            f"{path}: was made for another tokenizer than {tokenizer}", "make it again from this corpus with kg-weights"
        )
    try:
        return table_of(table["tokens"].to_pylist(), table["weight"].to_numpy(), float(metadata[UNKNOWN]))
    except WikiprepError as error:
        raise UsageError(f"{path}: {error}", error.hint or hint) from error
