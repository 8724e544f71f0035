"""Records with added spans: links come first, sums close, and without any spans they are as they were."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_builder import Row, check_record, check_sums, entity, page, prose
from test_tokenizers import TEXTS
from tokenizers import Tokenizer

from wikiprep.config import RecordsConfig
from wikiprep.corpus.article_arrays import FlatArticles
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.corpus.spans import DENSIFIED, LINK, SUBJECT, AddedSpans
from wikiprep.corpus.tokenizers import train_tokenizer

CONFIG = RecordsConfig(text=True, min_sentence_length=1)


class Adds:
    """Adds a span for each (text, target, source, late) wherever that text stands in a chosen paragraph, no link."""

    def __init__(self, *spans: tuple[str, str, int, bool]) -> None:
        self.spans = spans

    def added(self, flat: FlatArticles, chosen: np.ndarray, counts: Counter[str]) -> AddedSpans:
        rows = []
        for number in np.flatnonzero(chosen).tolist():
            text = flat.texts[number].as_py()
            mine = flat.link_paragraph == number
            linked = list(zip(flat.link_starts[mine].tolist(), flat.link_ends[mine].tolist(), strict=True))
            reached = 0
            for start in range(len(text)):
                for place, (name, _, source, late) in enumerate(self.spans):
                    end = start + len(name)
                    free = all(end <= low or start >= high for low, high in linked)
                    if text[start:end] == name and free and start >= reached:
                        rows.append((number, start, end, place, source, late))
                        reached = end
        columns = np.array(rows, np.int64).reshape(-1, 6).T
        targets = [target for _, target, _, _ in self.spans]
        return AddedSpans(*columns[:4], columns[4].astype(np.int8), columns[5].astype(bool), targets)


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return train_tokenizer(TEXTS, 400)


def build(
    tokenizer: Tokenizer, rows: list[ArticleRow], adds: Adds | None, config: RecordsConfig = CONFIG
) -> tuple[list[Row], Counter[str]]:
    builder = RecordBuilder(tokenizer, "en", config, entity, adds)
    found = builder.build(article_batch(rows)).to_pylist()
    counts = builder.counts
    check_sums(counts)
    assert counts["added.found"] == sum(
        n
        for key, n in counts.items()
        if key in ("added.densified", "added.subject") or key.startswith("added.dropped.")
    )
    for row in found:
        check_record(row, tokenizer, config)
    sources = [source for row in found for source in row["entity_sources"]]
    assert sources.count(LINK) == counts["links.entity"] + counts["links.unk"]
    assert sources.count(DENSIFIED) == counts["added.densified"]
    assert sources.count(SUBJECT) == counts["added.subject"]
    return found, counts


def spans(row: Row) -> list[tuple[str, int]]:
    return [
        (row["text"][start:end], source)
        for start, end, source in zip(
            row["entity_char_starts"], row["entity_char_ends"], row["entity_sources"], strict=True
        )
    ]


def test_links_and_added_spans_stand_in_order_with_their_sources(small: Tokenizer) -> None:
    rows = [page(prose("The cat saw a dog. The dog saw the cat and the cat ran.", "cat", "dog"))]
    (row,), counts = build(small, rows, Adds(("cat", "cat", DENSIFIED, True), ("ran", "Page 1", SUBJECT, True)))
    assert spans(row) == [("cat", 0), ("dog", 0), ("cat", 1), ("cat", 1), ("ran", 2)]
    assert row["entity_ids"] == [entity(t) for t in ("cat", "dog", "cat", "cat", "Page 1")]
    assert counts["added.found"] == 3


def test_spans_without_an_entity_or_before_the_link_are_dropped_by_reason(small: Tokenizer) -> None:
    rows = [page(prose("The cat saw a dog and ran.", "cat"))]
    _, counts = build(small, rows, Adds(("dog", "?none", DENSIFIED, True), ("ran", "x", DENSIFIED, False)))
    assert counts["added.dropped.outside_vocabulary"] == 1
    assert counts["added.dropped.before_first_link"] == 1
    assert counts["links.entity"] == 1


def test_a_full_record_keeps_its_links(small: Tokenizer) -> None:
    config = RecordsConfig(text=True, min_sentence_length=1, max_entity_length=3)
    rows = [page(prose("cat cat cat dog dog ran.", "dog", "dog"))]
    (row,), counts = build(small, rows, Adds(("cat", "cat", DENSIFIED, True)), config)
    assert spans(row) == [("cat", 1), ("dog", 0), ("dog", 0)]
    assert counts["added.dropped.too_many_in_record"] == 2


def test_an_added_span_makes_a_record_worth_keeping(small: Tokenizer) -> None:
    rows = [page(prose("No link is here, but a cat."))]
    assert build(small, rows, None)[0] == []
    (row,), _ = build(small, rows, Adds(("cat", "cat", SUBJECT, True)))
    assert spans(row) == [("cat", 2)]


def test_nothing_to_add_changes_nothing(small: Tokenizer) -> None:
    rows = [page(prose("The cat saw a dog. It ran.", "cat", "dog")), page(prose("So it was."), number=2)]
    plain, counts = build(small, rows, None)
    assert build(small, rows, Adds())[0] == plain
    assert not any(key.startswith("added.") for key in counts)


texts = st.lists(st.sampled_from(["cat", "dog", "ran", "the", ".", "e\u0301", "東"]), max_size=30).map(" ".join)
names = st.sampled_from(["cat", "dog ran", "the", "東", "?"])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(texts, st.sets(st.sampled_from(["cat", "dog"]))), min_size=1, max_size=4),
    st.lists(st.tuples(names, names, st.sampled_from([DENSIFIED, SUBJECT]), st.booleans()), max_size=4),
    st.sampled_from([2, 128]),
)
def test_links_are_the_same_with_and_without(
    small: Tokenizer,
    paragraphs: list[tuple[str, set[str]]],
    wanted: list[tuple[str, str, int, bool]],
    most: int,
) -> None:
    config = RecordsConfig(
        text=True, min_sentence_length=1, max_entity_length=most, include_sentences_without_entities=True
    )
    rows = [page(*[prose(text, *[m for m in sorted(links) if m in text][:1]) for text, links in paragraphs])]
    plain, dense = (build(small, rows, adds, config)[0] for adds in (None, Adds(*wanted)))
    assert "".join(row["text"] for row in dense) == "".join(row["text"] for row in plain)
    links = [[name for row in made for name, source in spans(row) if source == LINK] for made in (plain, dense)]
    assert links[0] == links[1]
