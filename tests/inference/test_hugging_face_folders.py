"""`embed`, `predict` and `evaluate` on folders of Hugging Face's: our own exports, and what transformers wrote."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch
from click.testing import CliRunner
from transformers import (
    LukeConfig,
    LukeForMaskedLM,
    LukeModel,
    PreTrainedModel,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaModel,
    XLMRobertaConfig,
    XLMRobertaModel,
)

from wikiprep.cli.main import cli
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.inference.evaluation.run import evaluate_checkpoint
from wikiprep.pretrain.luke.open_folder import open_folder
from wikiprep.pretrain.trained import MarkedText

SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 514,
    "type_vocab_size": 1,
    "layer_norm_eps": 1e-5,
    "pad_token_id": 1,
}
TITLES = ["[PAD]", "[UNK]", "[MASK]", "Mars", "Sun", "[MASK2]"]
TEXT = MarkedText("Mars is far from the Sun", ((0, 4), (21, 24)), ("Mars", None))
CPU = torch.device("cpu")


def call(*words: object) -> str:
    done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


@pytest.fixture(scope="module")
def exported(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "hf"
    call("export-hf", tiny_run, folder, "--quiet")
    return folder


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    links = [{"start": 0, "end": 4, "target": "Mars"}, {"start": 21, "end": 24}]
    lines = [{"text": TEXT.text, "links": links}, {"text": "On [Io]"}]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


@pytest.mark.parametrize("kind", ["tokens", "words", "spans", "entities", "table"])
def test_vectors_of_an_export_are_those_of_the_run(
    kind: str, tiny_run: Path, exported: Path, texts: Path, tmp_path: Path
) -> None:
    found = []
    for name, model in (("run", tiny_run), ("hf", exported)):
        source = () if kind == "table" else ("--input", texts)
        call("embed", model, "--of", kind, *source, "--output", tmp_path / f"{name}.arrow", "--quiet")
        found.append(pa.ipc.open_file(tmp_path / f"{name}.arrow").read_all())
    one, other = found
    assert one.num_rows > 2 and one.drop(["vector"]).equals(other.drop(["vector"]))
    rows = [np.array(table["vector"].to_pylist(), np.float32) for table in found]
    np.testing.assert_array_equal(*rows)


def test_predictions_of_an_export_are_those_of_the_run(tiny_run: Path, exported: Path, texts: Path) -> None:
    for words in ((), ("--masked",)):
        one, other = (call("predict", model, "--input", texts, "-k", 50, *words) for model in (tiny_run, exported))
        assert one == other and '"score"' in one


def test_an_evaluation_of_an_export_is_that_of_the_run(tiny_run: Path, exported: Path, sample_corpus: Path) -> None:
    one, other = (evaluate_checkpoint(str(model), [str(sample_corpus)], None, None) for model in (tiny_run, exported))
    assert (one.step, other.step) == (6, None) and "loss.entity" in one.as_trained
    ours, theirs = (asdict(found) | {"checkpoint": "", "step": 0} for found in (one, other))
    assert ours == theirs
    shown = call("evaluate", exported, "--corpus", sample_corpus)
    assert "as trained: MLM loss" in shown and "step" not in shown


def test_an_export_has_what_the_run_knew(exported: Path) -> None:
    names = {path.name for path in exported.iterdir()}
    assert {"pretrain.toml", "as_trained.safetensors", "entity_redirects.parquet", "entity_vocab.json"} <= names


def saved(model: PreTrainedModel, corpus: Path, folder: Path, std: float = 0.2) -> Path:
    """With random weights in every tensor (biases and norms too), and the corpus's tokenizer."""
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.normal_(1.0 if "orm.weight" in name else 0.0, std, generator=generator)
    model.eval().save_pretrained(folder)
    shutil.copy(corpus / "tokenizer" / "tokenizer.json", folder)
    return folder


@pytest.fixture(scope="module")
def vocab_size(sample_corpus: Path) -> int:
    return load_tokenizer(sample_corpus / "tokenizer").get_vocab_size()


def states(folder: Path, text: MarkedText) -> tuple[np.ndarray, np.ndarray]:
    """Of the folder's model: tokens and, where it has entities, mentions."""
    trained = open_folder(folder, CPU)
    tokens = trained.vectors([text], "tokens")[0].rows
    return tokens, trained.vectors([text], "entities")[0].rows if trained.entities else np.zeros((0, 32))


def inputs(folder: Path, text: MarkedText) -> dict[str, torch.Tensor]:
    """Ids by the tokenizer alone: pieces are those that our own code makes of the text."""
    ids = open_folder(folder, CPU)._encode(text).record.word_ids
    tokenizer = load_tokenizer(folder)
    assert tokenizer.decode(ids.tolist()) == f" {text.text}"
    first, last = tokenizer.token_to_id("<s>"), tokenizer.token_to_id("</s>")
    return {"input_ids": torch.tensor([[first, *ids.tolist(), last]])}


