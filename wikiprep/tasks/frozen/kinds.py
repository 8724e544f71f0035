"""Kinds of vectors of a mention, from those of its tokens; a pair of mentions has both, concatenated.

average    mean of the last hidden states of its tokens
endpoints  those of its first and its last token, concatenated
max        their maximum, number by number
mask       mean of the states with all its tokens (of a pair those of both) replaced by the mask token
entity     the state of a `[MASK]` entity at the mention, of a model with entities
own        what the model itself has for mentions and pairs: `pretrain/frozen.py`
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

AVERAGE, ENDPOINTS, MAX, MASK, ENTITY, OWN = KINDS = ("average", "endpoints", "max", "mask", "entity", "own")
OF_TOKENS = (AVERAGE, ENDPOINTS, MAX)


def pool_states(states: Floats, kind: str) -> Floats:
    """The vector of a mention of these tokens, [n, D], n at least 1: [D], of end points [2 D]."""
    if kind == AVERAGE:
        return np.asarray(states.mean(axis=0), np.float32)
    if kind == MAX:
        return np.asarray(states.max(axis=0), np.float32)
    if kind != ENDPOINTS:
        raise ValueError(f"no kind of vectors of tokens: {kind}")
    return np.concatenate([states[0], states[-1]])
