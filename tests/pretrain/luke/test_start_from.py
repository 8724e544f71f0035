"""Training starts from checkpoints that transformers wrote: RoBERTa, LUKE, and what wikiprep itself exported."""

import json
import shutil
from pathlib import Path
from typing import cast

import pytest
import torch
from transformers import LukeConfig, LukeForMaskedLM, RobertaConfig, RobertaForMaskedLM, RobertaModel

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.luke.about_folder import read_about
from wikiprep.pretrain.luke.corpus_entities import read_entities, vocabulary_path
from wikiprep.pretrain.luke.entity_rows import Matches
from wikiprep.pretrain.luke.export import export
from wikiprep.pretrain.luke.make_family import make
from wikiprep.pretrain.luke.model import Luke

SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 514,
    "type_vocab_size": 1,
    "layer_norm_eps": 1e-5,
}


@pytest.fixture(scope="module")
def vocab_size(sample_corpus: Path) -> int:
    return len(json.loads((sample_corpus / "tokenizer" / "vocab.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def roberta(sample_corpus: Path, vocab_size: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the corpus's tokenizer, as a user has it who built the corpus with RoBERTa's."""
    folder = tmp_path_factory.mktemp("roberta")
    torch.manual_seed(1)
    RobertaForMaskedLM(RobertaConfig(vocab_size=vocab_size, **SIZES)).save_pretrained(folder)
    shutil.copy(sample_corpus / "tokenizer" / "tokenizer.json", folder)
    return folder


def started(corpus: Path, start: Path, **options: object) -> Luke:
    return cast(Luke, make({"model": {"start": str(start), **options}}, corpus).build_model(seed=5))


def test_roberta_gives_words_and_layers(sample_corpus: Path, roberta: Path) -> None:
    model = started(sample_corpus, roberta)
    source = RobertaForMaskedLM.from_pretrained(roberta)
    assert model.config.hidden_size == 32 and model.config.norm_eps == 1e-5
    assert torch.equal(model.words.token.weight, source.roberta.embeddings.word_embeddings.weight)
    assert torch.equal(model.word_head.bias, source.lm_head.bias)
    key = source.roberta.encoder.layer[1].attention.self.key
    assert torch.equal(model.layers[1].attention.qkv.weight[32:64], key.weight)
    assert model.started is not None and model.started.entities is None
    assert all(name.startswith(("entities.", "entity_head.", "pooler_")) for name in model.started.new)


def test_the_words_say_what_roberta_says(sample_corpus: Path, roberta: Path) -> None:
    """Without entity inputs the start is RoBERTa itself: the paper's control begins from its loss."""
    from corpus_records import records_of

    family = make({"model": {"start": str(roberta), "entities": False}}, sample_corpus)
    import numpy as np

    batch = family.collate(records_of(sample_corpus)[:2], [np.random.default_rng(n) for n in range(2)])
    model = family.build_model(0).eval()
    source = RobertaForMaskedLM.from_pretrained(roberta).eval()
    labels = torch.full_like(batch["word_ids"], -100)
    labels.view(-1)[batch["word_targets"]] = batch["word_labels"]
    with torch.no_grad():
        total, count = family.loss_sums(model, batch)["mlm"]
        expected = source(batch["word_ids"], attention_mask=batch["real"].long(), labels=labels).loss
    torch.testing.assert_close(total / count, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["bin", "sharded", "encoder alone"])
def test_forms_of_a_checkpoint(kind: str, sample_corpus: Path, roberta: Path, tmp_path: Path) -> None:
    source = RobertaForMaskedLM.from_pretrained(roberta)
    shutil.copy(roberta / "config.json", tmp_path)
    if kind == "bin":
        torch.save(source.state_dict(), tmp_path / "pytorch_model.bin")
    elif kind == "sharded":
        source.save_pretrained(tmp_path, max_shard_size="100KB")
        assert len(list(tmp_path.glob("model-*.safetensors"))) > 1
    else:
        encoder = RobertaModel(source.config)
        encoder.load_state_dict(source.roberta.state_dict(), strict=False)
        encoder.save_pretrained(tmp_path)  # names without a prefix, and a pooler
    model = started(sample_corpus, tmp_path)
    assert torch.equal(model.words.token.weight, source.roberta.embeddings.word_embeddings.weight)
    assert model.started is not None
    assert ("word_head.bias" in model.started.new) == (kind == "encoder alone")
    assert ("pooler_weight" in model.started.new) == (kind != "encoder alone")


def test_entity_aware_queries_start_as_copies(sample_corpus: Path, roberta: Path) -> None:
    model = started(sample_corpus, roberta, entity_aware_attention=True)
    attention = model.layers[0].attention
    for name in ("word_to_entity", "entity_to_word", "entity_to_entity"):
        assert torch.equal(getattr(attention, name).weight, attention.qkv.weight[:32])


@pytest.fixture
def luke(sample_corpus: Path, vocab_size: int, tmp_path: Path) -> Path:
    """Of an older dump: other ids, an old title, one page that is gone; two words more, as published."""
    folder = tmp_path / "luke"
    torch.manual_seed(2)
    model = LukeForMaskedLM(LukeConfig(vocab_size=vocab_size + 2, entity_vocab_size=8, entity_emb_size=16, **SIZES))
    torch.nn.init.normal_(model.entity_predictions.bias)
    model.save_pretrained(folder)
    shutil.copy(sample_corpus / "tokenizer" / "tokenizer.json", folder)
    ids = read_entities(vocabulary_path(sample_corpus)).ids
    present = [title for title in ids if title[0] != "["][:2]
    titles = ["[PAD]", "[UNK]", "[MASK]", "Long gone", *reversed(present), "Nothing", "[MASK2]"]
    (folder / "entity_vocab.json").write_text(json.dumps({title: number for number, title in enumerate(titles)}))
    return folder


def test_luke_gives_rows_by_title(sample_corpus: Path, luke: Path) -> None:
    model = started(sample_corpus, luke)
    source = LukeForMaskedLM.from_pretrained(luke)
    table = source.luke.entity_embeddings.entity_embeddings.weight
    vocabulary = json.loads((luke / "entity_vocab.json").read_text())
    ids = read_entities(vocabulary_path(sample_corpus)).ids
    shared = [title for title in vocabulary if title in ids]
    assert len(shared) == 6 and model.entities is not None and model.entity_head is not None
    for title in shared:
        assert torch.equal(model.entities.entity.weight[ids[title]], table[vocabulary[title]])
        assert model.entity_head.bias[ids[title]] == source.entity_predictions.bias[vocabulary[title]]
    fresh = make({"model": {"start": str(luke)}}, sample_corpus)
    untouched = Luke(fresh.config, seed=5)
    assert untouched.entities is not None
    lacking = next(title for title in ids if title not in vocabulary)
    assert torch.equal(model.entities.entity.weight[ids[lacking]], untouched.entities.entity.weight[ids[lacking]])
    assert model.started is not None
    assert model.started.entities == Matches(0, 2, 0, len(ids) - 6, 2)
    assert model.started.new == []
    notes = fresh.notes(model)
    assert notes["entity_rows"] == model.started.entities.as_dict()


def test_the_paper_s_head_starts_new(sample_corpus: Path, luke: Path) -> None:
    model = started(sample_corpus, luke, entity_head="paper")
    assert model.started is not None
    assert {"entity_head.dense.weight", "entity_head.project.weight"} <= set(model.started.new)


def test_an_export_is_a_start(sample_corpus: Path, tmp_path: Path) -> None:
    """All the way round: train, export, start again: the same model."""
    family = make({"model": {"size": "tiny"}}, sample_corpus)
    first = cast(Luke, family.build_model(3))
    family.about(tmp_path / "about")
    export(first.state_dict(), read_about(tmp_path / "about"), tmp_path / "hf")
    again = started(sample_corpus, tmp_path / "hf")
    assert again.started is not None and again.started.entities is not None
    assert again.started.entities.unmatched == again.started.entities.unused == 0
    mask2 = read_entities(vocabulary_path(sample_corpus)).ids["[MASK2]"]
    for (name, one), other in zip(first.state_dict().items(), again.state_dict().values(), strict=True):
        if name.startswith("entities.entity"):
            one[mask2] = one[2]
        assert torch.equal(one, other), name


def test_bad_checkpoints(sample_corpus: Path, roberta: Path, luke: Path, tmp_path: Path) -> None:
    def message(folder: Path, **options: object) -> str:
        with pytest.raises(WikiprepError) as raised:
            started(sample_corpus, folder, **options)
        return str(raised.value)

    assert "no such checkpoint folder" in message(tmp_path / "nowhere")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no config.json" in message(empty)
    shutil.copy(roberta / "config.json", empty)
    assert "no weights in it" in message(empty)
    (empty / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n")
    assert "Git LFS pointer" in message(empty)
    (empty / "config.json").write_text('{"model_type": "gpt2"}')
    said = message(empty)
    assert "a model of type 'gpt2'" in said and "known are RoBERTa, XLM-RoBERTa, BERT, LUKE, mLUKE" in said
    assert "hidden_size" not in message(roberta, layers=2, intermediate_size=50)
    assert "layers.0.up.weight is (48, 32) there and (50, 32) here" in message(roberta, intermediate_size=50)
    (luke / "entity_vocab.json").unlink()
    assert "no vocabulary of it" in message(luke)
    tokenizer = json.loads((roberta / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary["a"], vocabulary["b"] = vocabulary["b"], vocabulary["a"]
    other = tmp_path / "other"
    shutil.copytree(roberta, other)
    (other / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    assert "its tokenizer is not the corpus's" in message(other)


def test_a_name_of_the_hub_without_a_network(sample_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def fail(name: str, **options: object) -> str:
        raise OSError("no route")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    with pytest.raises(UsageError, match=r"roberta-base: no such folder here, and the hub gave nothing \(no route\)"):
        started(sample_corpus, Path("roberta-base"))
