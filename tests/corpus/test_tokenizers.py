"""Loading, training and saving tokenizers; special tokens are out of reach of text."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from wikiprep.corpus.tokenizers import load_tokenizer, plain_copy, save_tokenizer, train_tokenizer
from wikiprep.errors import UsageError, WikiprepError

TEXTS = [
    "The house stands by the river, and the river doesn't stop for the house.",
    "Le château se trouve près de la rivière.",
    "It's 1,024 metres long; they've measured it (twice).",
    "東京は日本の首都である。",
] * 5

TRAIN = """
import sys
from wikiprep.corpus.tokenizers import save_tokenizer, train_tokenizer
from test_tokenizers import TEXTS
save_tokenizer(train_tokenizer(TEXTS, 400), sys.argv[1])
"""


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return train_tokenizer(TEXTS, 400)


def ids(tokenizer: Tokenizer, text: str) -> list[int]:
    found: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
    return found


def test_roberta(shared_data: Path) -> None:
    folder = shared_data / "tokenizers" / "roberta-base"
    for spec in (folder, folder / "vocab.json", str(folder)):
        tokenizer = load_tokenizer(spec)
        assert ids(tokenizer, "Hello world") == [31414, 232]
        assert tokenizer.encode("Hello world").ids == [0, 31414, 232, 2]
        assert tokenizer.get_vocab_size() == 50265
        assert tokenizer.token_to_id("<mask>") == 50264
        assert tokenizer.decode(ids(tokenizer, "It’s a 東京 😀 test")) == "It’s a 東京 😀 test"


def test_trained_has_the_usual_ids(small: Tokenizer) -> None:
    tokens = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    assert [small.token_to_id(t) for t in tokens] == [0, 1, 2, 3, small.get_vocab_size() - 1]
    assert small.get_vocab_size() <= 400
    for text in [*TEXTS, "Ωmega\t😀", "don't"]:
        assert small.decode(ids(small, text)) == text


@pytest.mark.parametrize("size", [270, 400])
def test_training_repeats(size: int) -> None:
    assert len({train_tokenizer(TEXTS, size).to_str() for _ in range(20)}) == 1


def test_training_gives_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    contents = set()
    for number, (seed, parallel, threads) in enumerate([("0", "false", "1"), ("7", "true", "2"), ("42", "true", "5")]):
        path = tmp_path / f"{number}.json"
        env = {**os.environ, "PYTHONHASHSEED": seed, "TOKENIZERS_PARALLELISM": parallel, "RAYON_NUM_THREADS": threads}
        root = Path(__file__).parent
        subprocess.run([sys.executable, "-c", TRAIN, str(path)], check=True, env=env, cwd=root)
        contents.add(path.read_bytes())
    assert len(contents) == 1


def test_saved_is_loaded(small: Tokenizer, tmp_path: Path) -> None:
    save_tokenizer(small, tmp_path / "tokenizer.json")
    for spec in (tmp_path, tmp_path / "tokenizer.json"):
        again = load_tokenizer(spec)
        assert again.to_str() == small.to_str()
    save_tokenizer(load_tokenizer(tmp_path), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "tokenizer.json").read_bytes()


def test_too_small_a_size() -> None:
    with pytest.raises(UsageError, match="too small"):
        train_tokenizer(TEXTS, 100)


def special_ids(tokenizer: Tokenizer) -> set[int]:
    return {number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special}


def test_special_tokens_in_text_are_text(small: Tokenizer) -> None:
    text = "The tags <s> and </s>, <mask>, <pad>x<unk>"
    plain = plain_copy(small)
    assert special_ids(small) & set(ids(small, text))
    assert not special_ids(small) & set(ids(plain, text))
    assert small.decode(ids(plain, text), skip_special_tokens=False) == text
    assert ids(plain, TEXTS[0]) == ids(small, TEXTS[0])


def unigram() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=120, show_progress=False, special_tokens=["<s>", "<unk>"], unk_token="<unk>"
    )
    tokenizer.train_from_iterator([*TEXTS, "<s>abc"], trainer)
    return tokenizer


def word_piece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(vocab_size=120, show_progress=False, special_tokens=["[UNK]", "[CLS]"])
    tokenizer.train_from_iterator([*TEXTS, "[CLS]"], trainer)
    return tokenizer


def test_special_tokens_are_out_of_reach_of_other_models() -> None:
    for tokenizer, text, reached in ((unigram(), "<s> the house", 0), (word_piece(), "[CLS] the house", 1)):
        assert reached in ids(tokenizer, text)
        assert reached not in ids(plain_copy(tokenizer), text)
        assert ids(plain_copy(tokenizer), "the house by") == ids(tokenizer, "the house by")


def test_unknown_characters_stay_unknown() -> None:
    tokenizer = word_piece()
    assert ids(plain_copy(tokenizer), "the Ж") == ids(tokenizer, "the Ж")
    assert tokenizer.token_to_id("[UNK]") in ids(plain_copy(tokenizer), "the Ж")


@pytest.mark.parametrize("spec", ["./nothing", "/no/such/folder", "no/such/folder/either", "missing.json", ""])
def test_no_such_path(spec: str) -> None:
    with pytest.raises(UsageError):
        load_tokenizer(spec)


def test_wrong_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no tokenizer\.json in it"):
        load_tokenizer(tmp_path)
    path = tmp_path / "vocab.json"
    path.write_text("<html>")
    with pytest.raises(WikiprepError, match="not JSON"):
        load_tokenizer(path)
    path.write_text(json.dumps({"a": 0, "b": 1, "ab": 2}))
    with pytest.raises(UsageError, match=r"no merges\.txt beside it"):
        load_tokenizer(path)
    (tmp_path / "merges.txt").write_text("#version: 0.2\na c\n")
    with pytest.raises(WikiprepError, match="not one tokenizer"):
        load_tokenizer(path)
    (tmp_path / "merges.txt").write_text("#version: 0.2\na b\n\nabc\n")
    with pytest.raises(WikiprepError, match="line 4"):
        load_tokenizer(path)
    (tmp_path / "merges.txt").write_text("#version: 0.2\na b\n")
    assert ids(load_tokenizer(tmp_path), "ab") == [2]
    path.write_text(json.dumps({"architectures": ["RobertaModel"]}))
    with pytest.raises(UsageError, match="not a tokenizer"):
        load_tokenizer(path)
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"type": "Novel"}}))
    with pytest.raises(WikiprepError, match="not a tokenizer"):
        load_tokenizer(tmp_path)


def test_unreachable_hub_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    for name in ("https_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)  # as what tries again would
    with pytest.raises(WikiprepError, match=r"hub \(127\.0\.0\.1\) cannot be reached"):
        load_tokenizer("no-such-owner/no-such-tokenizer")
    assert slept == []
