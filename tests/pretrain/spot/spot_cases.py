"""Records with relations, small models and batches for the tests of SPOT."""

from collections.abc import Sequence

import numpy as np

from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.spot.relation_classes import RelationClasses
from wikiprep.records.record import RELATION, Record

CLASSES = RelationClasses(np.array([17, 36, 31, 50], np.int64), ("country", "capital", None, "author"))


def words(size: int = 97, pad: int = 1) -> Words:
    """A made-up tokenizer: ids 0 to 3 and the last are special."""
    return Words(size, 0, 2, pad, size - 1, np.arange(size) % 3 == 0, np.arange(4, size - 1, dtype=np.int32))


def record_of(
    length: int,
    mentions: Sequence[tuple[int, int, int]] = (),
    relations: Sequence[tuple[int, int, int]] = (),
    sentences: Sequence[int] = (0,),
    number: int = 0,
) -> Record:
    """Mentions as (id, start, end), relations as (head, tail, property); token i has id 4 + i % 90."""
    columns = np.array(mentions, np.int64).reshape(-1, 3)
    return Record(
        1,
        1,
        number,
        (4 + np.arange(length) % 90).astype(np.int32),
        columns[:, 0].astype(np.int32),
        columns[:, 1].astype(np.int16),
        columns[:, 2].astype(np.int16),
        np.zeros(len(columns), np.int8),
        np.array(sentences, np.int16),
        np.array(list(relations), RELATION),
    )


def random_record(rng: np.random.Generator, number: int = 0, entities: int = 61) -> Record:
    """A sentence of 6 to 40 tokens with mentions that do not overlap, some [UNK], and relations of some pairs."""
    length = int(rng.integers(6, 41))
    mentions, at = [], 0
    while at < length - 1:
        start = at + int(rng.integers(0, 6))
        end = min(length, start + int(rng.integers(1, 5)))
        if start >= length:
            break
        identity = 1 if rng.random() < 0.2 else int(rng.integers(3, entities))
        mentions.append((identity, start, end))
        at = end + 1
    relations = []
    for head in range(len(mentions)):
        for tail in range(len(mentions)):
            if head != tail and 1 not in (mentions[head][0], mentions[tail][0]) and rng.random() < 0.4:
                properties = sorted(rng.choice(CLASSES.properties, rng.integers(1, 4), replace=False).tolist())
                relations += [(head, tail, prop) for prop in properties]
    return record_of(length, mentions, relations, number=number)
