"""The published record rules: the golden files, an oracle on fuzzed paragraphs, and each rule by hand."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luke2020_oracle import page_records, slow_tokens
from tokenizers import Tokenizer

from wikiprep.config import RecordsConfig
from wikiprep.corpus.annotated_text import read_annotated, read_redirects
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.corpus.luke2020 import Luke2020Builder
from wikiprep.corpus.schema import record_schema
from wikiprep.corpus.tokenizers import load_tokenizer, train_tokenizer
from wikiprep.errors import UsageError
from wikiprep.tables.vocab_files import read_vocabulary
from wikiprep.wikitext.article import Link, Paragraph

CONFIG = RecordsConfig(include_unk_entities=False, compat="luke-2020")
VOCABULARY = {"[PAD]": 0, "[UNK]": 1, "[MASK]": 2, "Alpha": 3, "Beta": 4, "Category:Logic": 5}
REDIRECTS = {"A": "Alpha", "Two hops": "One hop", "One hop": "Beta"}
TEXT = "The quick brown fox met Mr. Smith in Alpha and Beta. It said that nobody's home was <mask> far from here!"


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """A small byte-level BPE with RoBERTa's special tokens."""
    return train_tokenizer([TEXT] * 3, 400)


def build(tokenizer: Tokenizer, paragraphs: list[Paragraph], config: RecordsConfig = CONFIG, **more: Any) -> Any:
    """(records as dicts, counts) of one page."""
    builder = Luke2020Builder(
        tokenizer, more.pop("language", "en"), config, VOCABULARY.get, lambda title: REDIRECTS.get(title, title)
    )
    row = ArticleRow(None, None, None, more.pop("title", "Page"), paragraphs=paragraphs)
    records = builder.build(article_batch([row])).to_pylist()
    check_sums(builder.counts)
    return records, builder.counts


def check_sums(counts: Counter[str]) -> None:
    for thing in ("links", "sentences", "paragraphs", "records"):
        parts = sum(n for key, n in counts.items() if key.startswith(f"{thing}.") and key != f"{thing}.found")
        assert parts == counts[f"{thing}.found"]


def json_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def paragraph(text: str, *links: tuple[str, str], section: tuple[str, ...] = ()) -> Paragraph:
    """A paragraph whose links are given as (target, surface), in the order of the text."""
    found = []
    at = 0
    for target, surface in links:
        start = text.index(surface, at)
        at = start + len(surface)
        found.append(Link(start, at, target))
    return Paragraph(section, "prose", 0, text, tuple(found))


def pieces(tokenizer: Tokenizer, record: Any) -> list[str]:
    """The texts of a record's mentions, with the space that the first token has."""
    spans = zip(record["entity_starts"], record["entity_ends"], strict=True)
    return [tokenizer.decode(record["word_ids"][s:e], skip_special_tokens=False) for s, e in spans]


# The published files


@pytest.mark.parametrize("suffix", ["", "-unk"])
def test_golden_pages_end_to_end(shared_data: Path, suffix: str) -> None:
    folder = shared_data / "luke" / "golden-3pages"
    tokenizer = load_tokenizer(shared_data / "tokenizers" / "roberta-base")
    vocabulary = {row.title: row.id for row in read_vocabulary(folder / f"vocab{suffix}.jsonl", "en")}
    titles = {row_id: title for title, row_id in vocabulary.items()}
    redirects = dict(read_redirects(folder / "paragraphs.jsonl"))
    header, *golden = json_lines(folder / f"records{suffix}.jsonl")
    config = replace(CONFIG, **header["options"])
    rows = list(read_annotated(folder / "paragraphs.jsonl", allow_empty_links=True))
    builder = Luke2020Builder(tokenizer, "en", config, vocabulary.get, lambda title: redirects.get(title, title))
    records = builder.build(article_batch(rows)).to_pylist()  # no rejects in it
    ours = [
        {
            "title": record["title"],
            "tokens": [tokenizer.id_to_token(i) for i in record["word_ids"]],
            "entities": [
                {"title": titles[entity], "start": start, "end": end}
                for entity, start, end in zip(
                    record["entity_ids"], record["entity_starts"], record["entity_ends"], strict=True
                )
            ],
        }
        for record in records
    ]
    assert len(golden) == 21
    assert sorted(ours, key=json.dumps) == sorted(golden, key=json.dumps)
    check_sums(builder.counts)


