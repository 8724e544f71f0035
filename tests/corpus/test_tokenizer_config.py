"""tokenizer_config.json of a corpus: transformers knows what pads and what masks."""

from pathlib import Path

import orjson
import pytest
from tokenizers import Tokenizer, models

from wikiprep.corpus.tokenizer_config import tokenizer_config


@pytest.mark.parametrize(
    ("specials", "roles"),
    [
        (
            ["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
            {"cls_token": "<s>", "pad_token": "<pad>", "mask_token": "<mask>"},
        ),
        (["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], {"cls_token": "[CLS]", "pad_token": "[PAD]"}),
        (["[UNK]"], {"unk_token": "[UNK]"}),
    ],
)
def test_roles_are_those_of_tokens_that_are_there(specials: list[str], roles: dict[str, str]) -> None:
    vocabulary = {name: number for number, name in enumerate(specials)}
    said = tokenizer_config(Tokenizer(models.WordLevel(vocabulary, specials[0])))
    assert roles.items() <= said.items()
    assert all(value in vocabulary for role, value in said.items() if role.endswith("_token"))


def test_masked_words_of_a_corpus_are_collated_by_transformers(sample_corpus: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install '.[dev]'")
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    tokenizer = transformers.AutoTokenizer.from_pretrained(sample_corpus / "tokenizer")
    assert (tokenizer.pad_token, tokenizer.mask_token) == ("<pad>", "<mask>")
    ours = Tokenizer.from_file(str(sample_corpus / "tokenizer" / "tokenizer.json"))
    texts = ["Jupiter has moons.", "Galileo Galilei found four of the moons of Jupiter with his telescope in 1610."]
    padded = tokenizer(texts, padding=True)
    for text, ids, mask in zip(texts, padded["input_ids"], padded["attention_mask"], strict=True):
        assert ids[: sum(mask)] == ours.encode(text).ids
        assert set(ids[sum(mask) :]) <= {tokenizer.pad_token_id}
    collate = transformers.DataCollatorForLanguageModeling(tokenizer, mlm=True, mlm_probability=0.5, seed=1)
    batch = collate([tokenizer(text) for text in texts])
    assert batch["input_ids"].shape == (2, max(map(len, padded["input_ids"])))
    assert (batch["input_ids"] == tokenizer.mask_token_id).any()
    assert (batch["labels"][0] == -100).any() and (batch["labels"] >= 0).any()


def test_it_is_in_the_manifest(sample_corpus: Path) -> None:
    files = {file["path"] for file in orjson.loads((sample_corpus / "manifest.json").read_bytes())["files"]}
    assert "tokenizer/tokenizer_config.json" in files
