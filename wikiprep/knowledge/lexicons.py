"""The lexicon of an embedded graph, by how its entities are named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wikiprep.errors import UsageError
from wikiprep.knowledge.folder import Knowledge
from wikiprep.knowledge.linker import Lexicon
from wikiprep.knowledge.titles import TitleLexicon
from wikiprep.knowledge.wordnet_files import open_wordnet
from wikiprep.knowledge.wordnet_lexicon import NAME, OFFSET, WordNetLexicon, find_synsets
from wikiprep.tables.mentions.table import MentionTable

OFFSETS, SYNSETS, ITEMS, TITLES = "WordNet offsets", "WordNet synsets", "Wikidata items", "titles"
_ITEM = re.compile(r"Q[0-9]+")


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
            raise UsageError(f"{knowledge.folder}: has {kind}, which no mention table knows", "leave --mentions away")
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
        raise UsageError(f"{knowledge.folder}: has {kind}, no synsets of WordNet", "leave --wordnet away")
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
