"""What is looked up: words of a text as spans of characters, with a part of speech where somebody knows it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

NOUN, VERB, ADJECTIVE, ADVERB = PARTS_OF_SPEECH = "nvar"  # WordNet's letters, in the order of its files

# Letters, digits and marks, with hyphens and apostrophes between them: "self-esteem", "don't", "U.S" of "U.S.".
_WORD = re.compile(r"\w+(?:[-‐‑.'’]\w+)*")
_PENN = {"N": NOUN, "V": VERB, "J": ADJECTIVE, "R": ADVERB}
_UNIVERSAL = {"NOUN": NOUN, "PROPN": NOUN, "VERB": VERB, "AUX": VERB, "ADJ": ADJECTIVE, "ADV": ADVERB}


@dataclass(frozen=True, slots=True)
class Word:
    """text[start:end]. `pos` is one of PARTS_OF_SPEECH, or None: not known, or none of these four."""

    start: int
    end: int
    pos: str | None = None


Tagger = Callable[[str], Sequence[Word]]  # a text's words, in order, without overlaps


def plain_words(text: str) -> list[Word]:
    """The words of a text, without parts of speech: the tagger where there is none."""
    return [Word(*match.span()) for match in _WORD.finditer(text)]


def tagged_words(spans: Sequence[tuple[int, int]], tags: Sequence[str]) -> list[Word]:
    """Words that a data set brings along, with its tags: of the Penn Treebank (TACRED's `stanford_pos`, CoNLL's second
    column), of Universal Dependencies, or WordNet's letters. One tag a span; ValueError otherwise."""
    return [Word(start, end, wordnet_pos(tag)) for (start, end), tag in zip(spans, tags, strict=True)]


def wordnet_pos(tag: str) -> str | None:
    """One of PARTS_OF_SPEECH for a tag of the Penn Treebank (NNS), Universal Dependencies (NOUN) or WordNet (n, s).

    None for all others, such as DT, RP and PRON.
    """
    if tag in _UNIVERSAL:
        return _UNIVERSAL[tag]
    if tag in (*PARTS_OF_SPEECH, "s"):  # a satellite is an adjective
        return ADJECTIVE if tag == "s" else tag
    return _PENN[tag[0]] if re.fullmatch(r"NNP?S?|VB[DGNPZ]?|JJ[RS]?|RB[RS]?", tag) else None
