"""A fine-tuned run as transformers loads it: the same logits on the same text, its inputs made by LukeTokenizer.

Text begins with a blank and mentions stand between blanks: there LukeTokenizer cuts it as our tasks do.
"""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from made_data import MAKERS  # noqa: E402

from wikiprep.cli.main import cli  # noqa: E402
from wikiprep.errors import UsageError, WikiprepError  # noqa: E402
from wikiprep.pretrain.luke.model import LukeEncoder  # noqa: E402
from wikiprep.tasks.features import Features  # noqa: E402
from wikiprep.tasks.finetune.about_folder import read_about  # noqa: E402
from wikiprep.tasks.finetune.best import load_best_tensors  # noqa: E402
from wikiprep.tasks.finetune.collate import collate  # noqa: E402
from wikiprep.tasks.finetune.heads import TaskModel  # noqa: E402
from wikiprep.tasks.pieces import Pieces  # noqa: E402
from wikiprep.tasks.registry import task_named  # noqa: E402
from wikiprep.tasks.task import Inputs  # noqa: E402

CLASSES = {
    "open-entity": "LukeForEntityClassification",
    "tacred": "LukeForEntityPairClassification",
    "fewrel": "LukeForEntityPairClassification",
    "wnut17": "LukeForEntitySpanClassification",
    "squad": "LukeForQuestionAnswering",
}
SETS = (
    "stages.epochs=1",
    "stages.learning_rate=3e-3",
    "data.global_batch=16",
    "training.precision=float32",
    "task.max_words=128",
)


def invoke(*words: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, words)), catch_exceptions=False)


def trained(task: str, model: Path, folder: Path, *settings: str) -> Path:
    data, run = folder / "data", folder / "run"
    if not data.is_dir():
        data.mkdir()
        MAKERS[task](data)
    sets = [word for one in (*SETS, *settings) for word in ("--set", one)]
    done = invoke("finetune", task, "--model", model, "--data", data, "-o", run, *sets)
    assert done.exit_code == 0, done.output
    return run


