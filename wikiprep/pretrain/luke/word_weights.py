"""Weights of a corpus's words by their neighbours in WordNet: those that tell more are masked more often.

weight = (1 + neighbours)^exponent. Words that WordNet lacks (names, numbers, signs, "the") have one weight for all:
the mean of the known words' weights by how often they stand in the corpus, or the one that is given.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from tokenizers import Tokenizer

from wikiprep.errors import UsageError
from wikiprep.files import whole_file
from wikiprep.knowledge.wordnet import WordNet, neighbour_counts, word_neighbours
from wikiprep.pretrain.luke.word_table import LONGEST, SCHEMA, TOKENIZER, UNKNOWN
from wikiprep.pretrain.luke.words import Words, word_starts
from wikiprep.records.record import Record

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class WeightedWords:
    """What became of the corpus' words.

    `counts` are in words of the corpus: `known` have neighbours by WordNet, `unknown` are not in it, `long` have more
    tokens than the table takes. `weight` is that of the last two kinds.
    """

    table: pa.Table
    weight: float
    records: int
    counts: Mapping[str, int]


def count_words(records: Iterable[Record], words: Words) -> tuple[dict[Tokens, int], int, int]:
    """How often each word of at most LONGEST tokens stands there; how many longer ones there are; how many records."""
    counts: dict[Tokens, int] = {}
    long = number = 0
    for record in records:
        number += 1
        for word in _words_of_record(record, words):
            if len(word) > LONGEST:
                long += 1
            else:
                counts[word] = counts.get(word, 0) + 1
    return counts, long, number


def _words_of_record(record: Record, words: Words) -> Iterator[Tokens]:
    if len(record.word_ids):
        starts = word_starts(record, words).tolist()
        ids = record.word_ids.tolist()
        yield from (tuple(ids[a:b]) for a, b in zip(starts, [*starts[1:], len(ids)], strict=True))


def weigh(
    records: Iterable[Record],
    words: Words,
    tokenizer: Tokenizer,
    wordnet: WordNet,
    *,
    symbols: Iterable[str] | None = None,
    total: bool = False,
    exponent: float = 0.5,
    unknown: float | None = None,
) -> WeightedWords:
    """Weights of the words of `records` that WordNet has, in the order of their token ids.

    `symbols`, `total`: see `knowledge/wordnet.py`. `unknown`: the weight of all other words, None for the known words'
    mean. Raises UsageError where WordNet has none of the words.
    """
    counts, long, number = count_words(records, words)
    synset_counts = neighbour_counts(wordnet, symbols)
    rows = []
    unknown_count = 0
    for tokens in sorted(counts):
        word = tokenizer.decode(list(tokens), skip_special_tokens=False).strip()
        neighbours = word_neighbours(wordnet, synset_counts, word, total=total)
        if neighbours is None:
            unknown_count += counts[tokens]
        else:
            rows.append((list(tokens), (1.0 + neighbours) ** exponent, word, counts[tokens], neighbours))
    if not rows:
        raise UsageError(
            f"WordNet has none of the {len(counts):,} words of the corpus", "it is of English: is the corpus?"
        )
    columns = dict(zip(SCHEMA.names, zip(*rows, strict=True), strict=True))
    mean = float(np.average(columns["weight"], weights=columns["count"]))
    word_counts = {"known": int(sum(columns["count"])), "unknown": unknown_count, "long": long}
    table = pa.table({name: list(values) for name, values in columns.items()}, schema=SCHEMA)
    return WeightedWords(table, mean if unknown is None else unknown, number, word_counts)


def write_weights(weighted: WeightedWords, tokenizer_digest: str, output: Path) -> None:
    """The file that `objective.word_weights` takes; it gets its name when it is whole."""
    metadata = {UNKNOWN: repr(weighted.weight), TOKENIZER: tokenizer_digest}
    table = weighted.table.replace_schema_metadata(metadata)
    with whole_file(output) as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
