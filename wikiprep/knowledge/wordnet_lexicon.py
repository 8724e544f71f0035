"""Which entity of a WordNet graph a word means: by lemma and part of speech, the first sense that the graph has.

An entity is named by its synset's offset, without part of speech (WN18), or as NLTK names synsets (`land_reform.n.01`:
the first lemma, part of speech, number of the sense of that lemma; WN18RR).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikiprep.errors import WikiprepError
from wikiprep.knowledge.linker import NONE
from wikiprep.knowledge.text_words import PARTS_OF_SPEECH
from wikiprep.knowledge.wordnet import Synset, WordNet, lemmas, lemmas_by_rule, listed_lemmas

OFFSET = re.compile(r"[0-9]{8}")
NAME = re.compile(r"\S+\.[nvasr]\.[0-9]{2,}")

Edge = tuple[int, str, int]  # rows of two entities, and the relation's name between them


@dataclass(frozen=True)
class Synsets:
    """`of[row]`: the synsets that an entity is: one; several where one offset stands for several; none if unknown.

    `disambiguated`: how many offsets of several parts of speech the relations around them told apart.
    """

    of: tuple[tuple[Synset, ...], ...]
    disambiguated: int = 0

    def missing(self) -> list[int]:
        """Rows of entities without a synset."""
        return [row for row, synsets in enumerate(self.of) if not synsets]

    def merged(self) -> list[int]:
        """Rows of entities that are several synsets in one: they have the words of all."""
        return [row for row, synsets in enumerate(self.of) if len(synsets) > 1]


def find_synsets(wordnet: WordNet, names: Sequence[str], edges: Iterable[Edge]) -> Synsets:
    """The synsets of a graph's entities.

    `edges` tell which of several parts of speech an offset has: one is left out where none of the entity's triples is a
    pointer of WordNet at its synset, and one of another part of speech is.
    """
    known_synsets = {(pos, o) for pos in PARTS_OF_SPEECH for offsets in wordnet.senses[pos].values() for o in offsets}
    synsets_by_row = [_synsets_of_name(wordnet, known_synsets, name) for name in names]
    doubtful = {row for row, synsets in enumerate(synsets_by_row) if len(synsets) > 1}
    if not doubtful:
        return Synsets(tuple(synsets_by_row))
    pointers = wordnet.links
    seen: defaultdict[int, set[Synset]] = defaultdict(set)
    for head, relation, tail in edges:
        if head in doubtful or tail in doubtful:
            for a in synsets_by_row[head]:
                for b in synsets_by_row[tail]:
                    if (a, relation, b) in pointers:
                        seen[head].add(a)
                        seen[tail].add(b)
    disambiguated = 0
    for row in doubtful:
        if kept_synsets := tuple(synset for synset in synsets_by_row[row] if synset in seen[row]):
            disambiguated += len(kept_synsets) == 1
            synsets_by_row[row] = kept_synsets
    return Synsets(tuple(synsets_by_row), disambiguated)


def not_pointers(wordnet: WordNet, synsets: Synsets, edges: Iterable[Edge]) -> list[Edge]:
    """The triples that WordNet does not have as a pointer from head to tail: 7 of WN18's 151,442."""
    pointers = wordnet.links
    return [
        edge
        for edge in edges
        if not any((a, edge[1], b) in pointers for a in synsets.of[edge[0]] for b in synsets.of[edge[2]])
    ]


class WordNetLexicon:
    """`linker.Lexicon` of a WordNet graph. Raises WikiprepError where more than one entity in a hundred has no synset:
    then this is not the WordNet that the graph was made of."""

    def __init__(self, wordnet: WordNet, synsets: Synsets) -> None:
        missing = synsets.missing()
        if len(missing) > len(synsets.of) / 100:
            raise WikiprepError(
                f"{wordnet.folder}: {len(missing):,} of the graph's {len(synsets.of):,} entities are no synsets there",
                "the graph needs the WordNet that it was made of, 3.0 for WN18 and WN18RR",
            )
        self._wordnet = wordnet
        self._row_of = {synset: row for row, several in enumerate(synsets.of) for synset in several}

    def find(self, word: str, pos: str | None) -> int:
        """The synset of a word: by `pos` first, else of the part of speech that has it as it stands or as an exception.

        Nouns come before verbs, adjectives and adverbs; last come the rules of morphy, in that order.
        """
        form = word.lower().replace(" ", "_")
        if pos is not None and (row := self._first_row(lemmas(self._wordnet, form, pos), pos)) != NONE:
            return row
        # "was" is the noun "wa" (Washington) by a rule, but the verb "be" by the list: lists of all before rules.
        for find_lemmas in (listed_lemmas, lemmas_by_rule):
            for other in PARTS_OF_SPEECH:
                if (row := self._first_row(find_lemmas(self._wordnet, form, other), other)) != NONE:
                    return row
        return NONE

    def _first_row(self, forms: Iterable[str], pos: str) -> int:
        senses = self._wordnet.senses[pos]
        rows = (self._row_of.get((pos, offset), NONE) for lemma in forms for offset in senses[lemma])
        return next((row for row in rows if row != NONE), NONE)


def _synsets_of_name(wordnet: WordNet, known_synsets: set[Synset], name: str) -> tuple[Synset, ...]:
    if OFFSET.fullmatch(name):
        return tuple((pos, int(name)) for pos in PARTS_OF_SPEECH if (pos, int(name)) in known_synsets)
    lemma, pos, number = name.rsplit(".", 2) if NAME.fullmatch(name) else ("", "n", "0")
    pos = "a" if pos == "s" else pos
    senses = wordnet.senses[pos].get(lemma, ())
    return ((pos, senses[int(number) - 1]),) if 0 < int(number) <= len(senses) else ()
