"""Words added to a tokenizer (not special) are tokens of their own in records; special ones are text."""

import numpy as np
import pytest
from test_tokenizer_kinds import KINDS, encoded
from test_tokenizers import TEXTS
from tokenizers import AddedToken, Tokenizer

from wikiprep.corpus.chunk_encoder import ChunkEncoder
from wikiprep.corpus.encoder_choice import make_encoder
from wikiprep.corpus.joined_text import join
from wikiprep.corpus.sentence_encoder import SentenceEncoder
from wikiprep.corpus.tokenizers import added_words, plain_copy, train_tokenizer

ADDED = [
    AddedToken("COVID-19"),
    AddedToken("<s2>", special=True),
    AddedToken("foo bar", lstrip=True),
    AddedToken("[X]", rstrip=True),
    AddedToken("zeta", single_word=True),
    AddedToken("Ünï", normalized=True),
    AddedToken("ÄB", normalized=False),
]
TEXT = "The COVID-19 house foo bar by [X] the zeta betazeta, ünï Ünï äb ÄB <s2>."


def with_words(tokenizer: Tokenizer) -> Tokenizer:
    for token in ADDED:
        (tokenizer.add_special_tokens if token.special else tokenizer.add_tokens)([token])
    return tokenizer


@pytest.fixture(params=["GPT-2", "Llama 3", "metaspace first", "NFKC", "BERT", "BERT cased"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return with_words(KINDS[request.param]())


def test_ids_stay_and_words_are_found(tokenizer: Tokenizer) -> None:
    plain = plain_copy(tokenizer)
    assert set(added_words(tokenizer)) == {token.content for token in ADDED if not token.special}
    for token in ADDED:
        number = None if token.special else tokenizer.token_to_id(token.content)
        assert plain.token_to_id(token.content) == number
    ids, _ = encoded(tokenizer, TEXT, [])
    lead = " " if "ByteLevel" in tokenizer.to_str() else ""
    assert ids == plain.encode(lead + TEXT, add_special_tokens=False).ids
    of = tokenizer.token_to_id
    assert [ids.count(of(word)) for word in ("COVID-19", "foo bar", "[X]", "zeta", "ÄB")] == [1] * 5
    assert ids.count(of("Ünï")) == (
        2 if 'lowercase":true' in tokenizer.to_str() else 1
    )  # case went before it was found
    assert of("<s2>") not in ids


def test_mentions_of_and_inside_words(tokenizer: Tokenizer) -> None:
    of = tokenizer.token_to_id
    start, inside = TEXT.index("COVID"), TEXT.index("bar")
    ids, places = encoded(tokenizer, TEXT, [(start, start + 8), (inside, inside + 3)])
    (first, last), (one, other) = places
    assert of("COVID-19") in ids[first:last] and of("foo bar") not in ids  # a mention needs the half of it
    assert one < other
    assert [ids.count(of(word)) for word in ("[X]", "zeta")] == [1, 1]


def test_half_a_word_is_no_single_word() -> None:
    tokenizer = with_words(KINDS["GPT-2"]())
    text = "betazeta"
    ids, ((first, last),) = encoded(tokenizer, text, [(4, 8)])
    assert first < last and tokenizer.token_to_id("zeta") not in ids


def test_the_memo_of_chunks_has_them_too() -> None:
    tokenizer = with_words(train_tokenizer(TEXTS, 400))
    fast, slow = make_encoder(tokenizer), SentenceEncoder(tokenizer)
    assert isinstance(fast, ChunkEncoder)
    none = np.zeros(0, np.int64)
    joined, _, _ = join([TEXT, TEXTS[0], TEXTS[3] + "foo bar", TEXT], none, none, none)
    text = joined.text()
    starts = np.array([1, text.index("by"), *(joined.separators[1:] + 1)], np.int64)
    bounds = np.array([text.index("bar"), text.index("19"), text.index("house"), text.index("日"), 5], np.int64)
    one, other = (encoder.encode(joined, starts, bounds) for encoder in (fast, slow))
    assert one.ids.tolist() == other.ids.tolist()
    assert one.at(np.append(starts, bounds)).tolist() == other.at(np.append(starts, bounds)).tolist()
    assert tokenizer.token_to_id("foo bar") in one.ids
