"""Whole facts set apart: no pair that is asked for stands in training, in either direction; all of it is counted."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from inline import rows

from wikiprep.errors import WikiprepError
from wikiprep.records.held_out import PAIR, pair_is_held_out, relation_columns
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import TrainingCorpus, open_corpora, open_corpus

SHARE = 0.3


@pytest.fixture(scope="module")
def corpus(sample_spot: Path) -> TrainingCorpus:
    return open_corpus(str(sample_spot), SHARE, "sentence", PAIR)


def pairs_of(record: dict) -> list[tuple[frozenset[int], tuple[int, int, int]]]:
    """Of a row of the file each relation, with its two entities in no order."""
    ids = record["entity_ids"]
    return [
        (frozenset((ids[r["head"]], ids[r["tail"]])), (r["head"], r["tail"], r["property"]))
        for r in record["relations"]
    ]


def test_no_pair_that_is_asked_for_is_trained_on(corpus: TrainingCorpus, sample_spot: Path) -> None:
    every, reader, held = rows(sample_spot, "records"), RecordReader(corpus), {*corpus.split.held_out.tolist()}
    counts: Counter[str] = Counter()
    asked, trained = set(), set()
    for number, row in enumerate(every):
        found = reader.read(number)
        read = [(int(head), int(tail), int(prop)) for head, tail, prop in found.relations]
        both = dict(
            zip(read, [frozenset(found.entity_ids[[head, tail]].tolist()) for head, tail, _ in read], strict=True)
        )
        if number in held:
            counts.update(records=1, relations=len(read), left_out=len(row["relations"]) - len(read))
            asked |= {*both.values()}
            assert read and {*read} <= {relation for _, relation in pairs_of(row)}
        else:
            trained |= {*both.values()}
            assert read == [relation for _, relation in pairs_of(row)]
    assert asked and trained and not asked & trained
    facts = corpus.facts
    assert facts is not None and facts.pairs == len(asked) and facts.left_out > 0
    assert (facts.records, facts.relations, facts.left_out) == tuple(
        counts[n] for n in ("records", "relations", "left_out")
    )
    assert (
        f"{facts.pairs} pairs of entities: {facts.records} records with {facts.relations} relations" in facts.in_words()
    )
    # What is not asked for was left out for its record's sake, not because it was set apart.
    for number in held:
        kept = {tuple(map(int, relation)) for relation in reader.read(number).relations}
        for pair, relation in pairs_of(every[number]):
            low, high = min(pair), max(pair)
            assert (relation in kept) == pair_is_held_out(np.array([low]), np.array([high]), SHARE)[0]


def test_the_share_holds_and_the_direction_does_not_matter() -> None:
    heads, tails = np.divmod(np.arange(40_000), 200)
    held = pair_is_held_out(heads, tails, 0.1)
    assert held.mean() == pytest.approx(0.1, abs=0.005)
    assert (held == pair_is_held_out(tails, heads, 0.1)).all()
    large = pair_is_held_out(heads + 2_000_000_000, tails + 2_100_000_000, 0.1)
    assert large.mean() == pytest.approx(0.1, abs=0.005) and (large != held).any()
    assert not pair_is_held_out(heads, tails, 0.0).any() and pair_is_held_out(heads, tails, 1.0).all()


def test_what_has_no_relations_or_nothing_left_is_refused(tiny_corpus: Path, sample_spot: Path) -> None:
    with pytest.raises(WikiprepError, match=r'without relations, and data\.held_out_by = "pair" asks for them'):
        open_corpus(str(tiny_corpus), SHARE, "", PAIR)
    with pytest.raises(WikiprepError, match="no record to train on"):
        open_corpora([str(sample_spot)], 1.0, "sentence", PAIR)
    # A family that learns no relations is set the same records apart, and reads none.
    plain = open_corpus(str(sample_spot), SHARE, "", PAIR)
    assert plain.facts is not None and not len(RecordReader(plain).read(int(plain.split.held_out[0])).relations)


def test_relations_of_a_damaged_record_are_an_error() -> None:
    relation = pa.struct([("head", pa.int16()), ("tail", pa.int16()), ("property", pa.int32())])
    entities = pa.array([[5, 6], [], [7, 8, 9]], pa.list_(pa.int32()))
    good = pa.array([[(0, 1, 17)], [], [(2, 0, 36), (1, 2, 17)]], pa.list_(relation))
    found = relation_columns(entities, good)
    assert found.rows.tolist() == [0, 2, 2] and found.properties.tolist() == [17, 36, 17]
    assert (found.heads.tolist(), found.tails.tolist()) == ([5, 9, 8], [6, 7, 9])
    for wrong in ((2, 0, 17), (0, -1, 17)):
        with pytest.raises(IndexError, match="is no mention of its record"):
            relation_columns(entities, pa.array([[wrong], [], []], pa.list_(relation)))
