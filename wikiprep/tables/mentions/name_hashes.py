"""From the hash of a span of text to the one name it can be: memory-mapped, many spans at a time.

Two steps, since most spans are no name. First a filter of two bits a slot: "a name hashes here" and "the first tokens
of a longer name hash here"; where a bit is 0 it is certainly so. Then the table: names sorted by hash, 32 bits of it
kept beside the name's id, and where each run of equal leading bits begins. Some 13 to 16 bytes a name in all.

Any span of a batch is hashed in a few operations, from sums over its characters: the hash of characters c_0 … c_k is
the sum of (c_i + 1) * B^i modulo 2^64, B odd, and then mixed. With P the sums of (c_i + 1) * B^i from the batch's
beginning, a span's sum is (P[end] - P[start]) * B^-start: B has an inverse, since it is odd. So a span needs its two
ends only, whatever its length, and the same characters have the same hash wherever they stand. Equal hashes are no
proof: whoever looks up compares characters too.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import absent_table_error
from wikiprep.tables.mentions.tokens import Chars, Places, class_table, code_points, token_spans

Hashes = npt.NDArray[np.uint64]

_GOLDEN = 0x9E3779B97F4A7C15
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_WORD = (1 << 64) - 1


class SpanHasher:
    """Hashes of the family's member `seed`. Keeps 16 bytes for each character of the longest batch seen."""

    def __init__(self, seed: int) -> None:
        base = (seed * 2 + 1) * _GOLDEN & _WORD
        base ^= base >> 29
        self._base = (base * 0xBF58476D1CE4E5B9 & _WORD) | 1
        self._powers = self._inverses = np.ones(1, np.uint64)

    def sums(self, chars: Chars) -> Hashes:
        """P of the module's docstring: one more than there are characters."""
        self._grow(len(chars))
        result = np.zeros(len(chars) + 1, np.uint64)
        terms = chars.astype(np.uint64)
        terms += _ONE
        terms *= self._powers[: len(chars)]
        np.cumsum(terms, out=result[1:])
        return result

    def inverses(self, starts: Places) -> Hashes:
        """B^-start for starts inside the batch that `sums` saw last."""
        return self._inverses[starts]

    def _grow(self, size: int) -> None:
        if size > len(self._powers):
            self._powers = _powers(self._base, size)
            self._inverses = _powers(pow(self._base, -1, 1 << 64), size)


def mix_hashes(sums: Hashes) -> Hashes:
    """The hash from a span's sum, in place: its high bits depend on all bits."""
    sums ^= sums >> _HALF
    sums *= _MIX
    return sums


def _powers(base: int, size: int) -> Hashes:
    result = np.full(size, base, np.uint64)
    result[0] = 1
    return np.cumprod(result, out=result)


Ids = npt.NDArray[np.int32]

NAME, PREFIX = np.uint8(1), np.uint8(2)  # bits of the filter
_SEEDS = 16
_FIELDS = ("fingerprint", "id", "bucket", "filter")


class NameHashes:
    """The table of one file. `hasher` makes hashes for `flags` and `ids`; no name has over `longest` tokens."""

    def __init__(self, seed: int, longest: int, arrays: list[npt.NDArray[Any]]) -> None:
        self.hasher = SpanHasher(seed)
        self.longest = longest
        self._fingerprint: npt.NDArray[np.uint32]
        self._id: Ids
        self._bucket: npt.NDArray[np.uint32]
        self._filter: npt.NDArray[np.uint8]
        self._fingerprint, self._id, self._bucket, self._filter = arrays
        self._bucket_bits = np.uint64(_bits(len(self._bucket) - 1))
        self._slot_shift = np.uint64(64 - _bits(len(self._filter)) - 2)

    @classmethod
    def open(cls, path: Path) -> "NameHashes":
        """Map the table. Raises WikiprepError if it is missing or not whole."""
        try:
            with pa.ipc.open_file(pa.memory_map(str(path))) as reader:
                batch = reader.get_batch(0)
            seed, longest = (batch.column(name)[0].as_py() for name in ("seed", "longest"))
            return cls(seed, longest, [batch.column(name).values.to_numpy(zero_copy_only=True) for name in _FIELDS])
        except FileNotFoundError as error:
            raise absent_table_error(path, "build the mention tables first") from error
        except (pa.ArrowInvalid, KeyError, AttributeError) as error:
            raise WikiprepError(
                f"{path}: not a table of this kind ({error})", "remove it and its receipt, and run the build again"
            ) from error

    def flags(self, hashes: Hashes) -> npt.NDArray[np.uint8]:
        """For each hash, NAME if it may be a name's, plus PREFIX if it may be of the first tokens of a longer name."""
        slots = hashes >> self._slot_shift
        slot_bits: npt.NDArray[np.uint8] = self._filter.take((slots >> np.uint64(2)).view(np.int64))
        slot_bits >>= (slots.astype(np.uint8) & np.uint8(3)) << np.uint8(1)
        return slot_bits

    def ids(self, hashes: Hashes) -> Ids:
        """The id of the only name that each hash can be of, -1 where there is none."""
        buckets = (hashes >> (np.uint64(64) - self._bucket_bits)).view(np.int64)
        fingerprints = _fingerprints(hashes, self._bucket_bits)
        place, end = self._bucket.take(buckets), self._bucket[1:].take(buckets)
        result = np.full(len(hashes), -1, np.int32)
        remaining = np.flatnonzero(place < end)
        place, end, fingerprints = place[remaining], end[remaining], fingerprints[remaining]
        while len(remaining):
            hit = self._fingerprint.take(place) == fingerprints
            result[remaining[hit]] = self._id.take(place[hit])
            place += np.uint32(1)
            unfinished = ~hit & (place < end)
            remaining, place, end, fingerprints = (
                remaining[unfinished],
                place[unfinished],
                end[unfinished],
                fingerprints[unfinished],
            )
        return result


