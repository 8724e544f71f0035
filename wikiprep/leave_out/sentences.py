"""Listed sentences in text: found by their words in a row, whatever stands between the words.

The first three words of every listed sentence are a key; a text is searched by looking up its words in threes, so that
the time does not depend on how many sentences are listed.
"""

from collections.abc import Iterator, Sequence

from wikiprep.leave_out.lists import _WORD, words_of

KEY = 3
Words = tuple[str, ...]


class SentenceFinder:
    """`texts` are numbered in the order given; each has at least one word."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._by_key: dict[Words, list[tuple[int, Words]]] = {}
        for number, text in enumerate(texts):
            words = tuple(words_of(text))
            self._by_key.setdefault(words[:KEY], []).append((number, words))
        self._lengths = sorted({len(key) for key in self._by_key})

    def may_have(self, text: str) -> bool:
        """Whether one of the keys is in `text`."""
        words = words_of(text)
        return any(key in self._by_key for length in self._lengths for key in _word_runs(words, length))

    def find(self, text: str) -> list[tuple[int, int, int]]:
        """(number, start, end) of every occurrence in `text`, in characters of it, by start."""
        spans = list(_words_with_places(text))
        words = [word for word, _, _ in spans]
        hits = []
        for length in self._lengths:
            for at, key in enumerate(_word_runs(words, length)):
                for number, sentence in self._by_key.get(key, ()):
                    if tuple(words[at : at + len(sentence)]) == sentence:
                        hits.append((number, spans[at][1], spans[at + len(sentence) - 1][2]))
        return sorted(hits, key=lambda hit: (hit[1], hit[2], hit[0]))


def _word_runs(words: Sequence[str], length: int) -> Iterator[Words]:
    """Each `length` words in a row."""
    return zip(*(words[i:] for i in range(length)), strict=False)


def _words_with_places(text: str) -> Iterator[tuple[str, int, int]]:
    """The words of `words_of(text)` with the characters of `text` they stand at: folding can lengthen a text."""
    folded = text.casefold()
    places: Sequence[int] = range(len(text))
    if len(folded) != len(text):
        places = [i for i, c in enumerate(text) for _ in c.casefold()]
    for match in _WORD.finditer(folded):
        yield match[0], places[match.start()], places[match.end() - 1] + 1
