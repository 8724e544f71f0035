"""Words added to the tokenizer: each begins a word for masking, may be drawn, and goes into the exported folder."""

import json
from pathlib import Path

from test_added_words import ADDED, TEXT, with_words
from test_tokenizers import TEXTS
from transformers import LukeTokenizer

from wikiprep.corpus.tokenizers import plain_copy, train_tokenizer
from wikiprep.pretrain.luke.export import save_luke_tokenizer
from wikiprep.pretrain.luke.words import words_of

ENTITIES = {"[PAD]": 0, "[UNK]": 1, "[MASK]": 2, "[MASK2]": 3}


def test_words_begin_and_may_be_drawn() -> None:
    tokenizer = with_words(train_tokenizer(TEXTS, 400))
    words = words_of(tokenizer, "here")
    for token in ADDED:
        number = tokenizer.token_to_id(token.content)
        assert words.begins[number] and (number in words.plain) is not token.special
    assert words.size == max(tokenizer.get_vocab().values()) + 1


def test_transformers_finds_them_in_the_exported_folder(tmp_path: Path) -> None:
    tokenizer = with_words(train_tokenizer(TEXTS, 400))
    rows = save_luke_tokenizer(tokenizer, words_of(tokenizer, "here"), tmp_path)
    (tmp_path / "entity_vocab.json").write_text(json.dumps(ENTITIES), encoding="utf-8")
    theirs = LukeTokenizer.from_pretrained(tmp_path)
    text = TEXT.replace("<s2>", "house")  # a special token is text for us alone
    assert theirs(text, add_special_tokens=False)["input_ids"] == plain_copy(tokenizer).encode(text).ids
    for token in ADDED:
        number = tokenizer.token_to_id(token.content)
        assert theirs.convert_tokens_to_ids(token.content) == number and rows[number] == number
