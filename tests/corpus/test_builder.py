"""Records: equal to the rules said slowly, spans decode to their mentions, sums close, limits hold."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import naive_records
from naive_tokens import byte_level, metaspace, whitespace_pieces
from test_tokenizers import TEXTS, unigram, word_piece
from tokenizers import Tokenizer

from wikiprep.config import RecordsConfig
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.corpus.schema import record_schema
from wikiprep.corpus.tokenizers import load_tokenizer, plain_copy, train_tokenizer
from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.errors import UsageError
from wikiprep.wikitext.article import Link, Paragraph, ParagraphKind
from wikiprep.wikitext.extract import extract

CONFIG = RecordsConfig(text=True)
Row = dict[str, Any]


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return train_tokenizer(TEXTS, 400)


def entity(target: str) -> int | None:
    return None if target.startswith("?") else 3 + sum(target.encode()) % 100


def prose(text: str, *mentions: str, kind: ParagraphKind = "prose", section: tuple[str, ...] = ()) -> Paragraph:
    links, at = [], 0
    for mention in mentions:
        start = text.index(mention, at)
        at = start + len(mention)
        links.append(Link(start, at, mention.strip()))
    return Paragraph(section, kind, 0, text, tuple(links))


def page(*paragraphs: Paragraph, number: int = 1) -> ArticleRow:
    return ArticleRow(number, 10 + number, None, f"Page {number}", f"Q{number}", paragraphs=list(paragraphs))


def build(
    tokenizer: Tokenizer, rows: list[ArticleRow], config: RecordsConfig = CONFIG, language: str = "en", **options: Any
) -> tuple[list[Row], Counter[str]]:
    builder = RecordBuilder(tokenizer, language, config, entity, **options)
    batch = builder.build(article_batch(rows))
    batch.validate(full=True)
    assert batch.schema.equals(record_schema(config.text), check_metadata=True)
    check_sums(builder.counts)
    found = batch.to_pylist()
    for row in found:
        check_record(row, tokenizer, config)
    assert sum(len(row["entity_ids"]) for row in found) == builder.counts["links.entity"] + builder.counts["links.unk"]
    return found, builder.counts


def check_sums(counts: Counter[str]) -> None:
    for thing, kept in (
        ("paragraphs", ["kept"]),
        ("sentences", ["kept"]),
        ("links", ["entity", "unk"]),
        ("records", ["written"]),
    ):
        dropped = sum(count for key, count in counts.items() if key.startswith(f"{thing}.dropped."))
        assert counts[f"{thing}.found"] == sum(counts[f"{thing}.{key}"] for key in kept) + dropped, (thing, counts)


def check_record(row: Row, tokenizer: Tokenizer, config: RecordsConfig) -> None:
    ids, starts, ends = row["word_ids"], row["entity_starts"], row["entity_ends"]
    assert 0 < len(ids) <= config.max_seq_length - 2
    assert len(starts) == len(ends) == len(row["entity_ids"]) == len(row["entity_sources"]) <= config.max_entity_length
    assert all(0 <= a < b <= len(ids) and b - a <= config.max_mention_length for a, b in zip(starts, ends, strict=True))
    assert all(b <= a for b, a in zip(ends, starts[1:], strict=False))
    sentences = row["sentence_starts"]
    assert sentences[0] == 0 and sorted(set(sentences)) == sentences and sentences[-1] < len(ids)
    assert not any(a < s < b for s in sentences for a, b in zip(starts, ends, strict=True))
    if config.text:
        assert row["text"] == " ".join(row["text"].split())
        for a, b, c, d in zip(starts, ends, row["entity_char_starts"], row["entity_char_ends"], strict=True):
            assert decode(tokenizer, ids[a:b]) == row["text"][c:d]
        for a, b, c, d in zip(
            sentences,
            [*sentences[1:], len(ids)],
            row["sentence_char_starts"],
            [*row["sentence_char_starts"][1:], len(row["text"])],
            strict=True,
        ):
            assert decode(tokenizer, ids[a:b]) == row["text"][c:d].strip()
        assert decode(tokenizer, ids) == row["text"]


def decode(tokenizer: Tokenizer, ids: list[int]) -> str:
    text: str = tokenizer.decode(ids, skip_special_tokens=False)
    return text.strip()


def columns(row: Row) -> tuple[list[int], ...]:
    return tuple(row[name] for name in ("word_ids", "sentence_starts", "entity_ids", "entity_starts", "entity_ends"))


samples = [
    "The house ",
    "stands. ",
    "It's ",
    "3.5 m ",
    "river",
    "rivers ",
    "x. Y",
    " (twice)",
    "! ",
    "東京。",
    "😀",
    "  ",
]
pieces = st.sampled_from([*samples, "\n", "é", "\xa0", "<s>", ". "])


@st.composite
def paragraphs(draw: st.DrawFn) -> Paragraph:
    text, links = "", []
    for _ in range(draw(st.integers(0, 8))):
        piece = draw(pieces)
        if draw(st.booleans()) and piece:
            links.append(Link(len(text), len(text) + len(piece), draw(st.sampled_from(["River", "House", "?none"]))))
        text += piece
    kind = draw(st.sampled_from(["prose", "prose", "quote", "list_item", "definition", "table"]))
    return Paragraph(draw(st.sampled_from([(), ("History",)])), kind, 0, text, tuple(links))


pages = st.lists(st.lists(paragraphs(), max_size=4).map(lambda p: page(*p)), min_size=1, max_size=3)
configs = st.builds(
    RecordsConfig,
    max_seq_length=st.integers(130, 300),
    max_entity_length=st.integers(1, 4),
    max_mention_length=st.integers(1, 6),
    min_sentence_length=st.integers(0, 6),
    abstract_only=st.booleans(),
    include_sentences_without_entities=st.booleans(),
    include_unk_entities=st.booleans(),
    lists=st.booleans(),
    sentence_records=st.booleans(),
    text=st.just(True),
)


@given(pages, configs, st.sampled_from(["en", "ja", "el"]), st.sampled_from([1, 100, 10**6]))
@settings(deadline=None, max_examples=120)
def test_equals_the_rules_said_slowly(
    small: Tokenizer, rows: list[ArticleRow], config: RecordsConfig, language: str, slice_bytes: int
) -> None:
    found, _ = build(small, rows, config, language, slice_bytes=slice_bytes)
    plain = byte_level(plain_copy(small))
    expected = [naive_records(row, plain, language, config, entity) for row in rows]
    assert [columns(row) for row in found] == [record for records in expected for record in records]
    assert [row["ordinal"] for row in found] == [n for records in expected for n in range(len(records))]


@given(pages, configs, st.integers(10, 40))
@settings(deadline=None, max_examples=60)
def test_splitting_loses_nothing(small: Tokenizer, rows: list[ArticleRow], config: RecordsConfig, longest: int) -> None:
    config = replace(config, max_seq_length=longest, min_sentence_length=0, include_sentences_without_entities=True)
    found, counts = build(small, rows, config)
    wide, _ = build(small, rows, replace(config, max_seq_length=30_000))
    assert [i for row in found for i in row["word_ids"]] == [i for row in wide for i in row["word_ids"]]
    assert counts["sentences.found"] == counts["sentences.kept"]


def test_link_across_a_break_joins_the_sentences(small: Tokenizer) -> None:
    paragraph = prose("He saw Who Is There? The End at home. It was the house.", "Who Is There? The End")
    (row,), counts = build(small, [page(paragraph)])
    assert counts["sentences.joined"] == 1 and counts["sentences.found"] == 2
    assert len(row["sentence_starts"]) == 2
    assert row["text"][row["entity_char_starts"][0] : row["entity_char_ends"][0]] == "Who Is There? The End"


def test_leading_spaces(shared_data: Path) -> None:
    roberta = load_tokenizer(shared_data / "tokenizers/roberta-base")
    paragraph = prose(
        "Apple and apple-trees (trees) areNew York's best.", "Apple", "apple", "trees", "trees", "New York"
    )
    (row,), _ = build(roberta, [page(paragraph)])
    tokens = [roberta.id_to_token(i) for i in row["word_ids"]]
    spans = [tokens[a:b] for a, b in zip(row["entity_starts"], row["entity_ends"], strict=True)]
    assert spans == [["ĠApple"], ["Ġapple"], ["t", "rees"], ["t", "rees"], ["New", "ĠYork"]]
    assert tokens[row["entity_ends"][4]] == "'s"


def test_special_tokens_in_text_stay_text(small: Tokenizer) -> None:
    (row,), _ = build(small, [page(prose("The tag <s> and the <mask> of the house are text.", "<mask>"))])
    assert not {0, 1, 2, 3, small.token_to_id("<mask>")} & set(row["word_ids"])


def test_reasons_are_counted(small: Tokenizer) -> None:
    text = "The house stands by the river, and the river doesn't stop for the house."
    long = "house stands by the river, and the river doesn't stop for the house"
    rows = [
        page(
            prose(text, "house", kind="table"),
            prose(text, "house", kind="list_item"),
            prose(text, "river", section=("History",)),
            Paragraph((), "prose", 0, text, (Link(5, 5, "a"), Link(-1, 3, "b"), Link(70, 99, "c"))),
            Paragraph((), "prose", 0, text, (Link(3, 4, "blank"), Link(4, 9, "?no"))),
            Paragraph((), "prose", 0, text, (Link(4, 9, "yes"), Link(8, 11, "over"))),
            Paragraph((), "prose", 0, text, (Link(4, 4 + len(long), "long"),)),
            prose("A.", "A"),
            prose(text, "house", "river", "river", "stop"),
        )
    ]
    config = RecordsConfig(
        lists=False,
        abstract_only=True,
        include_unk_entities=False,
        max_entity_length=3,
        max_mention_length=10,
        text=True,
    )
    _, counts = build(small, rows, config)
    dropped = {key.removeprefix("links.dropped."): n for key, n in counts.items() if key.startswith("links.dropped.")}
    assert dropped == {
        "paragraph_kind": 1,
        "list": 1,
        "not_abstract": 1,
        "bad_span": 3,
        "blank": 1,
        "outside_vocabulary": 1,
        "overlap": 1,
        "mention_too_long": 1,
        "sentence_too_short": 1,
        "too_many_in_record": 2,
    }
    assert counts["links.entity"] == 3
    assert counts["sentences.dropped.short"] == 1
    assert counts["paragraphs.dropped.list"] == counts["paragraphs.dropped.not_abstract"] == 1


def test_outside_links_become_unk(small: Tokenizer) -> None:
    paragraph = Paragraph((), "prose", 0, "The house stands by the river.", (Link(4, 9, "?x"), Link(24, 29, "River")))
    (row,), counts = build(small, [page(paragraph)])
    assert row["entity_ids"] == [1, entity("River")]
    assert counts["links.unk"] == counts["links.entity"] == 1


def test_page_columns(small: Tokenizer) -> None:
    rows = [page(prose("The house stands by the river.", "house"), number=n) for n in (7, 8)]
    rows[1] = replace(rows[1], page_id=None, revision_id=None, qid=None)
    found, _ = build(small, rows)
    assert [(r["page_id"], r["revision_id"], r["title"], r["qid"], r["ordinal"]) for r in found] == [
        (7, 17, "Page 7", "Q7", 0),
        (None, None, "Page 8", None, 0),
    ]


@pytest.mark.parametrize("texts", [None, [], ["", " \n"], ["The house stands here now."]])
def test_nothing_to_write(small: Tokenizer, texts: list[str] | None) -> None:
    rows = [] if texts is None else [page(*[prose(text) for text in texts])]
    found, counts = build(small, rows)
    assert found == []
    assert counts["records.written"] == 0


@pytest.mark.parametrize(("make", "kind"), [(unigram, metaspace), (word_piece, whitespace_pieces)])
def test_other_tokenizers(make: Any, kind: Any) -> None:
    tokenizer = make()
    paragraphs = [prose(TEXTS[0], "the"), prose("river-house and house.", "house")]
    rows = [page(*paragraphs, number=number) for number in (1, 2)]
    builder = RecordBuilder(tokenizer, "en", RecordsConfig(max_seq_length=12), entity)
    found = builder.build(article_batch(rows)).to_pylist()
    check_sums(builder.counts)
    assert found and all(len(row["word_ids"]) <= 10 for row in found)
    assert builder.counts["sentences.split"] > 0
    plain = kind(plain_copy(tokenizer))
    whole = RecordBuilder(tokenizer, "en", RecordsConfig(), entity).build(article_batch(rows)).to_pylist()
    expected = [record for row in rows for record in naive_records(row, plain, "en", RecordsConfig(), entity)]
    assert [columns(row) for row in whole] == expected


@pytest.mark.parametrize(
    "wrong", [{"max_seq_length": 2}, {"max_seq_length": 40_000}, {"max_entity_length": 0}, {"min_sentence_length": 511}]
)
def test_impossible_options(small: Tokenizer, wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        RecordBuilder(small, "en", replace(RecordsConfig(), **wrong), entity)


def test_real_paragraphs(shared_data: Path) -> None:
    roberta = load_tokenizer(shared_data / "tokenizers/roberta-base")
    pages: dict[str, list[Paragraph]] = {}
    for line in (shared_data / "luke/golden-3pages/paragraphs.jsonl").read_text(encoding="utf-8").splitlines():
        if "text" in (entry := json.loads(line)):
            links = tuple([Link(x["start"], x["end"], x["target"]) for x in entry["links"]])
            section = () if entry["abstract"] else ("Body",)
            pages.setdefault(entry["title"], []).append(Paragraph(section, "prose", 0, entry["text"], links))
    rows = [ArticleRow(None, None, None, title, paragraphs=paragraphs) for title, paragraphs in pages.items()]
    found, counts = build(roberta, rows)
    plain = byte_level(plain_copy(roberta))
    expected = [record for row in rows for record in naive_records(row, plain, "en", CONFIG, entity)]
    assert [columns(row) for row in found] == expected
    assert counts["links.entity"] == 243


@pytest.mark.parametrize(("dump", "language"), [("enwiki-27pages-longarticles", "en"), ("simplewiki-7pages", "simple")])
def test_real_articles(shared_data: Path, dump: str, language: str) -> None:
    roberta = load_tokenizer(shared_data / "tokenizers/roberta-base")
    parts = find_parts([str(shared_data / "dumps" / f"{dump}.xml.bz2")])
    site = Site.of(parts[0].siteinfo)
    rows = []
    for piece in plan_ranges(parts, 10**9):
        for found in RangeReader(piece, site.siteinfo):
            if isinstance(found, Page) and found.namespace == 0 and found.redirect is None:
                paragraphs = extract(found.text, found.title, site).paragraphs
                rows.append(ArticleRow(found.page_id, None, None, found.title, paragraphs=paragraphs))
    for config in (CONFIG, replace(CONFIG, max_seq_length=60, min_sentence_length=0)):
        records, counts = build(roberta, rows, config, language)
        assert len(records) > len(rows) / 2
        assert counts["links.entity"] > 0.8 * counts["links.found"]


SHARD = """
import sys
from test_builder import entity, page, prose
from test_tokenizers import TEXTS
from wikiprep.config import RecordsConfig
from wikiprep.corpus.articles import article_batch
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.corpus.shards import ShardWriter
from wikiprep.corpus.tokenizers import train_tokenizer
builder = RecordBuilder(train_tokenizer(TEXTS, 400), "en", RecordsConfig(text=True, max_seq_length=20), entity)
writer = ShardWriter(sys.argv[1], builder.schema)
for number in range(3):
    writer.write(builder.build(article_batch([page(prose(TEXTS[0], "house", "river"), number=number)])))
writer.close()
"""


def test_bytes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    contents = set()
    for seed, locale in (("0", "C"), ("7", "tr_TR.UTF-8")):
        path = tmp_path / seed
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONUTF8": "0"}
        subprocess.run([sys.executable, "-c", SHARD, str(path)], check=True, env=env, cwd=Path(__file__).parent)
        contents.add(path.read_bytes())
    assert len(contents) == 1
