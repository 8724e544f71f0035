"""How many subwords have an entity: 6.5 of 128 in the ILKA paper, on a set that it does not name."""

from collections.abc import Iterable
from dataclasses import dataclass

from tokenizers import Tokenizer

from wikiprep.knowledge.linker import NONE, Linker
from wikiprep.knowledge.words import Word

Given = tuple[str, list[Word] | None]  # a text, and its words where the data set brings them along


@dataclass(frozen=True)
class Coverage:
    """Sums over sequences of at most `length` subwords, special tokens counted, padding not."""

    sequences: int
    subwords: int
    linked: int
    words: int
    linked_words: int
    length: int


def coverage(texts: Iterable[Given], linker: Linker, tokenizer: Tokenizer, length: int = 128) -> Coverage:
    """Of texts as a model gets them: encoded with special tokens and cut. Raises ValueError where there is no text."""
    sequences = subwords = linked = words = linked_words = 0
    tokenizer.no_padding()
    tokenizer.enable_truncation(length)
    for text, given in texts:
        encoding = tokenizer.encode(text)
        rows = linker.rows(text, encoding.offsets, given)
        found = linker.words(text, given)
        sequences += 1
        subwords += len(rows)
        linked += int((rows != NONE).sum())
        words += len(found)
        linked_words += sum(row != NONE for _, _, row in found)
    if not sequences:
        raise ValueError("no texts")
    return Coverage(sequences, subwords, linked, words, linked_words, length)
