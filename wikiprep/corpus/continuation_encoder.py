"""A tokenizer that encodes what follows a cut: text that goes on where other text ended, with no space between.

Most tokenizers take the start of a text for the start of a word: SentencePiece's puts `▁` before it, WordPiece looks
for pieces without `##`. So the text gets the character before the cut and a mark in front of it, and the pre-tokenizer
a last step that cuts at the mark, when what marks of spaces there are have been put to the front. Tokens of what is in
front are dropped by their offsets. The mark is a character that the text has not and the normalizer leaves alone.
"""

import json
import unicodedata
from dataclasses import dataclass
from typing import Any

from tokenizers import Tokenizer, pre_tokenizers

from wikiprep.corpus.tokenizers import added_words
from wikiprep.errors import UsageError

AHEAD = 2  # characters in front of the text: the one before the cut, and the mark

# Letters without case and signs, of scripts that no text of today is written in: Linear A, cuneiform; musical signs.
_LETTERS = (range(0x10600, 0x10737), range(0x12000, 0x1239A))
_SIGNS = (range(0x1D000, 0x1D0F6), range(0x1D200, 0x1D242))


class ContinuationEncoder:
    """Encodes parts of texts of one tokenizer, a plain copy. Tokenizers for the marks in use are made when needed."""

    def __init__(self, plain: Tokenizer) -> None:
        model = json.loads(plain.to_str())["model"]
        self._plain = plain
        self._marks_continuations = bool(model.get("continuing_subword_prefix"))
        self._marks_word_ends = bool(model.get("end_of_word_suffix"))
        self._tokenizers: dict[Marks, Tokenizer] = {}
        if _first_free(plain, _LETTERS, "") is None or _first_free(plain, _SIGNS, "") is None:
            raise UsageError(
                "the tokenizer's normalizer drops or changes every letter that could mark where a mention begins",
                "use a tokenizer without such a rule (a `Replace` of all but some characters?)",
            )

    @property
    def needed(self) -> bool:
        """False where words have no marks at their ends: then what follows a cut may be encoded as it is."""
        is_byte_level = byte_level(json.loads(self._plain.to_str())["pre_tokenizer"])
        return not is_byte_level or self._marks_continuations or self._marks_word_ends or bool(added_words(self._plain))

    def marks(self, text: str) -> "Marks":
        """Marks that `text` does not hold. Raises UsageError where it holds all."""
        letter, sign = _first_free(self._plain, _LETTERS, text), _first_free(self._plain, _SIGNS, text)
        if letter is None or sign is None:
            raise UsageError("a text holds every sign of cuneiform or of ancient music", "cut it in two")
        return Marks(letter, sign if self._marks_continuations else letter, letter if self._marks_word_ends else "")

    def tokenizer(self, marks: "Marks") -> Tokenizer:
        """The tokenizer for what `marks.before` stands before. The first call takes half a second: it makes a copy."""
        if marks not in self._tokenizers:
            self._tokenizers[marks] = _with_marks(self._plain, marks.letter, marks.sign, self._marks_continuations)
        return self._tokenizers[marks]


@dataclass(frozen=True)
class Marks:
    """What stands before a part of a text that begins with a letter, with a sign; `tail` goes behind one cut off."""

    letter: str
    sign: str
    tail: str

    def before(self, last: str, first: str) -> str:
        """What goes in front of a part that begins with `first`, behind a cut after `last`: `AHEAD` characters.

        The mark is of the class of `first`, so that a pre-tokenizer that keeps letters together keeps the two together,
        and sees by `last` whether they are one word with what was before.
        """
        wordlike = first == "_" or unicodedata.category(first)[0] in "LNM"
        return last + (self.letter if wordlike else self.sign)


def _with_marks(plain: Tokenizer, letter: str, sign: str, marks_continuations: bool) -> Tokenizer:
    document: dict[str, Any] = json.loads(plain.to_str())
    pre_tokenizer = document["pre_tokenizer"]
    mark_patterns = [_byte_spelling(mark) if byte_level(pre_tokenizer) else mark for mark in (letter, sign)]
    any_mark = f"(?:{mark_patterns[0]}|{mark_patterns[1]})"
    steps = [pre_tokenizer] if pre_tokenizer else []
    if marks_continuations:  # a mark inside a word stays before the rest of it, which so becomes the end of a word
        steps += [_split_step(rf"\A{any_mark}", "Removed"), _split_step(any_mark, "MergedWithNext")]
    else:  # one at the end stays: the word does not end there
        steps += [_split_step(rf"{any_mark}(?=.)", "Removed")]
    document["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": steps}
    model = document["model"]
    if marks_continuations:  # a word with an unknown character has no pieces
        next_id = max(model["vocab"].values()) + 1
        model["vocab"] |= {letter: next_id, sign: next_id + 1}
    if model["type"] == "WordPiece":
        model["max_input_chars_per_word"] += 1
    return Tokenizer.from_str(json.dumps(document))


def _split_step(expression: str, behavior: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": expression}, "behavior": behavior, "invert": False}


def byte_level(pre_tokenizer: dict[str, Any] | None) -> bool:
    """Whether a pre-tokenizer, as in tokenizer.json, spells text in bytes."""
    return '"ByteLevel"' in json.dumps(pre_tokenizer)


def _byte_spelling(character: str) -> str:
    spell = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    ((text, _),) = spell.pre_tokenize_str(character)
    return str(text)


def _first_free(plain: Tokenizer, ranges: tuple[range, ...], text: str) -> str | None:
    """The first character that `text` has not and the normalizer leaves alone."""
    characters = (chr(code) for codes in ranges for code in codes)
    return next((c for c in characters if c not in text and _is_unchanged(plain, c)), None)


def _is_unchanged(plain: Tokenizer, character: str) -> bool:
    around = f"a{character}a"
    return plain.normalizer is None or plain.normalizer.normalize_str(around).count(around) == 1
