"""Vectors of mentions by static word vectors in GloVe's text form (Pennington, Socher and Manning 2014).

A word and its numbers a line, with blanks between. A mention is the mean of its words. Only words that are needed are
held.
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.benchmark_files import text_lines
from wikiprep.tasks.frozen.encoders import AVERAGE, Floats, ItemVectors
from wikiprep.tasks.frozen.items import TextItem

NO_WORD = "mentions: no word of them has a vector, they are 0"
UNKNOWN = "words: without a vector, left out of the mean"
_FORM = "a line is a word and its numbers, with a blank between: `word 0.1 -0.2 …`, of one length in all lines"
_PIECES = re.compile(r"\w+|[^\w\s]")


class StaticWords:
    """See `Encoder`."""

    kinds: tuple[str, ...] = (AVERAGE,)

    def __init__(self, path: Path) -> None:
        self._path = path

    def vectors(self, items: Sequence[TextItem], kinds: Sequence[str]) -> ItemVectors:
        """See `Encoder`.

        A word is looked up as it is written, then in lower case, then in pieces of letters and of signs
        ("5-fluorouracil": "5", "-", "fluorouracil").

        Raises WikiprepError, with file and line, for a line of another length, or of no numbers.
        """
        mentions = [[item.text[start:end].split() for start, end in item.spans] for item in items]
        words = {word for item_mentions in mentions for mention in item_mentions for word in mention}
        table, size = self._read({form for word in words for form in _forms(word)})
        notes: Counter[str] = Counter()
        rows = [
            np.concatenate([self._mean(mention, table, size, notes) for mention in item_mentions])
            for item_mentions in mentions
        ]
        return ItemVectors(list(range(len(items))), {AVERAGE: np.stack(rows)} if rows else {}, Counter(), notes)

    def _mean(self, mention: Sequence[str], table: dict[str, Floats], size: int, notes: Counter[str]) -> Floats:
        vectors = []
        for word in mention:
            word_vector = next((table[form] for form in (word, word.lower()) if form in table), None)
            pieces = [table[piece] for piece in _PIECES.findall(word.lower()) if piece in table]
            notes[UNKNOWN] += word_vector is None and not pieces
            vectors += pieces if word_vector is None else [word_vector]
        notes[NO_WORD] += not vectors
        return np.mean(vectors, axis=0, dtype=np.float32) if vectors else np.zeros(size, np.float32)

    def _read(self, needed_words: set[str]) -> tuple[dict[str, Floats], int]:
        table: dict[str, Floats] = {}
        size = 0
        for number, line in text_lines(self._path):
            if number == 1 and re.fullmatch(r"\d+ \d+", line.strip()):
                continue  # word2vec's and fastText's text form: how many lines, and of how many numbers
            if not size:
                size = len(line.split(" ")) - 1
            word, *numbers = line.rstrip().rsplit(" ", size)
            if size < 1 or len(numbers) != size:
                raise WikiprepError(f"{self._path}:{number}: is not a word and {size or 'its'} numbers", _FORM)
            if word not in needed_words:
                continue
            try:
                table.setdefault(word, np.array(numbers, np.float32))
            except ValueError as error:
                raise WikiprepError(f"{self._path}:{number}: {error}", _FORM) from error
        if not size:
            raise WikiprepError(f"{self._path}: is empty", _FORM)
        return table, size


def _forms(word: str) -> set[str]:
    return {word, word.lower(), *_PIECES.findall(word.lower())}
