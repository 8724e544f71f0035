"""Small encoders and data sets for runs of fine-tuning: of random weights, in seconds."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from wikiprep.corpus.tokenizers import load_tokenizer

TOKENIZER = Path(__file__).parents[2] / "wikiprep/sample/tokenizer/tokenizer.json"
TITLES = ["[PAD]", "[UNK]", "[MASK]", "Mars", "Sun", "[MASK2]"]
if find_spec("torch"):  # not importorskip: a skip here, above all files of the folder, ends the whole run of pytest
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def luke(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LUKE of Hugging Face's form, of random weights."""
    return _encoder(tmp_path_factory.mktemp("encoders") / "luke", "luke")


@pytest.fixture(scope="session")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A RoBERTa: no entities."""
    return _encoder(tmp_path_factory.mktemp("encoders") / "roberta", "roberta")


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """For runs of fine-tuning, which take less time than their pictures of the confusion; test_finetune.py has one."""
    from wikiprep.tasks import results

    monkeypatch.setattr(results, "find_spec", lambda name: None)


def _encoder(folder: Path, kind: str) -> Path:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install '.[dev]'")
    sizes = {
        "vocab_size": max(load_tokenizer(TOKENIZER).get_vocab().values()) + 1,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 48,
        "max_position_embeddings": 130,
        "type_vocab_size": 1,
        "pad_token_id": 1,
        "layer_norm_eps": 1e-5,
        "initializer_range": 0.2,
    }
    torch.manual_seed(11)
    if kind == "luke":
        config = transformers.LukeConfig(**sizes, entity_vocab_size=len(TITLES), entity_emb_size=16)
        transformers.LukeForMaskedLM(config).save_pretrained(folder)
        vocabulary = {title: number for number, title in enumerate(TITLES)}
        (folder / "entity_vocab.json").write_text(json.dumps(vocabulary))
    else:
        transformers.RobertaForMaskedLM(transformers.RobertaConfig(**sizes)).save_pretrained(folder)
    load_tokenizer(TOKENIZER).save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def semeval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences whose relation is told by one word between the two mentions."""
    folder = tmp_path_factory.mktemp("semeval")
    kinds = {"causes": "Cause-Effect(e1,e2)", "holds": "Content-Container(e2,e1)", "near": "Other"}
    names = ["rain", "stone", "fire", "box", "water", "wood", "glass", "smoke", "house", "tree"]
    lines = []
    for number in range(240):
        verb = list(kinds)[number % 3]
        head, tail = names[number % 10], names[(number * 7 + 3) % 10]
        text = f"The <e1>{head}</e1> {verb} the <e2>{tail}</e2> of day {number % 17}."
        lines.append(f'{number + 1}\t"{text}"\n{kinds[verb]}\nComment:\n\n')
    (folder / "TRAIN_FILE.TXT").write_text("".join(lines[:200]))
    (folder / "TEST_FILE_FULL.TXT").write_text("".join(lines[200:]))
    return folder
