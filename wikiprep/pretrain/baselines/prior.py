"""What can be had without a model: the entity that a name meant most often in training, and the commonest one.

Counted over the mentions of training records, whatever their source; `[UNK]` is no answer. Held-out pages are not
counted, so that neither guess has seen what it is asked. Only names that are asked for are kept: memory does not grow
with the corpus. Ranks of a run each count a part.

A name is that of token ids: a mention's tokens joined, without the space before it. Records need no text for it. "Oslo"
after a space and at the start of a sentence are different tokens and one name. Case is kept. A batch of records is one
pass of Arrow's over arrays, no loop over mentions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from tokenizers import Tokenizer, models

from wikiprep.corpus.spans import UNK
from wikiprep.errors import WikiprepError
from wikiprep.records.training_corpus import TrainingCorpus

Ints = npt.NDArray[np.int64]

_SPACES = "Ġ▁"  # how byte-level BPE and SentencePiece write the space before a token
_COLUMNS = ("word_ids", "entity_ids", "entity_starts", "entity_ends")


def pieces_of(tokenizer: Tokenizer) -> pa.StringArray:
    """By token id what it adds to a name."""
    vocabulary = tokenizer.get_vocab(with_added_tokens=True)
    pieces = [""] * (max(vocabulary.values()) + 1)
    prefix = getattr(tokenizer.model, "continuing_subword_prefix", "") or ""
    for piece, number in vocabulary.items():
        pieces[number] = piece.removeprefix(prefix) if isinstance(tokenizer.model, models.WordPiece) else piece
    return pa.array(pieces, pa.string())


def names_of(pieces: pa.StringArray, tokens: npt.NDArray[np.integer], starts: Ints, ends: Ints) -> pa.StringArray:
    """The name of each mention `tokens[start:end]`. Raises pa.ArrowException or IndexError for damaged numbers."""
    lengths = ends - starts
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    places = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
    parts = pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), pieces.take(pa.array(tokens[places])))
    return pc.utf8_ltrim(pc.binary_join(parts, ""), characters=_SPACES)


@dataclass(frozen=True, eq=False)
class Guesses:
    """`counts[e]`: mentions of entity e in training; `by_name`: of a name the entity that it meant most often;
    `meanings`: of a name all entities that it meant, rising."""

    counts: Ints
    by_name: dict[str, int]
    meanings: dict[str, Ints] = field(default_factory=dict)

    @property
    def commonest(self) -> int:
        """The most frequent entity, of equals the smallest id; UNK where there is none."""
        best = int(np.argmax(self.counts))
        return best if self.counts[best] else UNK

    def prior(self, name: str) -> int:
        """argmax of p(entity | name), of equals the more frequent entity, then the smaller id.

        A name that training did not have is guessed to be the most frequent entity.
        """
        return self.by_name.get(name, self.commonest)


@dataclass(frozen=True, eq=False)
class MentionCounts:
    """What a part of the training records holds: mentions by entity id, and by name and entity."""

    counts: Ints
    by_name: dict[str, dict[int, int]]


def count(
    corpora: Sequence[TrainingCorpus], pieces: pa.StringArray, names: set[str], part: int = 0, parts: int = 1
) -> MentionCounts:
    """Pass once over every `parts`-th batch of the training records, for the `names` that are asked for.

    Raises WikiprepError for a shard whose numbers make no sense.
    """
    counts = np.zeros(0, np.int64)
    name_array = pa.array(sorted(names), pa.string())
    by_name: dict[str, dict[int, int]] = {}
    for corpus in corpora:
        for place, columns, training in islice(training_batches(corpus, _COLUMNS), part, None, parts):
            try:
                ids, mention_names = _training_mentions(columns, training, pieces)
                counts = _sum_arrays([counts, np.bincount(ids)])
            except (pa.ArrowException, IndexError, ValueError) as error:
                raise WikiprepError(f"{place}: cannot be counted ({error})", "run `wikiprep verify` on it") from error
            is_counted = pc.is_in(mention_names, name_array)
            pairs = pa.table({"name": mention_names, "entity": ids}).filter(is_counted).group_by(["name", "entity"])
            for row in pairs.aggregate([([], "count_all")]).to_pylist():
                entity_counts = by_name.setdefault(row["name"], {})
                entity_counts[row["entity"]] = entity_counts.get(row["entity"], 0) + row["count_all"]
    return MentionCounts(counts, by_name)


def guesses_of(parts: Sequence[MentionCounts], entities: int) -> Guesses:
    """What all parts together say; `entities` ids at least."""
    counts = _sum_arrays([np.zeros(entities, np.int64), *(part.counts for part in parts)])
    by_name: dict[str, dict[int, int]] = {}
    for part in parts:
        for name, entity_counts in part.by_name.items():
            total_counts = by_name.setdefault(name, {})
            for entity, times in entity_counts.items():
                total_counts[entity] = total_counts.get(entity, 0) + times
    best = {
        name: max(entity_counts, key=lambda entity: (entity_counts[entity], counts[entity], -entity))
        for name, entity_counts in by_name.items()
    }
    meanings = {name: np.array(sorted(entity_counts), np.int64) for name, entity_counts in by_name.items()}
    return Guesses(counts, best, meanings)


def _sum_arrays(parts: Sequence[Ints]) -> Ints:
    """Of arrays of unlike length."""
    total = np.zeros(max(map(len, parts)), np.int64)
    for part in parts:
        total[: len(part)] += part
    return total


def training_batches(
    corpus: TrainingCorpus, names: Sequence[str]
) -> Iterator[tuple[str, dict[str, pa.ListArray], npt.NDArray[np.bool_]]]:
    """Of each batch its place for people, columns by name, and which of its rows are for training."""
    is_training = np.ones(corpus.split.size, bool)
    is_training[corpus.split.held_out] = False
    first = 0
    for shard in corpus.shards:
        reader = corpus.open(shard)
        for number, rows in enumerate(shard.batches):
            batch = reader.get_batch(number)
            columns = {name: batch.column(name) for name in names}
            yield f"{corpus.where(shard)}: batch {number}", columns, is_training[first : first + rows]
            first += rows


def _training_mentions(
    columns: dict[str, pa.ListArray], training: npt.NDArray[np.bool_], pieces: pa.StringArray
) -> tuple[Ints, pa.StringArray]:
    """Entity and name of each mention of the training rows, those of `[UNK]` left out."""
    words, entities = columns["word_ids"], columns["entity_ids"]
    bounds = entities.offsets.to_numpy()
    row = np.repeat(np.arange(len(training)), np.diff(bounds))
    ids, starts, ends = (
        columns[name].values.to_numpy()[bounds[0] : bounds[-1]].astype(np.int64) for name in _COLUMNS[1:]
    )
    is_counted = training[row] & (ids != UNK)
    first = words.offsets.to_numpy()[row[is_counted]]
    return ids[is_counted], names_of(
        pieces, words.values.to_numpy(), first + starts[is_counted], first + ends[is_counted]
    )