def write_hashes(path: Path, size: int, chunks: Callable[[], Iterator[list[str]]]) -> None:
    """Write the table of `size` distinct names, whose ids are their places in `chunks()`, which may be called again.

    Names are in normal form. In memory: about 50 bytes a name, and 16 for each of its tokens.
    """
    bits = max(1, (size - 1).bit_length() - 1)
    for seed in range(_SEEDS):
        hasher = SpanHasher(seed)
        chunk_hashes = [_hashes_of(chunk, hasher) for chunk in chunks()]
        hashes = _concatenate([names for names, _, _ in chunk_hashes])
        prefixes = _concatenate([beginnings for _, beginnings, _ in chunk_hashes])
        longest = max((tokens for _, _, tokens in chunk_hashes), default=0)
        del chunk_hashes
        filter_bits = _filter(hashes, prefixes)
        del prefixes
        order = np.argsort(hashes, kind="stable")
        hashes = hashes[order]
        hash_bits = hashes >> np.uint64(32 - bits)  # what bucket and fingerprint hold of a hash
        if np.any(hash_bits[1:] == hash_bits[:-1]):
            continue  # two names that could not be told apart: another member of the family
        del hash_bits
        buckets = np.searchsorted(hashes >> np.uint64(64 - bits), np.arange((1 << bits) + 1, dtype=np.uint64))
        fingerprints = _fingerprints(hashes, np.uint64(bits))
        _write(path, seed, longest, [fingerprints, order.astype(np.int32), buckets.astype(np.uint32), filter_bits])
        return
    raise WikiprepError(f"{path}: some names have equal hashes under {_SEEDS} seeds", "report this with the names")


def _hashes_of(names: list[str], hasher: SpanHasher) -> tuple[Hashes, Hashes, int]:
    """Hashes of names and of all their proper prefixes of whole tokens, and the most tokens that a name has."""
    chars = code_points(" ".join(names))
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    ends = np.cumsum(lengths + 1) - 1
    starts = ends - lengths
    sums = hasher.sums(chars)
    _, token_ends = token_spans(class_table()[chars])
    owner = np.searchsorted(ends, token_ends)
    longest = int(np.bincount(owner).max(initial=0))
    inner = token_ends != ends[owner]
    token_ends, owner = token_ends[inner], owner[inner]
    inverses = hasher.inverses(starts)
    return (
        mix_hashes((sums[ends] - sums[starts]) * inverses),
        mix_hashes((sums[token_ends] - sums[starts[owner]]) * inverses[owner]),
        longest,
    )


def _concatenate(parts: list[Hashes]) -> Hashes:
    return np.concatenate([np.empty(0, np.uint64), *parts])


def _fingerprints(hashes: Hashes, bucket_bits: np.uint64) -> npt.NDArray[np.uint32]:
    """The 32 bits of a hash behind those that choose the bucket."""
    return ((hashes << bucket_bits) >> np.uint64(32)).astype(np.uint32)


def _filter(names: Hashes, prefixes: Hashes) -> npt.NDArray[np.uint8]:
    """Four slots of two bits a byte; four to eight slots for each hash, so that most are 0."""
    slots = np.zeros(1 << max(2, (4 * (len(names) + len(prefixes)) - 1).bit_length()), np.uint8)
    shift = np.uint64(64 - _bits(len(slots)))
    slots[names >> shift] = NAME
    slots[prefixes >> shift] |= PREFIX
    packed = slots[0::4].copy()
    for place in (1, 2, 3):
        packed |= slots[place::4] << np.uint8(2 * place)
    return packed


def _bits(size: int) -> int:
    """Of a power of two: which."""
    return size.bit_length() - 1


def _write(path: Path, seed: int, longest: int, arrays: list[npt.NDArray[Any]]) -> None:
    """One row, whose cells are whole arrays: they are of different lengths."""
    columns = [pa.array([seed], pa.int64()), pa.array([longest], pa.int64())]
    for array in arrays:
        offsets = pa.array([0, len(array)], pa.int64())
        columns.append(pa.LargeListArray.from_arrays(offsets, pa.array(array)))
    batch = pa.RecordBatch.from_arrays(columns, ["seed", "longest", *_FIELDS])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
