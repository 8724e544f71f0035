"""The lexicon of an embedded graph, by how its entities are named; that of titles (DBpedia, Wikidata) itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wikiprep.errors import UsageError
from wikiprep.knowledge.folder import Knowledge
from wikiprep.knowledge.linker import NONE, Lexicon
from wikiprep.knowledge.wordnet import open_wordnet
from wikiprep.knowledge.wordnet_lexicon import NAME, OFFSET, WordNetLexicon, find_synsets
from wikiprep.tables.mentions.mention_table import MentionTable

OFFSETS, SYNSETS, ITEMS, TITLES = "WordNet offsets", "WordNet synsets", "Wikidata items", "titles"
_ITEM = re.compile(r"Q[0-9]+")
_BRACKET = re.compile(r"\s*\([^()]*\)$")
MIN_LINKED = 0.05  # link probability below which a name is seldom one ("of", "was")


@dataclass(frozen=True)
class DescribedLexicon:
    """A lexicon, and in words what it goes by, for results: which files, and what is known to be wrong with them."""

    lexicon: Lexicon
    by: str


def name_kind(names: Sequence[str]) -> str:
    """What the entities' names are, if all of them are: WordNet's offsets or synsets, Wikidata's items; else titles."""
    for kind, form in ((OFFSETS, OFFSET), (SYNSETS, NAME), (ITEMS, _ITEM)):
        if names and all(form.fullmatch(name) for name in names):
            return kind
    return TITLES


def lexicon_of(
    knowledge: Knowledge, *, wordnet: str | Path | None = None, corpus: str | Path | None = None
) -> DescribedLexicon:
    """The lexicon of a folder of `kg-embed`.

    `wordnet`: WordNet's folder, for graphs of synsets (None: where it is installed). `corpus`: a build with mention
    statistics, for graphs of titles and items. Raises UsageError for an option that the graph has no use for, or items
    without titles; WikiprepError where WordNet or the statistics are missing.
    """
    names = knowledge.entity_table["name"]
    kind = name_kind(names)
    if kind in (OFFSETS, SYNSETS):
        if corpus is not None:
            raise UsageError(
                f"{knowledge.folder}: has {kind}, which no mention table knows",
                "leave the corpus away (--mentions; of finetune knowledge.corpus)",
            )
        files = open_wordnet(wordnet)
        relations = knowledge.relation_table["name"]
        edges = ((head, relations[relation], tail) for head, relation, tail in sorted(knowledge.edges))
        synsets = find_synsets(files, names, edges)
        merged_note = f", {len(synsets.merged()):,} of several synsets" if synsets.merged() else ""
        debian_note = ", Debian's offsets put right" if files.debian and kind == OFFSETS else ""
        return DescribedLexicon(
            WordNetLexicon(files, synsets), f"{kind}{merged_note}; WordNet of {files.folder}{debian_note}; morphy"
        )
    if wordnet is not None:
        raise UsageError(
            f"{knowledge.folder}: has {kind}, no synsets of WordNet",
            "leave WordNet away (--wordnet; of finetune knowledge.wordnet)",
        )
    titles = knowledge.entity_table.get("title") if kind == ITEMS else names
    if titles is None:
        raise UsageError(
            f"{knowledge.folder}: items have no titles, so no word means one",
            "embed the whole folder of export-triples, which has entities.tsv beside train.tsv",
        )
    ends = np.concatenate([part[:, ::2].reshape(-1) for part in knowledge.triples.values()])
    degrees = np.bincount(ends, minlength=len(names)).tolist()
    mentions = MentionTable.open(corpus) if corpus is not None else None
    return DescribedLexicon(
        TitleLexicon(titles, degrees, mentions), kind + (f"; mention table of {corpus}" if corpus else "")
    )


class TitleLexicon:
    """By title, exactly, then without case: underscores are spaces, a last part in brackets is left off.

    Of several entities with one name those without brackets come first, then those with more triples (`degrees`), then
    the first row. With the mention table of a corpus (which the ILKA paper has not), a word that is no title means the
    page that it links to most, of those in the graph, if it is a link at one of twenty places at least (`MIN_LINKED`).
    """

    def __init__(self, titles: Sequence[str], degrees: Sequence[int], mentions: MentionTable | None = None) -> None:
        self._mentions = mentions
        self._row_by_name: dict[str, int] = {}
        self._row_by_bare_name: dict[str, int] = {}
        self._row_by_folded_name: dict[str, int] = {}
        names = [title.replace("_", " ") for title in titles]
        bare_names = [_BRACKET.sub("", title) or title for title in names]
        for row in sorted(range(len(titles)), key=lambda row: (bare_names[row] != names[row], -degrees[row], row)):
            if names[row]:
                self._row_by_name.setdefault(names[row], row)
                self._row_by_bare_name.setdefault(bare_names[row], row)
                self._row_by_folded_name.setdefault(bare_names[row].casefold(), row)

    def find(self, word: str, pos: str | None) -> int:
        """The row of the entity, or `linker.NONE`. Titles have no part of speech."""
        row = self._row_by_bare_name.get(word, self._row_by_folded_name.get(word.casefold(), NONE))
        return self._find_by_links(word) if row == NONE and self._mentions is not None else row

    def _find_by_links(self, word: str) -> int:
        assert self._mentions is not None
        if self._mentions.link_probability(word) < MIN_LINKED:
            return NONE
        rows = (self._row_by_name.get(candidate.title, NONE) for candidate in self._mentions.candidates(word))
        return next((row for row in rows if row != NONE), NONE)
