"""What masking and collation need to know of a tokenizer: its special tokens, and which tokens begin a word."""

import string
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer, models

from wikiprep.errors import WikiprepError
from wikiprep.records.record import Record

# Each by RoBERTa's name and by BERT's.
_SPECIALS = {
    "first": ("<s>", "[CLS]"),
    "last": ("</s>", "[SEP]"),
    "pad": ("<pad>", "[PAD]"),
    "mask": ("<mask>", "[MASK]"),
}
_SPACE = ("Ġ", "▁", "Ċ")  # how byte-level BPE and SentencePiece write the space (and line break) before a token


@dataclass(frozen=True, eq=False)
class Words:
    """`size` token ids. `begins[id]`: the token begins a word; `plain`: ids of all tokens but special ones."""

    size: int
    first: int
    last: int
    pad: int
    mask: int
    begins: npt.NDArray[np.bool_]
    plain: npt.NDArray[np.int32]


def words_of(tokenizer: Tokenizer, where: str) -> Words:
    """Raises WikiprepError, naming `where` it is from, for a tokenizer without the four special tokens."""
    ids = {part: _special_id(tokenizer, part, where) for part in _SPECIALS}
    # Ids may have gaps and may be shared: the table goes to the highest.
    names = {number: name for name, number in tokenizer.get_vocab(with_added_tokens=True).items()}
    size = max(names) + 1
    is_wordpiece = isinstance(tokenizer.model, models.WordPiece)
    prefix = getattr(tokenizer.model, "continuing_subword_prefix", "") or ""
    begins = np.zeros(size, np.bool_)
    for number, name in names.items():
        begins[number] = not name.startswith(prefix) if is_wordpiece else _begins_word(name)
    added_tokens = tokenizer.get_added_tokens_decoder()
    for number in added_tokens:
        begins[number] = True  # a word of its own, however it is written
    special = {number for number, token in added_tokens.items() if token.special}
    special |= set(ids.values())
    plain = np.array([number for number in sorted(names) if number not in special], np.int32)
    return Words(size, ids["first"], ids["last"], ids["pad"], ids["mask"], begins, plain)


def word_starts(record: Record, words: Words) -> npt.NDArray[np.int64]:
    """The place of the first token of each word. A sentence begins a word, with or without a space."""
    begins = words.begins[record.word_ids]
    begins[:1] = True
    begins[record.sentence_starts] = True
    return np.flatnonzero(begins)


def _special_id(tokenizer: Tokenizer, part: str, where: str) -> int:
    for name in _SPECIALS[part]:
        number: int | None = tokenizer.token_to_id(name)
        if number is not None:
            return number
    raise WikiprepError(
        f"{where}: the tokenizer has no {' or '.join(_SPECIALS[part])}",
        "the model needs a start, an end, a padding and a mask token: build the corpus with a tokenizer that has them",
    )


def _begins_word(name: str) -> bool:
    """After a space, and at punctuation: of ASCII only, since byte-level BPE writes bytes of letters as signs."""
    return name.startswith(_SPACE) or name[:1] in string.punctuation
