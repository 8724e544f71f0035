"""A random permutation of 0 … size-1 that is computed, not stored: any position in any order, from a key.

A Feistel network with additions (Black and Rogaway 2002, "Ciphers with Arbitrary Finite Domains", their generalised
network) over pairs (left, right) with left < a, right < b, a = ceil(sqrt(size)), a x b just over `size`; what falls
outside is permuted again until it falls inside. `numpy.random.permutation` would take 8 bytes a record on every rank
and worker, and a resume would have to draw it anew; here memory is nothing, at some 200 ns a position. The
permutations are not uniform over all size! ones, which no generator with a 64-bit key is.
"""

import math

import numpy as np
import numpy.typing as npt

ROUNDS = 6
Positions = npt.NDArray[np.int64]
_U64 = npt.NDArray[np.uint64]


def permute(positions: Positions, size: int, key: tuple[int, ...]) -> Positions:
    """Where the permutation of `key` (numbers of any size, such as seed and epoch) takes each position < size."""
    if size < 2:
        return positions.copy()
    left_size = math.isqrt(size - 1) + 1
    right_size = -(-size // left_size)
    keys = np.random.SeedSequence(key).generate_state(2 * ROUNDS, np.uint64).astype(np.uint64)
    result = positions.astype(np.uint64)
    outside = np.ones(len(result), bool)
    while outside.any():
        result[outside] = _permute_once(result[outside], left_size, right_size, keys)
        outside = result >= size
    return result.astype(np.int64)


def _permute_once(numbers: _U64, left_size: int, right_size: int, keys: _U64) -> _U64:
    a, b = np.uint64(left_size), np.uint64(right_size)
    left, right = numbers // b, numbers % b
    for round_number in range(ROUNDS):
        left = (left + _mix(right, keys[2 * round_number]) % a) % a
        right = (right + _mix(left, keys[2 * round_number + 1]) % b) % b
    return left * b + right


def _mix(values: _U64, key: np.uint64) -> _U64:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    mixed: _U64 = values ^ key
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def hash_values(values: npt.NDArray[np.int64]) -> _U64:
    """A hash of each number, the same everywhere and always."""
    return _mix(values.astype(np.uint64), np.uint64(0x9E3779B97F4A7C15))
