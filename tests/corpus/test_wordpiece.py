"""BERT's tokenizer of a folder with vocab.txt alone: the ids of transformers, and what was taken is said."""

import json
from pathlib import Path

import pytest
from inline import job_of, rows, run_stages

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.corpus.wordpiece import describe_wordpiece
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.pretrain.luke.words import words_of
from wikiprep.terminal.console import print_summary

TOKENS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *("the", "moon", "##light", "##s", "cafe", "Moon", "Caf", "##é", "café", ",", "!", "東", "京", "io", "##n"),
]
TEXTS = ["The moonlights, the Café!", "東京 ion", "[MASK] io", "Cafe\u0301", "unheard-of"]


def folder(path: Path, settings: dict[str, object] | None = None, tokens: list[str] = TOKENS) -> Path:
    path.mkdir(exist_ok=True)
    (path / "vocab.txt").write_text("".join(f"{token}\n" for token in tokens), encoding="utf-8")
    if settings is not None:
        (path / "tokenizer_config.json").write_text(json.dumps(settings))
    return path


@pytest.mark.parametrize(
    "settings",
    [
        None,
        {"do_lower_case": True},
        {"do_lower_case": False},
        {"do_lower_case": True, "strip_accents": False},
        {"do_lower_case": False, "strip_accents": True},
        {"do_lower_case": True, "tokenize_chinese_chars": False},
    ],
)
def test_ids_are_those_of_transformers(settings: dict[str, object] | None, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install '.[dev]'")
    given = folder(tmp_path / "bert", settings)
    ours, theirs = load_tokenizer(given), transformers.BertTokenizer.from_pretrained(given)
    for text in TEXTS:
        assert ours.encode(text).ids == theirs(text)["input_ids"], text


def test_case_is_taken_from_the_configuration_and_told(tmp_path: Path) -> None:
    lower, cased = folder(tmp_path / "lower"), folder(tmp_path / "cased", {"do_lower_case": False})
    assert load_tokenizer(lower).encode("Moon Café").tokens == ["[CLS]", "moon", "cafe", "[SEP]"]
    assert load_tokenizer(cased / "vocab.txt").encode("Moon Café").tokens == ["[CLS]", "Moon", "Caf", "##é", "[SEP]"]
    assert describe_wordpiece(str(lower)) == (
        "vocab.txt: WordPiece of 20 tokens, words go on with ##; text in lower case, accents taken off "
        "(BERT's default, since no tokenizer_config.json says do_lower_case)"
    )
    assert "case kept, accents kept (as tokenizer_config.json says)" in str(describe_wordpiece(str(cased)))
    load_tokenizer(lower).save(str(lower / "tokenizer.json"))
    assert describe_wordpiece(str(lower)) is None and describe_wordpiece("train:400") is None


def test_words_are_masked_whole_by_their_prefix(tmp_path: Path) -> None:
    tokenizer = load_tokenizer(folder(tmp_path / "bert"))
    begins = words_of(tokenizer, "x").begins
    assert [token for number, token in enumerate(TOKENS) if not begins[number]] == ["##light", "##s", "##é", "##n"]


@pytest.mark.parametrize(
    ("tokens", "settings", "what"),
    [
        (TOKENS[:4], None, r"vocab.txt: has no \[MASK\]"),
        ([*TOKENS, "moon"], None, "vocab.txt:21: 'moon' stands on line 7 too"),
        (TOKENS, {"do_lower_case": "no"}, "do_lower_case = 'no'"),
        (TOKENS, {"do_basic_tokenize": False}, "do_basic_tokenize = false"),
    ],
)
def test_what_is_wrong_is_named(
    tokens: list[str], settings: dict[str, object] | None, what: str, tmp_path: Path
) -> None:
    with pytest.raises(WikiprepError, match=what):
        load_tokenizer(folder(tmp_path / "bert", settings, tokens))


def test_a_build_takes_it_and_says_what_it_took(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "The Moonlights! the moon, the moon, the moon and the ion of Io."
    line = {"title": "Io", "text": text, "links": [{"target": "Moon", "start": 4, "end": 14}]}
    (tmp_path / "text.jsonl").write_text(json.dumps(line) + "\n")
    titles = ("[PAD]", "[UNK]", "[MASK]", "Moon")
    (tmp_path / "vocab.json").write_text(json.dumps({title: number for number, title in enumerate(titles)}))
    given = folder(tmp_path / "bert", {"do_lower_case": True})
    sections = {"tokenizer": {"tokenizer": str(given)}, "input": {"language": "en"}}
    words = {"annotated": str(tmp_path / "text.jsonl"), "vocab": str(tmp_path / "vocab.json")}
    run_stages(job_of(tmp_path / "out", sections=sections, **words))
    manifest = read_manifest(Store(str(tmp_path / "out")))
    taken = manifest.facts["tokenizer"]["taken"]
    assert "text in lower case, accents taken off (as tokenizer_config.json says)" in taken and "/" not in taken
    (record,) = rows(tmp_path / "out", "records")
    assert [TOKENS[number] for number in record["word_ids"][:4]] == ["the", "moon", "##light", "##s"]
    assert (record["entity_starts"], record["entity_ends"]) == ([1], [4])
    print_summary(Store(str(tmp_path / "out")), manifest, "built")
    assert "Tokenizer: vocab.txt: WordPiece of 20 tokens" in " ".join(capsys.readouterr().out.split())


def test_a_folder_of_neither_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nor vocab\.txt"):
        load_tokenizer(tmp_path)
