"""How many neighbours a word has in WordNet: how much it is bound up with other words, for informed masking."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from wikiprep.errors import UsageError
from wikiprep.knowledge.morphy import lemmas
from wikiprep.knowledge.wordnet_files import POINTERS, Synset, WordNet
from wikiprep.knowledge.words import PARTS_OF_SPEECH

# wninput(5WN) has these beside those that WN18 names: antonym, participle, pertainym, entailment, cause, attribute,
# and of what a thing is made.
_OTHERS = {"!", "<", "\\", "*", ">", "=", "#s", "%s"}
SYMBOLS = frozenset(POINTERS) | _OTHERS


def neighbour_counts(wordnet: WordNet, symbols: Iterable[str] | None = None) -> dict[Synset, int]:
    """Of each synset the number of different synsets that a pointer of it, or of a word in it, leads to; not itself.

    `symbols`: pointers that count (wninput(5WN): `@` hypernym, `~` hyponym, `#m` member holonym …); None: all.
    Raises UsageError for a symbol that WordNet has not.
    """
    chosen_symbols = SYMBOLS if symbols is None else frozenset(symbols)
    if unknown := sorted(chosen_symbols - SYMBOLS):
        raise UsageError(f"pointers: WordNet has no {' '.join(unknown)}", f"it has {' '.join(sorted(SYMBOLS))}")
    neighbours: defaultdict[Synset, set[Synset]] = defaultdict(set)
    for source, symbol, target in wordnet.pointers():
        if symbol in chosen_symbols and target != source:
            neighbours[source].add(target)
    return {synset: len(targets) for synset, targets in neighbours.items()}


def word_synsets(wordnet: WordNet, word: str) -> list[Synset]:
    """All synsets of all lemmas of `word` in every part of speech, each once.

    One upper-case letter in front is a sentence's; a word with others ("NASA", "iPod") is looked up in no other case,
    and since WordNet's index is in lower case, not found.
    """
    form = word[:1].lower() + word[1:]
    synsets = [
        (pos, offset)
        for pos in PARTS_OF_SPEECH
        for lemma in lemmas(wordnet, form, pos)
        for offset in wordnet.senses[pos][lemma]
    ]
    return list(dict.fromkeys(synsets))


def word_neighbours(wordnet: WordNet, counts: Mapping[Synset, int], word: str, *, total: bool = False) -> float | None:
    """Neighbours of a word: the mean over its synsets, so that many senses alone do not prefer it; or their sum.

    None for a word that WordNet lacks.
    """
    synsets = word_synsets(wordnet, word)
    if not synsets:
        return None
    neighbour_count = sum(counts.get(synset, 0) for synset in synsets)
    return float(neighbour_count) if total else neighbour_count / len(synsets)