OPTIONS = [
    {},
    {"include_unk_entities": True},
    {"abstract_only": True, "include_unk_entities": True},
    {"max_seq_length": 64, "max_entity_length": 3},
    {"max_mention_length": 1, "min_sentence_length": 20},
    {"min_sentence_length": 0, "include_sentences_without_entities": True, "max_seq_length": 100},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_real_pages_under_other_options(shared_data: Path, options: dict[str, Any], language: str) -> None:
    folder = shared_data / "luke" / "golden-3pages"
    tokenizer = load_tokenizer(shared_data / "tokenizers" / "roberta-base")
    vocabulary = {row.title: row.id for row in read_vocabulary(folder / "vocab-unk.jsonl")}
    config = replace(CONFIG, **options)
    lines = json_lines(folder / "paragraphs.jsonl")
    pages: dict[str, list[Any]] = {}
    for line in lines[:-1]:
        pages.setdefault(line["title"], []).append(line)
    assert_like_oracle(tokenizer, pages, language, vocabulary, dict(lines[-1]["redirects"]), config)


def assert_like_oracle(
    tokenizer: Tokenizer,
    pages: dict[str, list[dict[str, Any]]],
    language: str,
    vocabulary: dict[str, int],
    redirects: dict[str, str],
    config: RecordsConfig,
) -> None:
    """The builder's records of JSON paragraphs are the oracle's."""
    rows = [
        ArticleRow(
            None,
            None,
            None,
            title,
            paragraphs=[
                Paragraph(
                    () if p["abstract"] else ("",),
                    "prose",
                    0,
                    p["text"],
                    tuple(Link(link["start"], link["end"], link["target"]) for link in p["links"]),
                )
                for p in paragraphs
            ],
        )
        for title, paragraphs in pages.items()
    ]
    builder = Luke2020Builder(tokenizer, language, config, vocabulary.get, lambda t: redirects.get(t, t))
    ours: dict[str, list[Any]] = {title: [] for title in pages}
    for record in builder.build(article_batch(rows)).to_pylist():
        assert record["ordinal"] == len(ours[record["title"]])
        spans = zip(record["entity_ids"], record["entity_starts"], record["entity_ends"], strict=True)
        ours[record["title"]].append((record["word_ids"], [(e, list(range(s, n))) for e, s, n in spans]))
    tokens = slow_tokens(tokenizer)
    for title, paragraphs in pages.items():
        assert ours[title] == page_records(paragraphs, tokens, language, vocabulary, redirects, config)
    check_sums(builder.counts)


# Fuzzed paragraphs

WORDS = [
    *TEXT.split(),
    "東京。",
    "😀",
    "e\u0301",
    "<s>",
    "</s>",
    "a.",
    "No.",
    "U.S.",
    "category:x",
    "Category:Logic",
    "\u200b",
]
GAPS = [" "] * 8 + ["", "", "  ", "\t", "\n", "\u00a0", "\u2029", "\x1c", "\x85"]
TARGETS = ["Alpha", "A", "Beta", "Two hops", "Category:Logic", "Nowhere"]


@st.composite
def json_paragraph(draw: st.DrawFn) -> dict[str, Any]:
    text = draw(st.sampled_from(["", "", " ", "\t"]))
    links = []
    for _ in range(draw(st.integers(0, 6))):
        for word in draw(st.lists(st.sampled_from(WORDS), max_size=6)):
            text += word + draw(st.sampled_from(GAPS))
        if draw(st.booleans()):
            surface = draw(
                st.sampled_from(["", " ", "Alpha", "Alpha ", " Beta", "fox met Mr.", "Category:x", "<mask>", "😀."])
            )
            links.append({"target": draw(st.sampled_from(TARGETS)), "start": len(text), "end": len(text + surface)})
            text += surface + draw(st.sampled_from(GAPS))
    return {"abstract": draw(st.booleans()), "text": text, "links": links}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(json_paragraph(), max_size=5), min_size=1, max_size=3),
    st.sampled_from(OPTIONS),
    st.sampled_from(["en", "ja"]),
)
def test_any_paragraphs(pages: list[list[dict[str, Any]]], options: dict[str, Any], language: str) -> None:
    config = replace(CONFIG, **{"max_seq_length": 40, **options})
    named = {f"Page {number}": page for number, page in enumerate(pages)}
    assert_like_oracle(FUZZ_TOKENIZER, named, language, VOCABULARY, REDIRECTS, config)


