"""Ids of the chunk memo are the tokenizer's own; so are those of the generic path."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_tokenizers import TEXTS, unigram, word_piece
from tokenizers import Tokenizer

from wikiprep.corpus.encode import ChunkEncoder, Encoder, PieceEncoder, make_encoder
from wikiprep.corpus.joined import Joined, join
from wikiprep.corpus.tokenizers import load_tokenizer, plain_copy, train_tokenizer

none = np.zeros(0, np.int64)
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
samples = ["don't", "I'LL", " 's", "'", "’s", "1,024", "٣٤", "½", "東京", "タワー", "😀👩\u200d👧", "e\u0301", "ﬁ"]
samples += ["\xa0", "\t", " ", "  ", "\n", "<s>", "<mask>", "Ġ", "ß", "İ", "\u200b", "\u180e", "\ufeff", "_", "--"]
samples += ["$5.00", "N\0L", "\u2029", "\U0001d49c", "กำ", "\x85"]
pieces = st.sampled_from(samples)
texts = st.lists(st.lists(pieces | anything, max_size=6).map("".join), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def roberta(shared_data: Path) -> tuple[Encoder, Tokenizer]:
    tokenizer = load_tokenizer(shared_data / "tokenizers" / "roberta-base")
    return ChunkEncoder(tokenizer, memo_chunks=50), plain_copy(tokenizer)


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return train_tokenizer(TEXTS, 400)


def paragraph_starts(joined: Joined) -> list[int]:
    edges = [*joined.separators.tolist(), len(joined.codes)]
    return [a + 1 for a, b in pairwise(edges) if b - a > 1]


def expected(joined: Joined, cuts: list[int], plain: Tokenizer) -> list[list[int]]:
    """Ids of what lies between two cuts, by the rule: a space before it where it follows one or starts a paragraph."""
    text, found = joined.text(), []
    for a, b in pairwise([*cuts, len(text)]):
        lead = text[a] in " \u2029" or text[a - 1] in " \u2029"
        body = text[a:b].strip(" \u2029")
        found.append(plain.encode(" " * lead + body, add_special_tokens=False).ids if body else [])
    return found


def check(encoder: Encoder, plain: Tokenizer, given_texts: list[str], data: st.DataObject) -> None:
    joined, _, _ = join(given_texts, none, none, none)
    starts = paragraph_starts(joined)
    inner = [p for p in range(1, len(joined.codes)) if joined.codes[p] != 0x2029]
    extra = data.draw(st.lists(st.sampled_from(inner), max_size=8)) if inner else []
    cuts = sorted({*starts, *extra})
    tokens = encoder.encode(joined, np.array(cuts, np.int64))
    wanted = expected(joined, cuts, plain)
    assert tokens.ids.tolist() == [number for ids in wanted for number in ids]
    places = [*tokens.at(np.array(cuts, np.int64)).tolist(), len(tokens.ids)]
    assert [b - a for a, b in pairwise(places)] == [len(ids) for ids in wanted]
    for unit in range(len(tokens.units)):
        for token, position in encoder.boundaries(joined, tokens, unit):
            assert tokens.first[unit] <= token < tokens.first[unit + 1]
            assert joined.codes[position] not in (0x20, 0x2029)


@given(texts, st.data())
@settings(deadline=None)
def test_memo_gives_the_tokenizers_ids(small: Tokenizer, given_texts: list[str], data: st.DataObject) -> None:
    encoder = make_encoder(small)
    assert isinstance(encoder, ChunkEncoder)
    check(encoder, plain_copy(small), given_texts, data)


@given(texts, st.data())
@settings(deadline=None)
def test_roberta_too(roberta: tuple[Encoder, Tokenizer], given_texts: list[str], data: st.DataObject) -> None:
    check(*roberta, given_texts, data)


@pytest.mark.parametrize("make", [unigram, word_piece])
def test_other_tokenizers(make: Callable[[], Tokenizer]) -> None:
    tokenizer = make()
    encoder, plain = make_encoder(tokenizer), plain_copy(tokenizer)
    assert isinstance(encoder, PieceEncoder)

    @given(texts, st.data())
    @settings(deadline=None, max_examples=50)
    def run(given_texts: list[str], data: st.DataObject) -> None:
        check(encoder, plain, given_texts, data)

    run()


def test_memo_of_any_size_gives_the_same_ids(small: Tokenizer) -> None:
    one, two = ChunkEncoder(small, memo_chunks=0), ChunkEncoder(small)
    for text in [*TEXTS[:4], *TEXTS[:4]]:
        joined, _, _ = join([text, text], none, none, none)
        cuts = np.array([*paragraph_starts(joined), len(joined.codes) - 3], np.int64)
        assert one.encode(joined, cuts).ids.tolist() == two.encode(joined, cuts).ids.tolist()


def test_vocabulary_without_all_bytes() -> None:
    from tokenizers import decoders, models, pre_tokenizers

    tokenizer = Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "ab": 2, "<unk>": 3}, merges=[("a", "b")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    joined, _, _ = join(["ab c ba"], none, none, none)
    tokens = ChunkEncoder(tokenizer).encode(joined, np.array([1], np.int64))
    assert tokens.ids.tolist() == [2, 1, 0]
    assert tokens.first.tolist() == [0, 1, 1, 3]


def test_nothing(small: Tokenizer) -> None:
    joined, _, _ = join([], none, none, none)
    for encoder in (ChunkEncoder(small), PieceEncoder(small)):
        tokens = encoder.encode(joined, none)
        assert len(tokens.ids) == 0 and tokens.first.tolist() == [0]


def test_boundaries_are_where_characters_start(small: Tokenizer) -> None:
    joined, _, _ = join(["x 😀東y"], none, none, none)
    tokens = (encoder := ChunkEncoder(small)).encode(joined, np.array([1], np.int64))
    plain = plain_copy(small)
    for token, position in encoder.boundaries(joined, tokens, 1):
        before = plain.decode(tokens.ids[:token].tolist())
        assert before.strip() == joined.text()[1:position].strip()
    assert [p for _, p in encoder.boundaries(joined, tokens, 1)] == [3, 4, 5]