@pytest.mark.parametrize("kind", ["roberta", "roberta with a head", "xlm-roberta"])
def test_words_without_entities_are_transformers_own(
    kind: str, sample_corpus: Path, vocab_size: int, tmp_path: Path
) -> None:
    config = XLMRobertaConfig if kind == "xlm-roberta" else RobertaConfig
    make = {"roberta": RobertaModel, "xlm-roberta": XLMRobertaModel}.get(kind, RobertaForMaskedLM)
    folder = saved(make(config(vocab_size=vocab_size, **SIZES)), sample_corpus, tmp_path / "hf")
    plain = MarkedText(TEXT.text)
    with torch.no_grad():
        base = XLMRobertaModel if kind == "xlm-roberta" else RobertaModel
        model = base.from_pretrained(folder).eval()
        expected = model(**inputs(folder, plain)).last_hidden_state[0, 1:-1].numpy()
    found, _ = states(folder, plain)
    assert np.abs(expected).max() > 1
    np.testing.assert_allclose(found, expected, atol=1e-5, rtol=0)
    texts = tmp_path / "texts.jsonl"
    texts.write_text(json.dumps({"text": TEXT.text}))
    call("embed", folder, "--of", "tokens", "--input", texts, "--output", tmp_path / "v.npy", "--quiet")
    np.testing.assert_allclose(np.load(tmp_path / "v.npy"), expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("aware", [True, False], ids=["entity-aware", "plain"])
@pytest.mark.parametrize("headed", [True, False], ids=["masked-lm", "encoder"])
def test_words_and_entities_are_transformers_own(
    aware: bool, headed: bool, sample_corpus: Path, vocab_size: int, tmp_path: Path
) -> None:
    config = LukeConfig(
        vocab_size=vocab_size + 2,  # as published: two words more than the tokenizer has
        entity_vocab_size=len(TITLES),
        entity_emb_size=16,
        use_entity_aware_attention=aware,
        **SIZES,
    )
    folder = saved((LukeForMaskedLM if headed else LukeModel)(config), sample_corpus, tmp_path / "hf")
    (folder / "entity_vocab.json").write_text(json.dumps({title: number for number, title in enumerate(TITLES)}))
    record = open_folder(folder, CPU)._encode(TEXT).record
    places = torch.full((1, 2, 30), -1)
    for number, (start, end) in enumerate(zip(record.entity_starts, record.entity_ends, strict=True)):
        places[0, number, : end - start] = torch.arange(start + 1, end + 1)
    with torch.no_grad():
        made = LukeModel.from_pretrained(folder).eval()(
            **inputs(folder, TEXT),
            entity_ids=torch.tensor([[3, 2]]),  # Mars, and [MASK] for the one that no link names
            entity_attention_mask=torch.ones(1, 2, dtype=torch.long),
            entity_position_ids=places,
        )
    tokens, entities = states(folder, TEXT)
    np.testing.assert_allclose(tokens, made.last_hidden_state[0, 1:-1].numpy(), atol=1e-5, rtol=0)
    np.testing.assert_allclose(entities, made.entity_last_hidden_state[0].numpy(), atol=1e-5, rtol=0)
    trained = open_folder(folder, CPU)
    if headed:
        (guesses,) = trained.predict([TEXT], 3, words_masked=False)[0][:1]
        assert {guess.title for guess in guesses} == {"Mars", "Sun", "[UNK]"}
        with pytest.raises(UsageError, match="its scores of masked words come of another matrix than its table"):
            trained.family({}, sample_corpus)  # transformers ties them not, and they are random
    else:
        with pytest.raises(UsageError, match="has no head for masked entities"):
            trained.predict([TEXT], 3, words_masked=False)


def test_what_a_folder_lacks_is_told(sample_corpus: Path, vocab_size: int, tmp_path: Path) -> None:
    folder = saved(RobertaModel(RobertaConfig(vocab_size=vocab_size, **SIZES)), sample_corpus, tmp_path / "hf")
    texts = tmp_path / "texts.jsonl"
    texts.write_text(json.dumps({"text": TEXT.text, "links": [{"start": 0, "end": 4, "target": "Nowhere"}]}))
    vectors = ("--input", texts, "--output", tmp_path / "v.npy")
    for words, said in (
        (("predict", folder, "on [Mars]"), "hf: has no entities"),
        (("embed", folder, "--of", "entities", *vectors), "hf: has no entities"),
        (("embed", folder, "--of", "table", "--output", tmp_path / "v.npy"), "hf: has no entities"),
        (("evaluate", folder, "--corpus", sample_corpus), "hf: has no head for masked words"),
    ):
        with pytest.raises(UsageError, match=said):
            call(*words)
    call("embed", folder, "--of", "spans", *vectors, "--quiet")  # a link means nothing to it, and costs nothing
    assert np.load(tmp_path / "v.npy").shape == (1, 32)


def test_a_model_trained_elsewhere_is_evaluated_on_the_pages_that_are_asked_for(
    sample_corpus: Path, vocab_size: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = saved(RobertaForMaskedLM(RobertaConfig(vocab_size=vocab_size, **SIZES)), sample_corpus, tmp_path / "hf")
    found = evaluate_checkpoint(str(folder), [str(sample_corpus)], None, None, "tiny")
    assert found.held_out == 0.1 and found.as_trained["loss.mlm"] > 1 and not found.rows
    with pytest.raises(UsageError, match="no record is held out"):  # 0.002 of 200 pages are none
        evaluate_checkpoint(str(folder), [str(sample_corpus)], None, None)
    assert "no configuration of a run says which pages are held out" in capfd.readouterr().err


def test_folders_that_are_damaged_or_of_another_kind(exported: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hf"

    def message(name: str, change: dict[str, object]) -> str:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(exported, folder)
        said = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(said | change))
        with pytest.raises(WikiprepError) as raised:
            open_folder(folder, CPU)
        return str(raised.value)

    assert "a model of type 't5'" in message("config.json", {"model_type": "t5"})
    assert "hidden_act is 'relu'" in message("config.json", {"hidden_act": "relu"})
    assert "its weights lack layers.2." in message("config.json", {"num_hidden_layers": 3})
    assert "there, by config.json" in message("config.json", {"intermediate_size": 8})
    (folder / "entity_vocab.json").unlink()
    with pytest.raises(UsageError, match="has an entity table but no vocabulary of it"):
        open_folder(folder, CPU)
