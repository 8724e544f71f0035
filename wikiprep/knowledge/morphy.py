"""Lemmas of English words: WordNet's own exception lists and rules of detachment (morphy(7WN))."""

from collections.abc import Iterator

from wikiprep.knowledge.wordnet_files import WordNet
from wikiprep.knowledge.words import ADJECTIVE, ADVERB, NOUN, VERB

_RULES = {
    NOUN: (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
           ("ies", "y")),
    VERB: (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    ADVERB: (),
}  # fmt: skip


def listed_lemmas(wordnet: WordNet, form: str, pos: str) -> Iterator[str]:
    """The lemmas of `form` (lower case, underscores) without a rule: those of the exception list, then itself."""
    known_lemmas = wordnet.senses[pos]
    yield from (lemma for lemma in wordnet.exceptions[pos].get(form, ()) if lemma in known_lemmas)
    if form in known_lemmas:
        yield form


def lemmas_by_rule(wordnet: WordNet, form: str, pos: str) -> Iterator[str]:
    """Those that a rule gives. Of nouns in -ful the part before it is bent ("boxesful"); short nouns and those in -ss
    are not plural."""
    known_lemmas = wordnet.senses[pos]
    end = "ful" if pos == NOUN and form.endswith("ful") else ""
    if pos == NOUN and (len(form) <= 2 or form.endswith("ss")):
        return
    bare = form.removesuffix(end)
    for suffix, replacement in _RULES[pos]:
        if bare.endswith(suffix):
            lemma = bare.removesuffix(suffix) + replacement + end
            if lemma in known_lemmas:
                yield lemma
    # Of several words, one that is not the last may be bent: "gave up", "attorneys general".
    first, _, rest = form.partition("_")
    if rest:
        for first_lemma in (*listed_lemmas(wordnet, first, pos), *lemmas_by_rule(wordnet, first, pos)):
            if first_lemma != first and f"{first_lemma}_{rest}" in known_lemmas:
                yield f"{first_lemma}_{rest}"


def lemmas(wordnet: WordNet, form: str, pos: str) -> list[str]:
    """All lemmas of `form` as this part of speech, the likeliest first, without repeats."""
    return list(dict.fromkeys((*listed_lemmas(wordnet, form, pos), *lemmas_by_rule(wordnet, form, pos))))