FUZZ_TOKENIZER = train_tokenizer([TEXT] * 3, 400)


# Each rule by hand


def test_redirects_are_followed_one_hop_only(tokenizer: Tokenizer) -> None:
    text = "The quick brown fox met Mr. Smith"
    records, counts = build(tokenizer, [paragraph(text, ("A", "quick"), ("Two hops", "fox"), ("One hop", "Smith"))])
    assert records[0]["entity_ids"] == [3, 4]
    assert counts["links.dropped.outside_vocabulary"] == 1


def test_category_links_are_blanked_only_where_the_text_says_category(tokenizer: Tokenizer) -> None:
    text = "Category:Logic The quick brown fox met the logic of Mr. Smith"
    records, counts = build(
        tokenizer, [paragraph(text, ("Category:Logic", "Category:Logic"), ("Category:Logic", "logic"))]
    )
    assert tokenizer.decode(records[0]["word_ids"]) == "  The quick brown fox met the logic of Mr. Smith"[1:]
    assert records[0]["entity_ids"] == [5]
    assert counts["links.dropped.category"] == 1


def test_adjoining_links_both_get_a_leading_space(tokenizer: Tokenizer) -> None:
    text = "The quick brown fox met (AlphaBeta) in home"
    records, _ = build(tokenizer, [paragraph(text, ("Alpha", "Alpha"), ("Beta", "Beta"))])
    assert pieces(tokenizer, records[0]) == ["Alpha", " Beta"]


def test_a_no_break_space_before_a_link_gives_no_leading_space(tokenizer: Tokenizer) -> None:
    text = "The quick brown fox met\u00a0Alpha and Beta"
    records, _ = build(tokenizer, [paragraph(text, ("Alpha", "Alpha"), ("Beta", "Beta"))])
    assert pieces(tokenizer, records[0]) == ["Alpha", " Beta"]


def test_a_mention_of_white_space_alone_is_kept_without_tokens(tokenizer: Tokenizer) -> None:
    text = "The quick brown fox met [ ] Mr. Smith"
    links = (Link(24, 24, "Beta"), Link(25, 26, "Alpha"))
    records, _ = build(tokenizer, [Paragraph((), "prose", 0, text, links)])
    assert records[0]["entity_ids"] == [4, 3]
    assert records[0]["entity_starts"] == records[0]["entity_ends"]


def test_a_link_across_a_sentence_break_loses_its_annotation_but_not_its_text(tokenizer: Tokenizer) -> None:
    text = "The quick brown fox met Alpha. It said that nobody was in Beta home"
    records, counts = build(tokenizer, [paragraph(text, ("Alpha", "Alpha. It said"), ("Beta", "Beta"))])
    assert pieces(tokenizer, records[0]) == [" Beta"]
    assert tokenizer.decode(records[0]["word_ids"]) == f" {text}"
    assert counts["links.dropped.crosses_sentence"] == 1


def test_a_link_into_the_white_space_at_the_end_is_not_in_the_sentence(tokenizer: Tokenizer) -> None:
    records, _ = build(
        tokenizer, [paragraph("The quick brown fox met Mr. Smith ", ("Alpha", "fox"), ("Beta", "Smith "))]
    )
    assert records[0]["entity_ids"] == [3]


def test_characters_beyond_the_bmp_do_not_shift_offsets(tokenizer: Tokenizer) -> None:
    text = "😀😀 The quick brown fox met Alpha. 😀 It said that Beta was home."
    records, _ = build(tokenizer, [paragraph(text, ("Alpha", "Alpha"), ("Beta", "Beta"))])
    assert pieces(tokenizer, records[0]) == [" Alpha", " Beta"]
    assert tokenizer.decode(records[0]["word_ids"]) == f" {text}"


def test_long_mentions_keep_their_first_positions(tokenizer: Tokenizer) -> None:
    text = "It said that The quick brown fox met Mr. Smith"
    records, _ = build(
        tokenizer, [paragraph(text, ("Alpha", "quick brown fox met"))], replace(CONFIG, max_mention_length=2)
    )
    assert records[0]["entity_ends"][0] - records[0]["entity_starts"][0] == 2