@pytest.fixture(scope="module")
def run_of(luke: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    made: dict[str, Path] = {}

    def of(task: str) -> Path:
        if task not in made:
            made[task] = trained(task, luke, tmp_path_factory.mktemp(task))
        return made[task]

    return of


def exported(run: Path, out: Path) -> tuple[Any, Any, str]:
    """Model, tokenizer, and what the command said."""
    done = invoke("export-hf", run, out)
    assert done.exit_code == 0, done.output
    name = json.loads((out / "config.json").read_text())["architectures"][0]
    model, found = getattr(transformers, name).from_pretrained(out, output_loading_info=True)
    assert not any(found.values()), found  # nothing missing, unexpected, or of another shape
    return model.eval(), transformers.AutoTokenizer.from_pretrained(out), done.stderr


def ours(run: Path, part: str = "dev", number: int = 1) -> tuple[Any, Features, Any, Any]:
    """An example with its one sequence, the task, and our logits."""
    about, start = read_about(run / "about")
    task = task_named(about.task, about.options)
    example = task.splits(run.parent / "data")[part].examples[number]
    pieces = Pieces(start.tokenizer, tuple(task.markers), "")
    with_entities = about.encoder.entities
    labels = {label: n for n, label in enumerate(about.labels)}
    inputs = Inputs(pieces, labels, 128, 30, with_entities, start.entities if task.vocabulary else {})
    (features,) = task.features(example, number, inputs, Counter())
    vectors = task.head.vectors if with_entities else task.head.vectors_without
    model = TaskModel(LukeEncoder(about.encoder), task.head.kind, vectors, len(labels), bias=task.head.bias).eval()
    model.load_state_dict(load_best_tensors(run / "best"))
    batch = collate(
        [features],
        pieces.words.pad,
        about.encoder.first_position,
        bounds=task.head.kind == "bounds",
        entities=with_entities,
    )
    with torch.no_grad():
        return example, features, model(batch, "scores")[0], task


def theirs(task: str, example: Any, features: Features, tokenizer: Any) -> dict[str, Any]:
    """The inputs that LukeTokenizer makes of the example."""
    if task == "open-entity":
        spans = [tuple(place + 1 for place in example.span)]
    elif task in ("tacred", "fewrel"):
        spans = [tuple(place + 1 for place in span) for span in (example.head, example.tail)]
    elif task == "wnut17":
        words, text = example.sentence.words, example.sentence.text
        assert text.endswith(" .")  # our task reads it as if no blank were before it: here there is none
        blank = len(text) - 2
        places = [(words[a][0], words[b - 1][1]) for a, b in features.origins.tolist()]
        spans = [tuple(place + (place <= blank) for place in span) for span in places]
        return tokenizer(" " + text[:blank] + ".", entity_spans=spans, return_tensors="pt")
    else:
        sides = []
        for entities in (example.question_entities, example.context_entities):
            known = [e for e in entities if e.title in tokenizer.entity_vocab]
            sides.append(([e.title for e in known], [(e.start + 1, e.end + 1) for e in known]))
        (first, first_spans), (second, second_spans) = sides
        return tokenizer(
            " " + example.question,
            " " + example.context,
            entities=first,
            entities_pair=second,
            entity_spans=first_spans,
            entity_spans_pair=second_spans,
            return_tensors="pt",
        )
    return tokenizer(" " + example.text, entity_spans=spans, return_tensors="pt")


@pytest.mark.parametrize("task", CLASSES)
def test_it_predicts_there_what_it_predicts_here(task: str, run_of: Callable[[str], Path], tmp_path: Path) -> None:
    run = run_of(task)
    model, tokenizer, said = exported(run, tmp_path / "hf")
    assert type(model).__name__ == CLASSES[task] and type(tokenizer).__name__ == "LukeTokenizer"
    assert f"{CLASSES[task]} and LukeTokenizer of {run}" in said
    example, features, logits, _ = ours(run)
    inputs = theirs(task, example, features, tokenizer)
    assert inputs["input_ids"].shape[1] == len(features.word_ids)
    assert inputs["entity_ids"].shape[1] == len(features.entity_ids)
    with torch.no_grad():
        found = model(**inputs)
    if task == "squad":
        found = torch.stack([found.start_logits, found.end_logits], dim=-1)
        logits = logits[:, : len(features.word_ids)]
    else:
        found = found.logits.reshape(logits.shape)
        about, _ = read_about(run / "about")
        assert list(model.config.id2label.values()) == list(about.labels)
    torch.testing.assert_close(found, logits, rtol=1e-5, atol=1e-5)


def test_questions_of_words_alone_are_a_roberta_there(
    roberta: Path, run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    shutil.copytree(run_of("squad").parent / "data", tmp_path / "data")
    run = trained("squad", roberta, tmp_path)
    model, tokenizer, _ = exported(run, tmp_path / "hf")
    assert type(model).__name__ == "RobertaForQuestionAnswering"
    _, features, logits, _ = ours(run)
    with torch.no_grad():
        found = model(input_ids=torch.from_numpy(features.word_ids)[None])
    found = torch.stack([found.start_logits, found.end_logits], dim=-1)
    torch.testing.assert_close(found, logits[:, : len(features.word_ids)], rtol=1e-5, atol=1e-5)
    assert tokenizer.pad_token_id == model.config.pad_token_id


def test_a_start_whose_tokenizer_has_the_markers_already(
    luke: Path, run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """As our exports and the published LUKE have `<ent>` and `<ent2>`: their rows are then the trained markers'."""
    from tokenizers import AddedToken, Tokenizer

    start = tmp_path / "start"
    shutil.copytree(luke, start)
    tokenizer = Tokenizer.from_file(str(start / "tokenizer.json"))
    tokenizer.add_special_tokens([AddedToken("<ent>", special=True), AddedToken("<ent2>", special=True)])
    tokenizer.save(str(start / "tokenizer.json"))
    model = transformers.LukeForMaskedLM.from_pretrained(start)
    model.resize_token_embeddings(max(tokenizer.get_vocab().values()) + 1)
    model.save_pretrained(start)
    shutil.copytree(run_of("fewrel").parent / "data", tmp_path / "data")
    run = trained("fewrel", start, tmp_path)
    there, made, _ = exported(run, tmp_path / "hf")
    example, features, logits, _ = ours(run)
    with torch.no_grad():
        found = there(**theirs("fewrel", example, features, made)).logits
    torch.testing.assert_close(found, logits, rtol=1e-5, atol=1e-5)


def test_an_export_is_a_start_again(run_of: Callable[[str], Path], tmp_path: Path) -> None:
    exported(run_of("open-entity"), tmp_path / "hf")
    shutil.copytree(run_of("fewrel").parent / "data", tmp_path / "data")
    run = trained("fewrel", tmp_path / "hf", tmp_path)
    assert (run / "results.json").is_file()


def test_what_has_no_class_there_is_refused(
    luke: Path, roberta: Path, run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="record: transformers has no class"):
        invoke("export-hf", run_of("record"), tmp_path / "hf")
    shutil.copytree(run_of("fewrel").parent / "data", tmp_path / "data")
    run = trained("fewrel", roberta, tmp_path)
    with pytest.raises(UsageError, match="fewrel of words alone: transformers has no class"):
        invoke("export-hf", run, tmp_path / "hf")
    assert not (tmp_path / "hf").exists() and not (tmp_path / "hf.part").exists()


def test_a_folder_that_is_no_run_with_weights_is_told(run_of: Callable[[str], Path], tmp_path: Path) -> None:
    run = run_of("fewrel")
    (checkpoint,) = (run / "checkpoints").glob("step-*")
    with pytest.raises(UsageError, match="not one run of finetune") as refused:
        invoke("export-hf", checkpoint, tmp_path / "hf")
    assert str(run) in refused.value.hint
    shutil.copytree(run, tmp_path / "several/seed-1")
    with pytest.raises(UsageError, match="not one run of finetune") as refused:
        invoke("export-hf", tmp_path / "several", tmp_path / "hf")
    assert "seed-1" in refused.value.hint
    damaged = tmp_path / "several/seed-1"
    (weights,) = (damaged / "best").glob("*.safetensors")
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(WikiprepError, match="missing or damaged"):
        invoke("export-hf", damaged, tmp_path / "hf")
    shutil.rmtree(damaged / "best")
    with pytest.raises(WikiprepError, match="keeps no weights yet"):
        invoke("export-hf", damaged, tmp_path / "hf")
    (tmp_path / "there").mkdir()
    (tmp_path / "there/file").write_text("")
    with pytest.raises(UsageError, match="something already"):
        invoke("export-hf", run, tmp_path / "there")


def wordpiece(folder: Path, kind: str) -> Path:
    """An encoder with BERT's kind of tokenizer."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    text = ["The Sun shines and the day is long . Where on Mars does Anna live ? Then she crosses Paris in 1900"]
    tokenizer.train_from_iterator(text, trainers.WordPieceTrainer(vocab_size=120, special_tokens=special))
    sizes = {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 48,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "pad_token_id": 0,
        "initializer_range": 0.2,
    }
    torch.manual_seed(5)
    if kind == "bert":
        transformers.BertForMaskedLM(transformers.BertConfig(**sizes)).save_pretrained(folder)
    else:
        config = transformers.LukeConfig(**sizes, entity_vocab_size=4, entity_emb_size=16)
        transformers.LukeForMaskedLM(config).save_pretrained(folder)
        titles = ["[PAD]", "[UNK]", "[MASK]", "[MASK2]"]
        (folder / "entity_vocab.json").write_text(json.dumps({title: n for n, title in enumerate(titles)}))
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.mark.parametrize("kind", ["bert", "luke"])
def test_encoders_with_wordpiece(kind: str, run_of: Callable[[str], Path], tmp_path: Path) -> None:
    task = "squad" if kind == "bert" else "fewrel"
    shutil.copytree(run_of(task).parent / "data", tmp_path / "data")
    run = trained(task, wordpiece(tmp_path / "start", kind), tmp_path)
    model, tokenizer, said = exported(run, tmp_path / "hf")
    _, features, logits, _ = ours(run)
    words = torch.from_numpy(features.word_ids)[None]
    second = (torch.arange(words.shape[1]) >= features.second).long()[None]
    if kind == "bert":
        with torch.no_grad():
            found = model(input_ids=words, token_type_ids=second)
        found = torch.stack([found.start_logits, found.end_logits], dim=-1)
        logits = logits[:, : words.shape[1]]
    else:
        assert "are to be made by hand" in said  # LukeTokenizer knows no such tokenizer
        text = "Then [HEAD]Anna[HEAD] crosses"
        assert tokenizer.convert_tokens_to_ids("[HEAD]") in tokenizer(text)["input_ids"]
        places = torch.arange(30)[None] + torch.from_numpy(features.entity_starts)[:, None]
        places = torch.where(places < torch.from_numpy(features.entity_ends)[:, None], places, -1)
        with torch.no_grad():
            found = model(
                input_ids=words,
                token_type_ids=second,
                entity_ids=torch.tensor([[2, 3]]),
                entity_attention_mask=torch.ones(1, 2),
                entity_position_ids=places[None],
            ).logits
    torch.testing.assert_close(found, logits, rtol=1e-5, atol=1e-5)
