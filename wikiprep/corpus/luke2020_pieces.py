"""Text as the published LUKE code cuts it: into sentences by ICU, into pieces by slow tokenizers.

Sentences are plain spans by ICU's rules of a locale, nothing joined or split afterwards. All paragraphs of a batch go
through ONE break iterator, since making one for the filtered English rules costs 0.3 ms: they are joined by U+2029,
after which the rules always break (UAX #29, SB4) and across which they see nothing.

Word pieces are those of the slow tokenizers of `transformers` 4. They differ from a `tokenizer.json` of today in ways
that show in the ids: a special token written out in the text ("<mask>", "</s>") IS that token, "<mask>" takes the
spaces on its left with it, and what is between two of them is a text of its own. A leading space is the caller's to
add, piece by piece: byte-level tokenizers (RoBERTa) get it as it is. SentencePiece (XLM-R) marks the start of every
text; where no space stands there, the published code (luke/pretraining/tokenization.py) puts a character before the
text that the model does not know, and drops what came of it. Both kinds are rebuilt from their model so that this holds
whatever the file says; any other kind is used as it is and knows no leading space, as in the reference.
"""

import re
from collections.abc import Iterable, Sequence

from icu4py.breakers import SentenceBreaker
from tokenizers import AddedToken, Tokenizer, pre_tokenizers
from tokenizers.models import BPE

# The special tokens of RoBERTa and XLM-R, and whether each takes the white space on its left, on its right.
ROBERTA_SPECIALS = {
    "<s>": (False, False),
    "<pad>": (False, False),
    "</s>": (False, False),
    "<unk>": (False, False),
    "<mask>": (True, False),
}

GUARD = "龘"  # the published code's choice: XLM-R makes two tokens of it, "▁" and the unknown one

_SPACES = re.compile(r"\s+")


def collapse(text: str) -> str:
    """Runs of white space (Python's `\\s`, no-break spaces too) as one U+0020, none at the end."""
    return _SPACES.sub(" ", text).rstrip()


class ReferenceEncoder:
    """Turns pieces of text into token ids, without special tokens around them."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.byte_level = isinstance(tokenizer.model, BPE) and "ByteLevel" in str(tokenizer.pre_tokenizer)
        self.marks_spaces = not self.byte_level and "Metaspace" in str(tokenizer.pre_tokenizer)
        self._special_ids: dict[str, int] = {}
        self._strips: dict[str, tuple[bool, bool]] = {}
        self._specials: re.Pattern[str] | None = None
        if not self.byte_level and not self.marks_spaces:
            self._tokenizer = Tokenizer.from_str(tokenizer.to_str())
            self._tokenizer.no_truncation()
            self._tokenizer.no_padding()
            return
        self._tokenizer = Tokenizer(tokenizer.model)
        bytes_alone = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        self._tokenizer.pre_tokenizer = bytes_alone if self.byte_level else tokenizer.pre_tokenizer
        if tokenizer.normalizer is not None:
            self._tokenizer.normalizer = tokenizer.normalizer
        self._guard_length = len(self._tokenizer.encode(GUARD).ids)
        self._collect_specials(tokenizer)
        names = sorted(self._special_ids, key=lambda name: (-len(name), name))  # the longest match wins
        self._specials = re.compile(f"({'|'.join(map(re.escape, names))})") if names else None

    def _collect_specials(self, tokenizer: Tokenizer) -> None:
        # A token that was added to the model's own is one wherever it stands in text. One that the model knows
        # ("<|endoftext|>" in RoBERTa's vocabulary) was not special to the reference but for the five below.
        added: dict[int, AddedToken] = tokenizer.get_added_tokens_decoder()
        for token_id, token in added.items():
            if self._tokenizer.token_to_id(token.content) is None:
                self._special_ids[token.content] = token_id
                self._strips[token.content] = (token.lstrip, token.rstrip)
        for name, strips in ROBERTA_SPECIALS.items():
            special_id = tokenizer.token_to_id(name)
            if special_id is not None:
                self._special_ids[name] = special_id
                self._strips[name] = strips

    def prepare(self, text: str, leading_space: bool) -> str:
        """`text` as it goes into `encode`: white space collapsed, a leading space where asked for and not there."""
        text = collapse(text)
        if leading_space and (self.byte_level or self.marks_spaces) and text and not text.startswith(" "):
            return " " + text
        return text

    def encode(self, prepared: Iterable[str]) -> dict[str, list[int]]:
        """The ids of each prepared text; an empty text has none."""
        texts = list(dict.fromkeys(prepared))
        # With SentencePiece a text without a space in front has the guard before it.
        guarded = {text: self.marks_spaces and not text.startswith(" ") for text in texts}
        parts = {text: self._split(GUARD + text if text and guarded[text] else text) for text in texts}
        plain = list(dict.fromkeys(part for split in parts.values() for part in split if part not in self._special_ids))
        encodings = self._tokenizer.encode_batch_fast(plain, add_special_tokens=False)
        ids = {part: encoding.ids for part, encoding in zip(plain, encodings, strict=True)}
        ids.update({name: [token_id] for name, token_id in self._special_ids.items()})
        ids_by_text = {text: [i for part in split for i in ids[part]] for text, split in parts.items()}
        return {
            text: text_ids[self._guard_length :] if guarded[text] else text_ids
            for text, text_ids in ids_by_text.items()
        }

    def _split(self, text: str) -> list[str]:
        if self._specials is None or not self._specials.search(text):
            return [text] if text else []
        parts = [part for part in self._specials.split(text) if part]
        for i, part in enumerate(parts):
            left, right = self._strips.get(part, (False, False))
            if left and i > 0:
                parts[i - 1] = parts[i - 1].rstrip()
            if right and i + 1 < len(parts):
                parts[i + 1] = parts[i + 1].lstrip()
        if self.marks_spaces:  # SentencePiece takes the spaces off a text
            parts = [part.strip(" ") for part in parts]
        return [part for part in parts if part]


# The locales for which the reference switches on CLDR's list of abbreviations that end no sentence.
FILTERED_LOCALES = frozenset({"en", "de", "es", "it", "pt"})

_SEPARATOR = "\u2029"
_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")
_MAX_CHARACTERS = 4_000_000  # a text for the iterator, so that memory does not grow with the batch


def reference_locale(language: str) -> str:
    """The ICU locale that the reference takes for a language code."""
    return f"{language}@ss=standard" if language in FILTERED_LOCALES else language


def sentence_spans(texts: Sequence[str], language: str) -> list[list[tuple[int, int]]]:
    """Spans `[start, end)` of the sentences of each text, in code points; they cover the text.

    A character beyond the BMP counts as a space, so that ICU's UTF-16 offsets are code points. An empty text has none.
    """
    locale = reference_locale(language)
    spans: list[list[tuple[int, int]]] = []
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > _MAX_CHARACTERS:
            spans += _batch_spans(batch, locale)
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    return spans + _batch_spans(batch, locale)


def _batch_spans(texts: list[str], locale: str) -> list[list[tuple[int, int]]]:
    joined = _BEYOND_BMP.sub(" ", _SEPARATOR.join(texts))
    segments = iter(SentenceBreaker(joined, locale).segments())
    spans: list[list[tuple[int, int]]] = []
    offset = 0
    for text in texts:
        end_of_text = offset + len(text)
        text_spans: list[tuple[int, int]] = []
        end = offset
        while end <= end_of_text and end < len(joined):
            start, end = next(segments)
            if start < end_of_text:
                text_spans.append((start - offset, min(end, end_of_text) - offset))
        spans.append(text_spans)
        offset = end_of_text + 1
    return spans
