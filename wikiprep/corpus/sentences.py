"""Sentence boundaries, by ICU and by language, of a whole batch of paragraphs at once.

A breaker for one paragraph costs more than the breaking; paragraphs joined by U+2029 (which always ends a sentence)
have the same boundaries and one breaker. ICU counts UTF-16 units: characters beyond the BMP shift its offsets.
"""

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
from icu4py.breakers import SentenceBreaker

from wikiprep.corpus.joined_text import SEPARATOR, Codes, JoinedText, Positions

# Languages where CLDR lists abbreviations that do not end a sentence ("Mr."): `@ss=standard` switches them on.
# Of el the list is empty in today's CLDR; it is asked for all the same.
_SUPPRESSIONS = frozenset({"de", "el", "en", "es", "fr", "it", "pt", "ru"})

# Wikipedia's codes that ICU does not know, where the language has its own rules.
_ALIASES = {"simple": "en", "no": "nb", "zh-classical": "zh", "zh-yue": "zh", "zh-min-nan": "zh", "be-tarask": "be"}


def locale_of(language: str) -> str:
    """The ICU locale for a Wikipedia's language code. An unknown code gets the rules common to all."""
    code = _ALIASES.get(language, language)
    return f"{code}@ss=standard" if code in _SUPPRESSIONS else code


def sentence_starts(joined: JoinedText, locale: str) -> Positions:
    """Positions in `joined` where sentences start, in order. Each paragraph that has text starts one.

    The white space after a sentence belongs to it, so that starts are never blank but where ICU breaks before a space.
    """
    if not len(joined.codes):
        return np.zeros(0, np.int64)
    segments = chain.from_iterable(SentenceBreaker(joined.text(), locale).segments())
    starts = _code_points(np.fromiter(segments, np.int64)[::2], joined.codes)
    sentences: Positions = starts[joined.codes[starts] != SEPARATOR]
    return sentences


def split_sentences(texts: Sequence[str], language: str) -> list[list[tuple[int, int]]]:
    """For each text, its sentences as `[start, end)` in code points, space after them included. For small inputs.

    Texts are taken as they are but for U+2029, which ends a sentence.
    """
    locale = locale_of(language)
    codes = np.frombuffer(("\u2029" + "\u2029".join(texts)).encode("utf-32-le"), dtype=np.uint32)
    ends = np.fromiter(
        chain.from_iterable(SentenceBreaker(codes.tobytes().decode("utf-32-le"), locale).segments()), int
    )
    breaks = _code_points(ends[1::2].astype(np.int64), codes)
    sentences, first = [], 1
    for text in texts:
        last = first + len(text)
        inside = breaks[np.searchsorted(breaks, first, "right") : np.searchsorted(breaks, last, "left")] - first
        edges = [0, *inside.tolist(), len(text)]
        sentences.append([(a, b) for a, b in pairwise(edges) if a < b])
        first = last + 1
    return sentences


def _code_points(units: Positions, codes: Codes) -> Positions:
    """Offsets in UTF-16 units as offsets in code points."""
    wide = np.flatnonzero(codes > 0xFFFF)
    if not len(wide):
        return units
    return units - np.searchsorted(wide + np.arange(len(wide)), units, "left")