def test_short_and_long_sentences_go_with_their_links(tokenizer: Tokenizer) -> None:
    short, long = paragraph("Alpha.", ("Alpha", "Alpha")), paragraph("fox " * 31, ("Beta", "fox"))
    middle = paragraph("The quick brown fox met Mr. Smith", ("Alpha", "fox"))
    records, counts = build(tokenizer, [short, long, middle], replace(CONFIG, max_seq_length=32))
    assert len(records) == 1
    assert (counts["sentences.dropped.short"], counts["sentences.dropped.long"]) == (1, 1)
    assert (counts["links.dropped.sentence_too_short"], counts["links.dropped.sentence_too_long"]) == (1, 1)


def test_packing_crosses_paragraphs_and_sections_and_fills_the_limit_exactly(tokenizer: Tokenizer) -> None:
    ten = paragraph("fox " * 10, ("Alpha", "fox"))
    in_section = replace(ten, section=("History",))
    records, _ = build(tokenizer, [ten, in_section, ten], replace(CONFIG, max_seq_length=22))
    assert [len(r["word_ids"]) for r in records] == [20, 10]
    assert [r["ordinal"] for r in records] == [0, 1]
    assert records[0]["sentence_starts"] == [0, 10]


def test_a_record_without_mentions_is_dropped_unless_asked_for(tokenizer: Tokenizer) -> None:
    page = [paragraph("fox " * 10), paragraph("fox " * 10, ("Alpha", "fox"))]
    config = replace(CONFIG, max_seq_length=12)
    records, counts = build(tokenizer, page, config)
    assert [r["ordinal"] for r in records] == [0]
    assert counts["records.dropped.no_entity"] == 1
    records, _ = build(tokenizer, page, replace(config, include_sentences_without_entities=True))
    assert len(records) == 2


def test_mentions_past_the_limit_lose_their_annotation(tokenizer: Tokenizer) -> None:
    page = [paragraph("fox " * 10, *[("Alpha", "fox")] * 10)]
    records, counts = build(tokenizer, page, replace(CONFIG, max_entity_length=4))
    assert len(records[0]["entity_ids"]) == 4
    assert len(records[0]["word_ids"]) == 10
    assert counts["links.dropped.too_many_in_record"] == 6


def test_abstract_only_takes_paragraphs_before_the_first_heading(tokenizer: Tokenizer) -> None:
    lead, body = paragraph("fox " * 10, ("Alpha", "fox")), paragraph("fox " * 9, ("Beta", "fox"), section=("",))
    records, _ = build(tokenizer, [lead, body], replace(CONFIG, abstract_only=True))
    assert [r["entity_ids"] for r in records] == [[3]]


@pytest.mark.parametrize("title", ["File:Fox.jpg", "category:Foxes", "IMAGE:x"])
def test_pages_of_files_and_categories_make_no_records(tokenizer: Tokenizer, title: str) -> None:
    records, counts = build(tokenizer, [paragraph("fox " * 10, ("Alpha", "fox"))], title=title)
    assert records == []
    assert counts["pages.dropped.namespace"] == 1


def test_text_columns_point_at_the_mentions(tokenizer: Tokenizer) -> None:
    page = [
        paragraph("The quick brown fox met Alpha. It said that Beta was home. ", ("Alpha", "Alpha"), ("Beta", "Beta"))
    ] * 2
    records, _ = build(tokenizer, page, replace(CONFIG, text=True))
    (record,) = records
    spans = zip(record["entity_char_starts"], record["entity_char_ends"], strict=True)
    assert [record["text"][s:e] for s, e in spans] == ["Alpha", "Beta"] * 2
    assert [record["text"][s : s + 3] for s in record["sentence_char_starts"]] == ["The", "It ", "The", "It "]


def test_a_batch_without_pages_gives_a_batch_of_the_schema(tokenizer: Tokenizer) -> None:
    builder = Luke2020Builder(tokenizer, "en", CONFIG, VOCABULARY.get)
    batch = builder.build(article_batch([]))
    assert batch.schema == record_schema()
    assert batch.num_rows == 0
    assert isinstance(batch, pa.RecordBatch)


def test_a_limit_that_positions_cannot_hold_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(UsageError, match="max_seq_length"):
        Luke2020Builder(tokenizer, "en", replace(CONFIG, max_seq_length=40_000), VOCABULARY.get)
