"""Relations of records: each rule by hand on a few words, and the whole against a plain loop."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_added_spans import Adds
from test_builder import check_record, check_sums, page, prose
from test_tokenizers import TEXTS
from tokenizers import Tokenizer

from wikiprep.config import RecordsConfig, RelationsConfig
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.corpus.relations import MOST_PAIRS, Aligner
from wikiprep.corpus.schema import RELATIONS_KEY, record_schema
from wikiprep.corpus.spans import DENSIFIED, SUBJECT
from wikiprep.corpus.tokenizers import train_tokenizer
from wikiprep.wikidata.lookups import Triples
from wikiprep.wikidata.triples_table import pairs_of

RECORDS = RecordsConfig(text=True, min_sentence_length=1)
IDS = {"Oslo": 3, "Norway": 4, "Bergen": 5, "Ibsen": 6, "Nowhere": 7}
ITEMS = {"Oslo": 585, "Norway": 20, "Bergen": 26793, "Ibsen": 36661, "Nowhere": -1, "Skien": 109065}
TRIPLES = [  # head, property, tail, rank
    ("Norway", 36, "Oslo", 1),
    ("Oslo", 17, "Norway", 1),
    ("Oslo", 1376, "Norway", 0),
    ("Bergen", 17, "Norway", 0),
    ("Oslo", 190, "Oslo", 0),  # with itself, as Wikidata has such triples
    ("Ibsen", 19, "Skien", 0),
]


def triples(rows: Iterable[tuple[int, int, int, int]]) -> Triples:
    columns = np.array(sorted((h, t, p, r) for h, p, t, r in rows), np.int64).reshape(-1, 4).T
    return Triples(pairs_of(columns[0], columns[1]), columns[2].astype(np.int32), columns[3].astype(np.int8))


def aligner(**options: Any) -> Aligner:
    items = np.full(max(IDS.values()) + 1, -1, np.int64)
    for title, number in IDS.items():
        items[number] = ITEMS[title]
    known = triples((ITEMS[h], p, ITEMS[t], r) for h, p, t, r in TRIPLES)
    return Aligner(known, items, RelationsConfig(**options), lambda title: ITEMS.get(title, -1))


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return train_tokenizer(TEXTS, 400)


def build(
    tokenizer: Tokenizer, rows: list[ArticleRow], *, adds: Adds | None = None, records: RecordsConfig = RECORDS,
    **options: Any,
) -> tuple[list[dict[str, Any]], Counter[str]]:  # fmt: skip
    made = RecordBuilder(tokenizer, "en", records, IDS.get, adds, aligner(**options))
    batch = made.build(article_batch(rows))
    batch.validate(full=True)
    assert batch.schema.equals(record_schema(records.text, RelationsConfig(**options)), check_metadata=True)
    counts = made.counts
    check_sums(counts)
    for whole, parts in (
        ("pairs.found", ("pairs.related", "pairs.unrelated", "pairs.dropped.")),
        ("relations.found", ("relations.link", "relations.densified", "relations.subject")),
    ):
        assert counts[whole] == sum(n for key, n in counts.items() if key.startswith(parts))
    found = batch.to_pylist()
    for row in found:
        check_record(row, tokenizer, records)
    assert sum(len(row["relations"]) for row in found) == counts["relations.found"]
    assert sum(len(row["entity_ids"]) for row in found) == (
        counts["links.entity"] + counts["links.unk"] + counts["added.densified"] + counts["added.subject"]
    )
    return found, counts


def told(row: dict[str, Any]) -> list[tuple[str, int, str, int, int]]:
    """Relations with the words of their mentions: head, property, tail, rank, source."""
    words = [row["text"][a:b] for a, b in zip(row["entity_char_starts"], row["entity_char_ends"], strict=True)]
    return [(words[r["head"]], r["property"], words[r["tail"]], r["rank"], r["source"]) for r in row["relations"]]


def test_both_directions_and_several_relations_of_a_pair(small: Tokenizer) -> None:
    (row,), counts = build(small, [page(prose("The city Oslo is in Norway.", "Oslo", "Norway"))])
    assert told(row) == [
        ("Oslo", 17, "Norway", 1, 0),
        ("Oslo", 1376, "Norway", 0, 0),
        ("Norway", 36, "Oslo", 1, 0),
    ]
    assert (counts["pairs.found"], counts["pairs.related"], counts["relations.found"]) == (2, 2, 3)
    assert counts["also.relations.preferred"] == 2


def test_a_relation_needs_one_sentence_unless_records_are_asked_for(small: Tokenizer) -> None:
    rows = [page(prose("It is Oslo here. Norway is large. Bergen and Norway are old.", "Oslo", "Norway", "Bergen"))]
    rows[0].paragraphs.append(prose("And Bergen in Norway rains.", "Bergen", "Norway"))
    (row,), counts = build(small, rows)
    assert told(row) == [("Bergen", 17, "Norway", 0, 0)]
    assert counts["pairs.found"] == 2
    (row,), counts = build(small, rows, relations="record")
    assert [(r["head"], r["tail"]) for r in row["relations"]] == [
        (0, 1), (0, 1), (0, 4), (0, 4), (1, 0), (2, 1), (2, 4), (3, 1), (3, 4), (4, 0),
    ]  # fmt: skip
    assert counts["pairs.found"] == 20
    assert record_schema(True, RelationsConfig(relations="record")).metadata[RELATIONS_KEY] == b"record"


def test_an_entity_mentioned_twice_has_its_relations_at_both_mentions_and_none_with_itself(small: Tokenizer) -> None:
    (row,), counts = build(small, [page(prose("Oslo, Norway and Oslo again.", "Oslo", "Norway", "Oslo"))])
    assert [(r["head"], r["property"], r["tail"]) for r in row["relations"]] == [
        (0, 17, 1), (0, 1376, 1), (1, 36, 0), (1, 36, 2), (2, 17, 1), (2, 1376, 1),
    ]  # fmt: skip
    assert counts["pairs.dropped.same_entity"] == 2
    assert counts["pairs.found"] == 6


def test_pairs_without_an_item_or_of_unknown_entities_are_dropped_by_reason(small: Tokenizer) -> None:
    text = "Oslo, Nowhere, Skien, Ibsen."
    (row,), counts = build(small, [page(prose(text, "Oslo", "Nowhere", "Skien", "Ibsen"))])
    assert row["entity_ids"] == [3, 7, 1, 6]
    assert told(row) == []
    assert counts["pairs.dropped.unk"] == 6  # three others, both ways
    assert counts["pairs.dropped.no_item"] == 4
    assert counts["pairs.unrelated"] == 2
    (row,), counts = build(small, [page(prose(text, "Oslo", "Nowhere", "Skien", "Ibsen"))], unk_relations=True)
    assert told(row) == [("Ibsen", 19, "Skien", 0, 0)]
    assert row["entity_ids"][2] == 1
    assert row["entity_qids"] == [585, -1, 109065, 36661]
    assert counts["pairs.dropped.no_item"] == 6


def test_the_source_of_a_relation_is_the_greater_of_its_mentions(small: Tokenizer) -> None:
    rows = [page(prose("Oslo in Norway. Bergen is in Norway. So is Oslo.", "Oslo", "Norway"))]
    adds = Adds(("Norway", "Norway", DENSIFIED, True), ("Bergen", "Bergen", SUBJECT, True))
    (row,), counts = build(small, rows, adds=adds)
    assert told(row) == [
        ("Oslo", 17, "Norway", 1, 0),
        ("Oslo", 1376, "Norway", 0, 0),
        ("Norway", 36, "Oslo", 1, 0),
        ("Bergen", 17, "Norway", 0, 2),
    ]
    assert (counts["relations.link"], counts["relations.densified"], counts["relations.subject"]) == (3, 0, 1)
    (row,), counts = build(small, rows, adds=adds, subject_relations=False)
    assert [r["source"] for r in row["relations"]] == [0, 0, 0]
    assert counts["pairs.dropped.subject"] == 2
    adds = Adds(("Norway", "Norway", DENSIFIED, True), ("Bergen", "Bergen", DENSIFIED, True))
    (row,), counts = build(small, rows, adds=adds)
    assert row["relations"][-1]["source"] == 1
    assert counts["relations.densified"] == 1


def test_a_link_to_the_page_itself_is_a_link(small: Tokenizer) -> None:
    rows = [replace(page(prose("Oslo is in Norway.", "Oslo", "Norway")), title="Oslo")]
    (row,), _ = build(small, rows, subject_relations=False)
    assert [r["source"] for r in row["relations"]] == [0, 0, 0]


def test_records_without_a_relation_are_dropped_and_counted(small: Tokenizer) -> None:
    text = "Oslo is in Norway. Ibsen left Bergen. Here is nothing. Bergen, in Norway, rains."
    rows = [page(prose(text, "Oslo", "Norway", "Ibsen", "Bergen", "Bergen", "Norway")), page(number=2)]
    rows[1].paragraphs.append(prose("Ibsen wrote.", "Ibsen"))
    records = replace(RECORDS, sentence_records=True)
    found, counts = build(small, rows, records=records, drop_unrelated=True)
    assert [row["text"] for row in found] == ["Oslo is in Norway.", "Bergen, in Norway, rains."]
    assert [row["ordinal"] for row in found] == [0, 1]
    assert [[(r["head"], r["tail"]) for r in row["relations"]] for row in found] == [[(0, 1), (0, 1), (1, 0)], [(0, 1)]]
    assert counts["records.dropped.no_relation"] == counts["sentences.dropped.record_without_relation"] == 2
    assert counts["records.dropped.no_entity"] == counts["sentences.dropped.record_without_entity"] == 1
    assert counts["links.dropped.record_without_relation"] == 3
    kept, counts = build(small, rows, records=replace(records, include_sentences_without_entities=True))
    assert [len(row["relations"]) for row in kept] == [3, 0, 0, 1, 0]
    assert counts["records.dropped.no_relation"] == 0
    # What has no mention either has no relation: with both options it goes for want of a relation.
    records = replace(records, include_sentences_without_entities=True)
    found, counts = build(small, rows, records=records, drop_unrelated=True)
    assert (len(found), counts["records.dropped.no_relation"]) == (2, 3)
    whole, counts = build(small, rows, drop_unrelated=True)
    assert [row["text"] for row in whole] == [text]
    assert counts["records.dropped.no_relation"] == 1


def test_added_spans_of_dropped_records_are_counted(small: Tokenizer) -> None:
    rows = [page(prose("Oslo and Ibsen. And Oslo.", "Oslo", "Ibsen"))]
    _, counts = build(small, rows, adds=Adds(("Oslo", "Oslo", DENSIFIED, True)), drop_unrelated=True)
    assert counts["added.dropped.record_without_relation"] == 1
    assert counts["links.dropped.record_without_relation"] == 2


def test_without_triples_records_are_as_they_were_but_for_the_column(small: Tokenizer) -> None:
    rows = [page(prose("Oslo is in Norway. Ibsen left.", "Oslo", "Norway", "Ibsen"))]
    plain = RecordBuilder(small, "en", RECORDS, IDS.get).build(article_batch(rows)).to_pylist()
    (row,), _ = build(small, rows)
    assert [{key: value for key, value in row.items() if key != "relations"}] == plain


def test_a_group_of_more_pairs_than_are_made_at_once() -> None:
    """600 mentions of 40 items have 360,000 pairs: more than a piece."""
    rng = np.random.default_rng(3)
    known = {(int(h), int(p), int(t), 0) for h, p, t in rng.integers(0, 40, (200, 3))}
    entities = rng.integers(2, 42, 600).astype(np.int32)
    items = np.arange(-2, 40)
    made = Aligner(triples(known), items, RelationsConfig(relations="record"))
    counts: Counter[str] = Counter()
    zeros = np.zeros(600, np.int64)
    found = made.align(entities, zeros.astype(np.int8), items[entities], zeros, counts)
    own = items[entities].tolist()
    holds: dict[tuple[int, int], list[int]] = {}
    for head, number, tail, _ in sorted(known):
        if head != tail:
            holds.setdefault((head, tail), []).append(number)
    expected = [(i, j, p) for i, h in enumerate(own) for j, t in enumerate(own) for p in holds.get((h, t), ())]
    columns = (found.head, found.tail, found.property)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected
    assert counts["pairs.found"] == 600 * 599 > MOST_PAIRS


TRIPLE = st.tuples(st.integers(0, 5), st.sampled_from([1, 2]), st.integers(0, 5), st.integers(0, 1))
MENTION = st.tuples(st.integers(1, 7), st.integers(0, 2), st.integers(0, 3))  # entity, source, sentence


@given(
    st.lists(TRIPLE, max_size=40, unique_by=lambda t: t[:3]),
    st.lists(MENTION, max_size=20),
    st.lists(st.integers(-1, 5), min_size=8, max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_relations_are_those_of_a_plain_loop(
    known: list[tuple[int, int, int, int]],
    mentions: list[tuple[int, int, int]],
    items: list[int],
    subject: bool,
    unk: bool,
) -> None:
    mentions = sorted(mentions, key=lambda m: m[2])
    config = RelationsConfig(subject_relations=subject, unk_relations=unk)
    entities, sources, sentence = (np.array(c, np.int64) for c in np.array(mentions).reshape(-1, 3).T)
    made = Aligner(triples(known), np.array(items), config, lambda title: int(title))
    titles = [str(i % 4 - 1) for i in range(int((entities == 1).sum()))]
    qids = made.items_of(entities.astype(np.int32), titles)
    counts: Counter[str] = Counter()
    found = made.align(entities.astype(np.int32), sources.astype(np.int8), qids, sentence, counts)
    of_unk = iter(titles)
    own = [(int(next(of_unk)) if unk else items[1]) if e == 1 else items[e] for e, _, _ in mentions]
    assert qids.tolist() == own
    expected, pairs = [], Counter[str]()
    for i, (head, head_source, a) in enumerate(mentions):
        for j, (tail, tail_source, b) in enumerate(mentions):
            if i == j or a != b:
                continue
            pairs["pairs.found"] += 1
            if not unk and 1 in (head, tail):
                pairs["pairs.dropped.unk"] += 1
            elif not subject and 2 in (head_source, tail_source):
                pairs["pairs.dropped.subject"] += 1
            elif -1 in (own[i], own[j]):
                pairs["pairs.dropped.no_item"] += 1
            elif own[i] == own[j]:
                pairs["pairs.dropped.same_entity"] += 1
            else:
                holds = sorted((p, r) for h, p, t, r in known if (h, t) == (own[i], own[j]))
                pairs["pairs.related" if holds else "pairs.unrelated"] += 1
                expected += [(i, j, p, r, max(head_source, tail_source)) for p, r in holds]
    columns = (found.head, found.tail, found.property, found.rank, found.source)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected
    assert {k: n for k, n in counts.items() if n and k.startswith("pairs")} == dict(pairs)
    assert counts["relations.found"] == len(expected)
