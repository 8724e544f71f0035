"""Each encoder gives what the rule said slowly gives: tokens of a sentence in one piece, cut where mentions must."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_tokens import Kind, byte_level, metaspace, sentence_tokens, whitespace_pieces
from test_tokenizers import TEXTS, unigram, word_piece
from tokenizers import Tokenizer

from wikiprep.corpus.chunk_encoder import ChunkEncoder
from wikiprep.corpus.encoder import Encoder
from wikiprep.corpus.encoder_choice import make_encoder
from wikiprep.corpus.joined_text import JoinedText, join
from wikiprep.corpus.sentence_encoder import SentenceEncoder
from wikiprep.corpus.tokenizers import load_tokenizer, plain_copy, train_tokenizer

none = np.zeros(0, np.int64)
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
samples = ["don't", "I'LL", " 's", "'", "’s", "1,024", "٣٤", "½", "東京", "タワー", "😀👩\u200d👧", "e\u0301", "ﬁ"]
samples += ["\xa0", "\t", " ", "  ", "\n", "<s>", "<mask>", "Ġ", "ß", "İ", "\u200b", "\u180e", "\ufeff", "_", "--"]
samples += ["$5.00", "N\0L", "\u2029", "\U0001d49c", "กำ", "\x85", "”'s", "!'sa", "l're", "the", "house", "river", "▁"]
pieces = st.sampled_from(samples)
texts = st.lists(st.lists(pieces | anything, max_size=6).map("".join), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def roberta(shared_data: Path) -> tuple[Encoder, Tokenizer]:
    tokenizer = load_tokenizer(shared_data / "tokenizers" / "roberta-base")
    return ChunkEncoder(tokenizer, memo_chunks=50), plain_copy(tokenizer)


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return train_tokenizer(TEXTS, 400)


def paragraph_starts(joined: JoinedText) -> list[int]:
    edges = [*joined.separators.tolist(), len(joined.codes)]
    return [a + 1 for a, b in pairwise(edges) if b - a > 1]


def check(encoder: Encoder, kind: Kind, given_texts: list[str], data: st.DataObject) -> None:
    """Sentences and mentions anywhere: ids as the slow rule has them, a token at each bound, none that crosses one."""
    joined, _, _ = join(given_texts, none, none, none)
    starts = paragraph_starts(joined)
    inner = [p for p in range(1, len(joined.codes)) if joined.codes[p] != 0x2029]
    places = st.lists(st.sampled_from(inner), max_size=6)
    sentences = sorted({*starts, *(p for p in data.draw(places) if inner and joined.codes[p] != 0x20)}) if inner else []
    bounds = data.draw(places) if inner else []
    tokens = encoder.encode(joined, np.array(sentences, np.int64), np.array(bounds, np.int64))
    text = joined.text()
    for start, stop in pairwise([*sentences, len(text)]):
        stop = min(stop, (text + "\u2029").index("\u2029", start))
        first = text.rindex("\u2029", 0, start) + 1
        paragraph = text[first : (text + "\u2029").index("\u2029", start)]
        wanted = sentence_tokens(kind, paragraph, start - first, stop - first, [b - first for b in bounds])
        a, b = tokens.at(np.array([start, stop]))
        assert tokens.ids[a:b].tolist() == [number for number, _, _ in wanted], paragraph[start - first : stop - first]
        for bound in (b for b in bounds if start <= b <= stop):
            expected = sum(max(begin, 0) < bound - first for _, begin, end in wanted)
            spaced = bound > start and text[bound - 1] == " "
            lone = sum(begin == bound - first - 1 for _, begin, _ in wanted) if spaced else 0
            assert tokens.at(np.array([bound]))[0] - a == expected - lone
    for unit in range(len(tokens.units)):
        for token, position in encoder.boundaries(joined, tokens, unit):
            assert tokens.first[unit] <= token < tokens.first[unit + 1]
            assert joined.codes[position] not in (0x20, 0x2029)


@given(texts, st.data())
@settings(deadline=None, max_examples=100)
def test_memo_gives_the_tokenizers_ids(small: Tokenizer, given_texts: list[str], data: st.DataObject) -> None:
    encoder = make_encoder(small)
    assert isinstance(encoder, ChunkEncoder)
    check(encoder, byte_level(plain_copy(small)), given_texts, data)


@given(texts, st.data())
@settings(deadline=None)
def test_roberta_too(roberta: tuple[Encoder, Tokenizer], given_texts: list[str], data: st.DataObject) -> None:
    check(roberta[0], byte_level(roberta[1]), given_texts, data)


@given(texts, st.data())
@settings(deadline=None, max_examples=100)
def test_byte_level_by_sentences(small: Tokenizer, given_texts: list[str], data: st.DataObject) -> None:
    check(SentenceEncoder(small), byte_level(plain_copy(small)), given_texts, data)


@pytest.mark.parametrize(("make", "kind"), [(unigram, metaspace), (word_piece, whitespace_pieces)])
def test_other_tokenizers(make: Callable[[], Tokenizer], kind: Callable[[Tokenizer], Kind]) -> None:
    tokenizer = make()
    encoder = make_encoder(tokenizer)
    assert isinstance(encoder, SentenceEncoder)

    @given(texts, st.data())
    @settings(deadline=None, max_examples=100)
    def run(given_texts: list[str], data: st.DataObject) -> None:
        check(encoder, kind(plain_copy(tokenizer)), given_texts, data)

    run()


def test_memo_of_any_size_gives_the_same_ids(small: Tokenizer) -> None:
    one, two = ChunkEncoder(small, memo_chunks=0), ChunkEncoder(small)
    for text in [*TEXTS[:4], *TEXTS[:4]]:
        joined, _, _ = join([text, text], none, none, none)
        starts, bounds = np.array(paragraph_starts(joined)), np.array([len(joined.codes) - 3])
        assert one.encode(joined, starts, bounds).ids.tolist() == two.encode(joined, starts, bounds).ids.tolist()


def test_vocabulary_without_all_bytes() -> None:
    from tokenizers import decoders, models, pre_tokenizers

    tokenizer = Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "ab": 2, "<unk>": 3}, merges=[("a", "b")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    joined, _, _ = join(["ab c ba"], none, none, none)
    tokens = ChunkEncoder(tokenizer).encode(joined, np.array([1], np.int64), none)
    assert tokens.ids.tolist() == [2, 1, 0]
    assert tokens.first.tolist() == [0, 1, 1, 3]


def test_nothing(small: Tokenizer) -> None:
    joined, _, _ = join([], none, none, none)
    for encoder in (ChunkEncoder(small), SentenceEncoder(small)):
        tokens = encoder.encode(joined, none, none)
        assert len(tokens.ids) == 0 and tokens.first.tolist() == [0]


def test_boundaries_are_where_characters_start(small: Tokenizer) -> None:
    joined, _, _ = join(["x 😀東y"], none, none, none)
    tokens = (encoder := ChunkEncoder(small)).encode(joined, np.array([1], np.int64), none)
    plain = plain_copy(small)
    for token, position in encoder.boundaries(joined, tokens, 1):
        before = plain.decode(tokens.ids[:token].tolist())
        assert before.strip() == joined.text()[1:position].strip()
    assert [p for _, p in encoder.boundaries(joined, tokens, 1)] == [3, 4, 5]
