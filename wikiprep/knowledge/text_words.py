"""What is looked up: words of a text as spans of characters, with a part of speech where somebody knows it.

A pipeline of spaCy does (`spacy_tagger`); spaCy is imported when it is asked for.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wikiprep.errors import UsageError, WikiprepError

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
    """Words that a data set brings along, with its tags.

    Of the Penn Treebank (TACRED's `stanford_pos`, CoNLL's second column), of Universal Dependencies, or WordNet's
    letters. One tag a span; ValueError otherwise.
    """
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


def spacy_tagger(pipeline: str) -> Callable[[str], list[Word]]:
    """A `Tagger`. Raises UsageError where spaCy or the pipeline is missing, WikiprepError if it tags nothing.

    The pipeline's coarse part of speech (`pos_`) is asked first, then its fine one (`tag_`).
    """
    try:
        import spacy
    except ModuleNotFoundError as error:
        raise UsageError("spaCy is not installed", 'pip install "wikiprep[tagger]"') from error
    try:
        nlp: Any = spacy.load(pipeline, exclude=["ner"])
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{pipeline}: is no spaCy pipeline ({str(error).splitlines()[0][:120]})",
            "give its folder, or install it as a package, such as en_core_web_sm",
        ) from error
    if not {"tagger", "morphologizer", "attribute_ruler"} & set(nlp.pipe_names):
        raise WikiprepError(
            f"{pipeline}: tags no parts of speech", f"its steps are {', '.join(nlp.pipe_names) or 'none'}"
        )

    def words(text: str) -> list[Word]:
        tokens = (token for token in nlp(text) if not token.is_space)
        return [
            Word(token.idx, token.idx + len(token.text), wordnet_pos(token.pos_) or wordnet_pos(token.tag_))
            for token in tokens
        ]

    return words
