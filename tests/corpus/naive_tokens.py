"""The rule of `corpus/encoder.py` said slowly, a sentence at a time, for each kind of tokenizer in its own words.

A kind is a function (text, start, stop) -> [(id, begin, end)] that encodes `text[start:stop]` as what stands there:
after a space, at the start of the text, or glued to what is before. It shares only the models with the encoders.
"""

from collections.abc import Callable
from itertools import pairwise

from tokenizers import Tokenizer

Token = tuple[int, int, int]
Kind = Callable[[str, int, int], list[Token]]


def sentence_tokens(kind: Kind, text: str, start: int, stop: int, bounds: list[int]) -> list[Token]:
    """Tokens of the sentence, cut at bounds that lie inside a token, until none does."""
    while start < stop and text[start] == " ":
        start += 1
    while start < stop and text[stop - 1] == " ":
        stop -= 1
    if start >= stop:
        return []
    tokens = kind(text, start, stop)

    def crossed(place: int) -> bool:
        return any(begin < place < end for _, begin, end in tokens)

    inner = [b for b in bounds if start < b < stop]
    cuts = [b for b in inner if crossed(b) and not (text[b - 1] == " " and not crossed(b - 1))]
    if not cuts:
        return tokens
    edges = sorted({start, stop, *cuts})
    return [t for a, b in pairwise(edges) for t in sentence_tokens(kind, text, a, b, bounds)]


def byte_level(plain: Tokenizer) -> Kind:
    """A space before the text and after a space, none where it is glued."""

    def encode(text: str, start: int, stop: int) -> list[Token]:
        lead = int(start == 0 or text[start - 1] == " ")
        found = plain.encode(" " * lead + text[start:stop], add_special_tokens=False)
        return [
            (i, max(start, start + a - lead), start + b - lead)
            for i, (a, b) in zip(found.ids, found.offsets, strict=True)
        ]

    return encode


def metaspace(plain: Tokenizer, at_start: bool = True, split: bool = True) -> Kind:
    """SentencePiece: a mark for each space, one at the start of the text if `at_start`; no normalizer."""

    def encode(text: str, start: int, stop: int) -> list[Token]:
        spaced = (text[start - 1] == " " if start else at_start) and text[start] != "▁"
        body = "▁" * spaced + text[start:stop].replace(" ", "▁")
        at, tokens = start - spaced, []
        for word in body.replace("▁", "\n▁").split("\n") if split else [body]:
            for token in plain.model.tokenize(word) if word else []:
                begin, end = (
                    len(word.encode()[: token.offsets[0]].decode()),
                    len(word.encode()[: token.offsets[1]].decode()),
                )
                tokens.append((token.id, max(start, at + begin), max(start, at + end)))
            at += len(word)
        return tokens

    return encode


def whitespace_pieces(plain: Tokenizer) -> Kind:
    """WordPiece over words between spaces: the longest piece first, `##` but at the start of a word."""
    vocab = plain.get_vocab(with_added_tokens=False)
    unknown = vocab["\0[UNK]"]  # as a plain copy has it

    def pieces(word: str, at: int, goes_on: bool) -> list[Token]:
        found, done = [], 0
        while done < len(word):
            mark = "##" if done or goes_on else ""
            ends = [end for end in range(len(word), done, -1) if mark + word[done:end] in vocab]
            if not ends:
                return [(unknown, at, at + len(word))]
            found.append((vocab[mark + word[done : ends[0]]], at + done, at + ends[0]))
            done = ends[0]
        return found

    def encode(text: str, start: int, stop: int) -> list[Token]:
        tokens, at = [], start
        for word in text[start:stop].split(" "):
            glued = at == start and start > 0 and text[start - 1] != " "
            tokens += pieces(word, at, glued)
            at += len(word) + 1
        return tokens

    return encode
