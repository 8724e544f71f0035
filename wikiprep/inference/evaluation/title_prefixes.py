"""The entities whose title begins as a name does: what can be guessed of a name that training does not have.

"Orlan" is guessed to be "Orlan (river)" or "Orlan, Kansas", and an inflected "Latvejis" to be "Latveja". Titles stay in
Arrow, sorted; a name costs some look-ups.
"""

from bisect import bisect_left
from itertools import takewhile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from tokenizers import Tokenizer, models

from wikiprep.tables.entity_vocab import SPECIALS, VOCAB_PARQUET

Ints = npt.NDArray[np.int64]

LEAST = 3  # letters that name and title must share, and half of the name
_LAST = chr(0x10FFFF)


class Titles:
    """The titles of a vocabulary as names of a tokenizer are written (`prior.names_of`)."""

    def __init__(self, ids: Ints, titles: list[str], tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        keys = pa.array([self._key(title) for title in titles], pa.large_string())
        order = pc.sort_indices(keys)
        self._keys, self._ids = keys.take(order), ids[order.to_numpy()]

    @classmethod
    def of_corpus(cls, folder: Path, tokenizer: Tokenizer) -> "Titles":
        """Of a corpus on local disk."""
        table = pq.read_table(folder / "tables" / VOCAB_PARQUET, columns=["id", "title"])
        table = table.filter(pc.invert(pc.is_in(table["title"], pa.array([*SPECIALS, "[MASK2]"]))))
        return cls(table["id"].to_numpy().astype(np.int64), table["title"].to_pylist(), tokenizer)

    @property
    def size(self) -> int:
        """The highest id + 1."""
        return int(self._ids.max(initial=-1)) + 1

    def like(self, name: str) -> Ints:
        """Ids of the titles that share the longest beginning with `name`; none where that is too short."""
        return np.sort(self._ids[slice(*self._range(self._text(name)))])

    def guess(self, name: str, counts: Ints) -> int | None:
        """Of these the one whose title is the name, else one whose title has no letter behind it, else any.

        Of several it is the one with the most mentions (`counts` by id), then the smallest id. None where there is
        none.
        """
        text = self._text(name)
        first, last = self._range(text)

        def rank(place: int) -> tuple[bool, bool, int, int]:
            title, entity = self._keys[place].as_py(), int(self._ids[place])
            whole = title.startswith(text) and not title[len(text) : len(text) + 1].isalnum()
            return title == text, whole, int(counts[entity]), -entity

        return int(self._ids[max(range(first, last), key=rank)]) if last > first else None

    def _range(self, text: str) -> tuple[int, int]:
        at = self._place(text)
        neighbours = [self._keys[place].as_py() for place in (at - 1, at) if 0 <= place < len(self._keys)]
        shared = text[: max((_shared_length(text, title) for title in neighbours), default=0)]
        if len(shared) < max(LEAST, -(-len(text) // 2)):
            return 0, 0
        return self._place(shared), self._place(shared + _LAST)

    def _place(self, text: str) -> int:
        return bisect_left(range(len(self._keys)), text, key=lambda place: self._keys[place].as_py())

    def _text(self, name: str) -> str:
        """Of a name's tokens, which byte-level BPE writes in letters of its own."""
        decoder = self._tokenizer.decoder
        return _lower_first(decoder.decode([name]) if decoder is not None else name)

    def _key(self, title: str) -> str:
        normalizer = self._tokenizer.normalizer
        text = normalizer.normalize_str(title) if normalizer is not None else title
        if isinstance(self._tokenizer.model, models.WordPiece):  # its names have lost their spaces
            text = "".join(text.split())
        return _lower_first(text.strip().replace("▁", " "))


def _shared_length(one: str, other: str) -> int:
    """Letters that both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _lower_first(text: str) -> str:
    """A link's first letter may be small where its title's never is."""
    return text[:1].lower() + text[1:]
