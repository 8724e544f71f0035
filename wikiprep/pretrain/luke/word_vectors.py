"""Vectors of a text's tokens and words, of the last hidden states: what LUKE and SPOT have alike."""

import numpy as np
import numpy.typing as npt

from wikiprep.corpus.encoder import Encoder
from wikiprep.pretrain.luke.text import EncodedText
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.trained import TOKENS, Floats, Vectors


def word_vectors(kind: str, one: EncodedText, states: Floats, encoder: Encoder, words: Words) -> Vectors:
    """Of the `states` [n, D] of a text's n tokens: themselves (TOKENS), or the mean over the tokens of each word."""
    starts, ends = one.token_spans(encoder)
    if kind == TOKENS:
        return Vectors(starts, ends, states)
    begins = words.begins[one.record.word_ids]
    begins[0] = True
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(begins))
    return Vectors(starts[first], ends[last - 1], means(states, first, last))


def means(states: Floats, starts: npt.NDArray[np.integer], ends: npt.NDArray[np.integer]) -> Floats:
    """[n, D]: the mean of the rows [start, end) of each."""
    rows = [states[start:end].mean(axis=0) for start, end in zip(starts, ends, strict=True)]
    return np.array(rows, np.float32).reshape(len(rows), states.shape[1])
