"""A mention's name from its tokens: the same wherever it stands, whatever kind of tokenizer."""

import numpy as np
from building import TOKENIZER
from tokenizers import Tokenizer, models

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.pretrain.baselines.prior import names_of, pieces_of


def of_tokens(tokenizer: Tokenizer, *names: list[int]) -> list[str]:
    ends = np.cumsum([len(name) for name in names])
    tokens = np.array([number for name in names for number in name], np.int32)
    made: list[str] = names_of(pieces_of(tokenizer), tokens, ends - [len(name) for name in names], ends).to_pylist()
    return made


def test_byte_level_names_lose_the_space_before_them_alone() -> None:
    tokenizer = load_tokenizer(TOKENIZER)
    texts = ["Oslo", " Oslo", " New York", "New York", " oslo", " Zürich"]
    found = of_tokens(tokenizer, *[tokenizer.encode(text, add_special_tokens=False).ids for text in texts])
    assert found[0] == found[1] == "Oslo"
    assert found[2] == found[3] == "NewĠYork"
    assert found[4] == "oslo"
    assert len(set(found)) == 4


def test_word_pieces() -> None:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "os": 1, "##lo": 2, "lo": 5}, unk_token="[UNK]"))
    assert of_tokens(tokenizer, [1, 2], [5], []) == ["oslo", "lo", ""]
