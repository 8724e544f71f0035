"""A text becomes the record that a build makes of it, and each token knows where it stands."""

from pathlib import Path

import numpy as np
import pytest
from inline import rows

from wikiprep.corpus.encoder_choice import make_encoder
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.pretrain.luke.text import encode
from wikiprep.pretrain.trained import BadText, MarkedText


def test_ids_and_mentions_are_those_of_the_build(sample_corpus: Path) -> None:
    encoder = make_encoder(load_tokenizer(sample_corpus / "tokenizer" / "tokenizer.json"))
    tried = 0
    for row in rows(sample_corpus, "records")[::5]:
        spans = list(zip(row["entity_char_starts"], row["entity_char_ends"], strict=True))
        made = encode(MarkedText(row["text"], tuple(spans), (None,) * len(spans)), encoder).record
        assert made.word_ids.tolist() == row["word_ids"]
        assert made.entity_starts.tolist() == row["entity_starts"]
        assert made.entity_ends.tolist() == row["entity_ends"]
        tried += len(spans)
    assert tried > 50


@pytest.mark.parametrize("text", ["  Zürich  and\n\tRome ", "東京 is 𐍈𐍈 far", "a", "Œuvre—no. (yes) "])
def test_tokens_stand_where_their_letters_do(text: str, sample_corpus: Path) -> None:
    tokenizer = load_tokenizer(sample_corpus / "tokenizer" / "tokenizer.json")
    encoder = make_encoder(tokenizer)
    made = encode(MarkedText(text), encoder)
    starts, ends = made.token_spans(encoder)
    assert len(starts) == len(made.record.word_ids)
    assert (starts < ends).all() and (np.diff(starts) >= 0).all()
    assert all(
        not text[start].isspace() and not text[end - 1].isspace() for start, end in zip(starts, ends, strict=True)
    )
    covered = {place for start, end in zip(starts, ends, strict=True) for place in range(start, end)}
    assert {place for place, letter in enumerate(text) if not letter.isspace()} <= covered
    for token, start, end in zip(made.record.word_ids, starts, ends, strict=True):
        said = tokenizer.decode([int(token)]).strip()
        assert said == text[start:end] or not text[start:end].isascii()  # a token may be a part of a letter


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        (MarkedText("  "), "no text"),
        (MarkedText(""), "no text"),
        (MarkedText("a  b", ((1, 3),), (None,)), "mention 1 is empty"),
    ],
)
def test_what_has_no_tokens(marked: MarkedText, said: str, sample_corpus: Path) -> None:
    encoder = make_encoder(load_tokenizer(sample_corpus / "tokenizer" / "tokenizer.json"))
    with pytest.raises(BadText, match=said):
        encode(marked, encoder)
