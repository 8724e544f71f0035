"""What a task takes of a knowledge graph (`--knowledge`): vectors of entities and relations, the look-up of words.

Also how many subwords have an entity, in the paper's unit: of the subwords of a sequence.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from wikiprep.errors import WikiprepError
from wikiprep.files import sha256_of
from wikiprep.knowledge.folder import ENTITIES, VECTORS, Knowledge, open_knowledge
from wikiprep.knowledge.lexicons import lexicon_of
from wikiprep.knowledge.linker import Linker, Rows
from wikiprep.knowledge.phi import MATRIX
from wikiprep.knowledge.text_words import Word, plain_words, spacy_tagger
from wikiprep.tasks.features import NO_ENTITY, Features
from wikiprep.tasks.options import KnowledgeOptions


class Lookup(Protocol):
    """Which entity a subword is of; see `knowledge.linker.Linker`."""

    def rows(self, text: str, offsets: Sequence[tuple[int, int]], words: Sequence[Word] | None = None) -> Rows:
        """Of each subword the row of its word's entity, -1 where there is none."""
        ...


@dataclass(frozen=True, eq=False)
class LinkedGraph:
    """A graph and its look-up. `by`: what the look-up goes by; `digest`: of all that decides vectors and look-up."""

    graph: Knowledge
    lookup: Lookup
    by: str
    digest: str


def open_linked_graph(folder: Path, options: KnowledgeOptions) -> LinkedGraph:
    """Raises WikiprepError where the folder is none, its vectors are no numbers, or WordNet or a tagger is missing."""
    graph = open_knowledge(folder)
    _check_size(graph)
    graph_lexicon = lexicon_of(graph, wordnet=options.wordnet or None, corpus=options.corpus or None)
    tagger = spacy_tagger(options.tagger) if options.tagger else plain_words
    by = f"{graph_lexicon.by}; {f'parts of speech of {options.tagger}' if options.tagger else 'no tagger'}"
    by += f"; phrases of up to {options.phrases} words" if options.phrases > 1 else ""
    files = [sha256_of(folder / name) for name in (VECTORS, ENTITIES)]
    digest = hashlib.sha256("\0".join([*files, by]).encode()).hexdigest()
    return LinkedGraph(graph, Linker(graph_lexicon.lexicon, tagger, options.phrases), by, digest)


def _check_size(graph: Knowledge) -> None:
    """A key of a layer is one vector: TransR's relations must be in a space of the size of entities."""
    matrices = graph.relations.get(MATRIX)
    size = graph.entities.shape[1]
    if matrices is not None and matrices.shape[2] != size:
        raise WikiprepError(
            f"{graph.folder}: relations have {matrices.shape[2]} numbers, entities {size}: no key has room for both",
            "train it with one size for both",
        )


@dataclass(frozen=True)
class Coverage:
    """Sums over all sequences of a split; special tokens and markers are no subwords."""

    sequences: int
    subwords: int
    found: int

    def in_words(self, part: str) -> str:
        """A line for the user."""
        share = 100 * self.found / max(1, self.subwords)
        mean, most = (value / max(1, self.sequences) for value in (self.found, self.subwords))
        return f"{part}: {mean:.1f} of {most:.1f} subwords of a sequence have an entity of the graph ({share:.1f} %)"

    def as_json(self) -> dict[str, float]:
        """As results.json has it."""
        return {
            "sequences": self.sequences,
            "subwords": self.subwords,
            "subwords_with_entity": self.found,
            "mean_with_entity": self.found / max(1, self.sequences),
        }


def coverage_of(features: Sequence[Features]) -> Coverage:
    """Of sequences with `knowledge`."""
    sequences = [one for item in features for one in item.alternatives]
    subwords = sum(int((one.knowledge >= NO_ENTITY).sum()) for one in sequences if one.knowledge is not None)
    with_entity = sum(int((one.knowledge >= 0).sum()) for one in sequences if one.knowledge is not None)
    return Coverage(len(sequences), subwords, with_entity)
