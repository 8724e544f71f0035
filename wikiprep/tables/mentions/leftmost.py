"""Which of many overlapping spans stand, taken from left to right: the longest at a place, none over another."""

import numpy as np

from wikiprep.tables.mentions.tokens import Places

_FEW = 64  # fronts smaller than this go on one by one: a step of numpy costs as much


def leftmost_spans(length_at: Places) -> Places:
    """First tokens of the spans that stand, ascending.

    `length_at`: by token, the length in tokens of the span that begins there, 0 for none; no span ends beyond the last
    token. From left to right, a span stands if it begins at or behind the end of the last that stands. Linear: spans
    fall into clusters that do not touch, and all clusters take a step at once.
    """
    begins = length_at > 0
    token = np.flatnonzero(begins)
    if not len(token):
        return token
    end = token + length_at[token]
    following = np.cumsum(begins)[end - 1]  # index of the first span at or behind the end of each
    opens = np.ones(len(token) + 1, np.bool_)  # no earlier span reaches into it; true behind the last
    np.greater_equal(token[1:], np.maximum.accumulate(end)[:-1], out=opens[1:-1])
    stands = opens[:-1].copy()
    front = np.flatnonzero(stands)
    while True:
        front = following[front]
        front = front[~opens[front]]
        stands[front] = True
        if len(front) < _FEW:
            break
    for index in front.tolist():
        index = int(following[index])
        while not opens[index]:
            stands[index] = True
            index = int(following[index])
    return token[stands]
