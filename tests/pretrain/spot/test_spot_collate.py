"""A batch of SPOT is its records, one a row or packed: words, spans, pairs, targets, the same vectors and losses."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from spot_cases import CLASSES, random_record, record_of, words
from torch import Tensor

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as word_names
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.collate import collate
from wikiprep.pretrain.spot.config import Objective, SpotConfig
from wikiprep.pretrain.spot.example import Example, example_of
from wikiprep.pretrain.spot.model import Spot
from wikiprep.records.record import Record

WORDS, PLAIN = words(), Objective()
TEXT = LukeConfig(
    vocab_size=97, entity_vocab_size=1, hidden_size=24, layers=2, heads=2, intermediate_size=32, max_positions=66,
    dropout=0.0, attention_dropout=0.0, entities=False, init_std=0.3,
)  # fmt: skip
CONFIG = SpotConfig(
    entity_vocab_size=61,
    relations=len(CLASSES),
    width_size=3,
    attention_hidden=5,
    pair_heads=2,
    entity_cutoffs=(9, 30),
    entity_ratio=2,
)


def examples(records: list[Record], objective: Objective = PLAIN) -> list[Example]:
    """Each drawn by a generator of its own number."""
    return [example_of(record, WORDS, CLASSES, objective, np.random.default_rng(record.ordinal)) for record in records]


def batch_of(records: list[Record], rows: list[int] | None = None, objective: Objective = PLAIN) -> Batch:
    return collate(examples(records, objective), rows, WORDS, CONFIG.entity_cutoffs, CONFIG.max_span_width)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """With mentions and without, of one, of several sentences, wider than the span encoder looks."""
    made = [random_record(np.random.default_rng(100 + number), number) for number in range(5)]
    made.append(record_of(12, number=5))
    made.append(record_of(9, [(7, 2, 4)], number=6))
    made.append(record_of(20, [(7, 0, 12), (8, 14, 15), (9, 16, 20)], [(0, 1, 36), (1, 0, 17)], (0, 15), number=7))
    return made


@pytest.fixture(scope="module")
def model() -> Spot:
    return Spot(TEXT, CONFIG, 3).double().eval()


def test_spans_of_a_batch_are_those_of_its_records(records: list[Record]) -> None:
    made, batch = examples(records), batch_of(records)
    flat = batch[word_names.WORD_IDS].flatten()
    width = batch[word_names.WORD_IDS].shape[1]
    spans = [(batch[names.SPAN_PLACES][a:b] - 1).tolist() for a, b in zip(
        batch[names.SPAN_STARTS].tolist(), batch[names.SPAN_ENDS].tolist(), strict=True)]  # fmt: skip
    expected = []
    for negative in (False, True):  # mentions of all first
        for row, example in enumerate(made):
            mentions = sum(example.sentences)
            part = slice(mentions, None) if negative else slice(None, mentions)
            expected += [
                [row * width + token for token in range(start, min(end, start + 8))]
                for start, end in zip(example.starts[part].tolist(), example.ends[part].tolist(), strict=True)
            ]
    assert spans == expected
    number = sum(len(r.entity_ids) for r in records)
    assert batch[names.SPAN_REAL].sum() == len(batch[names.SPAN_SLOTS]) == number
    # Tokens under a span are the record's, as it was masked.
    first = made[0]
    assert flat[batch[names.SPAN_PLACES][0]] == first.masked.word_ids[first.starts[0]]


def test_targets_are_gold_entities_and_as_many_spans_that_are_none(records: list[Record]) -> None:
    batch = batch_of(records)
    labels, rows = batch[names.ENTITY_LABELS].tolist(), batch[names.ENTITY_ROWS].tolist()
    ids = np.concatenate([record.entity_ids for record in records])
    gold = [label for label in labels if label]
    assert sorted(gold) == sorted(ids[ids > 1].tolist())
    assert labels.count(0) == len(ids) == len(batch[names.SPAN_SLOTS])
    assert all((row < len(ids)) == bool(label) for row, label in zip(rows, labels, strict=True))
    with_unk = batch_of(records, objective=replace(PLAIN, unk_targets=True))[names.ENTITY_LABELS]
    assert sorted(label for label in with_unk.tolist() if label) == sorted(ids.tolist())
    hidden = batch[names.ENTITY_HIDDEN]
    assert hidden.any() and not hidden[batch[names.ENTITY_LABELS] == 0].any()


def test_relations_are_the_records(records: list[Record]) -> None:
    """Ordered pairs, one of several properties; in another epoch it may be another."""
    batch = batch_of(records)
    ids = np.concatenate([example.record.entity_ids for example in examples(records)])
    columns = (batch[name].tolist() for name in (names.PAIR_HEADS, names.PAIR_TAILS, names.RELATION_LABELS))
    pairs = [
        (int(ids[head]), int(ids[tail]), int(CLASSES.properties[label]))
        for head, tail, label in zip(*columns, strict=True)
    ]
    at, wanted = 0, []
    for record in records:
        options: dict[tuple[int, int], set[int]] = {}
        for head, tail, prop in record.relations.tolist():
            options.setdefault((head, tail), set()).add(prop)
        for (head, tail), properties in sorted(options.items()):
            found = pairs[at]
            assert found[:2] == (record.entity_ids[head], record.entity_ids[tail]) and found[2] in properties
            wanted.append(properties)
            at += 1
    assert at == len(pairs) and any(len(properties) > 1 for properties in wanted)
    assert batch[names.RELATION_PAIRS].tolist() == list(range(at))


def test_the_mean_takes_all_properties_of_a_pair(records: list[Record], model: Spot) -> None:
    batch = batch_of(records, objective=replace(PLAIN, several_properties="mean"))
    assert len(batch[names.RELATION_LABELS]) == sum(len(record.relations) for record in records)
    pairs, weights = batch[names.RELATION_PAIRS], batch[names.RELATION_WEIGHTS]
    count = len(batch[names.PAIR_HEADS])
    torch.testing.assert_close(torch.zeros(count).index_add(0, pairs, weights), torch.ones(count))
    loss, number = model(batch)["relation"]
    _, tokens = model.states(batch)
    spans = names.spans_of(batch)
    vectors = model.span_vectors(tokens, spans)
    scores = model.relations(model.pair_vectors(vectors, spans, batch[names.PAIR_HEADS], batch[names.PAIR_TAILS]))
    expected = 0.0
    for pair in range(count):
        own = [
            label for at, label in zip(pairs.tolist(), batch[names.RELATION_LABELS].tolist(), strict=True) if at == pair
        ]
        expected += sum(-scores[pair].log_softmax(0)[label] for label in own) / len(own)
    torch.testing.assert_close(loss, expected, rtol=1e-6, atol=1e-6)  # weights are float32
    assert number == count


def vectors_of(model: Spot, batch: Batch) -> tuple[Tensor, Tensor]:
    _, tokens = model.states(batch)
    spans = names.spans_of(batch)
    vectors = model.span_vectors(tokens, spans)
    return vectors, model.pair_vectors(vectors, spans, batch[names.PAIR_HEADS], batch[names.PAIR_TAILS])


@pytest.mark.parametrize("rows", [[0, 0, 0, 1, 1, 2, 2, 2], [0] * 8])
def test_packed_records_have_the_vectors_and_losses_of_single_ones(
    records: list[Record], model: Spot, rows: list[int]
) -> None:
    if len({*rows}) == 1:
        records, rows = [records[5], records[6], records[7]], rows[:3]
    plain, packed = batch_of(records), batch_of(records, rows)
    assert packed[word_names.WORD_IDS].shape[0] == max(rows) + 1
    for one, other in zip(vectors_of(model, plain), vectors_of(model, packed), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)
    for want in ("losses", "metrics"):
        for name, (value, count) in model(plain, want).items():
            torch.testing.assert_close(model(packed, want)[name], (value, count), rtol=1e-9, atol=1e-9)
    singles = [model(batch_of([record])) for record in records]
    for name, (value, count) in model(plain).items():
        torch.testing.assert_close(sum(single[name][0] for single in singles), value, rtol=1e-9, atol=1e-9)
        assert sum(int(single[name][1]) for single in singles) == int(count)


def test_losses_are_those_of_whole_states(records: list[Record], model: Spot) -> None:
    """The last layer is computed where something is looked at: it gives what all positions give."""
    batch = batch_of(records)
    words, _ = model.text.encode(batch | {word_names.ENTITY_IDS: torch.zeros(len(records), 0)})
    flat = words.flatten(0, 1)
    masked, tokens = model.states(batch)
    torch.testing.assert_close(masked, flat[batch[word_names.WORD_TARGETS]], rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(tokens, flat[batch[names.SPAN_PLACES]], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("softmax", ["adaptive", "exact"])
def test_a_batch_without_mention_or_pair_reaches_every_parameter(softmax: str) -> None:
    config = replace(CONFIG, entity_softmax=softmax, entity_size=4)
    model = Spot(TEXT, config, 0)
    for record in (record_of(12), record_of(9, [(7, 2, 4)])):
        model.zero_grad()
        made = model(batch_of([record]))
        assert [int(count) for _, count in made.values()] == [1, 2 * len(record.entity_ids), 0]
        sum(loss for loss, _ in made.values()).backward()
        missing = [name for name, p in model.named_parameters() if p.grad is None]
        assert missing == []
        assert all(p.grad.isfinite().all() for p in model.parameters())


def test_what_is_cut_or_left_out_is_counted(records: list[Record]) -> None:
    found = dict(zip(names.COUNTS, batch_of(records)[names.NUMBERS].tolist(), strict=True))
    without = sum(not len(record.relations) for record in records)
    assert found == {"counted.cut_spans": 1, "counted.pairs_left_out": 0, "counted.records_without_pair": without}
    pairs = sum(len({(h, t) for h, t, _ in record.relations.tolist()}) for record in records)
    bounded = batch_of(records, objective=replace(PLAIN, pairs_of_record=2))
    left = len(bounded[names.PAIR_HEADS])
    assert 0 < left < pairs and bounded[names.NUMBERS][1] == pairs - left


def test_a_relation_that_has_no_class_is_told_of() -> None:
    record = record_of(9, [(7, 2, 4), (8, 5, 6)], [(0, 1, 999)])
    with pytest.raises(WikiprepError, match="record 0 of page 1: a relation P999"):
        batch_of([record])
    with pytest.raises(WikiprepError, match="of a mention that is not there"):
        batch_of([record_of(9, [(7, 2, 4)], [(0, 1, 36)])])


def test_a_wide_span_has_the_vector_of_its_first_tokens(model: Spot) -> None:
    wide, cut = (record_of(20, [(7, 0, end), (8, 14, 15)]) for end in (12, 8))
    still = replace(PLAIN, token_share=0.0, entity_share=0.0, negatives=0)
    one, other = (vectors_of(model, batch_of([record], objective=still))[0] for record in (wide, cut))
    torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-12)


def test_a_head_of_sigmoids_learns_each_property_by_itself(records: list[Record]) -> None:
    model = Spot(TEXT, replace(CONFIG, relation_head="sigmoid"), 3).double().eval()
    batch = batch_of(records, objective=replace(PLAIN, several_properties="mean"))
    loss, number = model(batch)["relation"]
    _, pairs = vectors_of(model, batch)
    scores = model.relations(pairs)
    right = torch.zeros_like(scores)
    for pair, label in zip(batch[names.RELATION_PAIRS].tolist(), batch[names.RELATION_LABELS].tolist(), strict=True):
        right[pair, label] = 1
    assert (right.sum(1) > 1).any()
    expected = torch.nn.functional.binary_cross_entropy_with_logits(scores, right, reduction="sum")
    torch.testing.assert_close(loss, expected, rtol=1e-12, atol=1e-12)
    assert number == len(pairs)
    with pytest.raises(UsageError, match="relation_head = 'sigmoids'"):
        replace(CONFIG, relation_head="sigmoids")
