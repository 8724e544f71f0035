"""A fine-tuned run as a folder that Hugging Face's transformers loads, where it has a class that computes the same.

With entities these are LUKE's four task classes; of words alone, RoBERTa's for questions, whose layers are ours. Our
heads for words alone on markers or spans, and the one of cloze questions, have none there.

The markers `<ent>` and `<ent2>` of `LukeTokenizer` take the rows that were trained for the task's first and second
marker, its entities `[MASK]` and `[MASK2]` those of the task's first and second entity; so with the tokenizer's own
task it makes the inputs of ours. (It cuts text as it stands; ours encodes a piece beside a marker as behind a space.)
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer
from torch import Tensor

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import apply_umask
from wikiprep.pretrain.luke.export import (
    LUKE_TOKENIZER,
    PLAIN_TOKENIZER,
    WEIGHTS,
    is_byte_level,
    save_luke_tokenizer,
    save_plain_tokenizer,
    whole_folder,
    with_queries,
)
from wikiprep.pretrain.luke.hf_config import CONFIG, luke_config_json
from wikiprep.pretrain.luke.parameter_names import to_hugging_face
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.run_folder import ABOUT, CHECKPOINTS
from wikiprep.tasks.finetune.about_folder import ABOUT_TASK, About, read_about
from wikiprep.tasks.finetune.best import ABOUT_BEST, BEST, load_best_tensors
from wikiprep.tasks.finetune.encoder import Start
from wikiprep.tasks.registry import task_named
from wikiprep.tasks.task import Task

_ANSWER = "LukeForQuestionAnswering"
_TYPES = ("LukeForEntityClassification", "entity_classification")
_PAIR = ("LukeForEntityPairClassification", "entity_pair_classification")
_SPAN = ("LukeForEntitySpanClassification", "entity_span_classification")
# Task -> the class there, and the task of its tokenizer.
_CLASSES: dict[str, tuple[str, str | None]] = {
    "open-entity": _TYPES,
    "figer": _TYPES,
    "tacred": _PAIR,
    "semeval2010": _PAIR,
    "fewrel": _PAIR,
    "conll2003": _SPAN,
    "wnut17": _SPAN,
    "squad": (_ANSWER, None),
}
_TABLE = "entities.entity.weight"
_TOKENIZER_MARKERS = ("<ent>", "<ent2>")
_TOKENIZER_ENTITIES = ("[PAD]", "[UNK]", "[MASK]", "[MASK2]")


@dataclass(frozen=True)
class _Kind:
    """A class there. `luke`: its inputs are entities too; `job`: what its tokenizer makes inputs for."""

    name: str
    luke: bool
    job: str | None
    task: Task


@dataclass(frozen=True)
class ExportedRun:
    """What was written: the names of the classes there, and the run that it is of."""

    model: str
    tokenizer: str
    run: Path


def is_finetuned(path: str | Path) -> bool:
    """Whether it is a run of `finetune`, a checkpoint of one, or a folder of several such runs."""
    return _run_of(Path(path)) is not None


def export_finetuned(path: str | Path, out: Path) -> ExportedRun:
    """Write the weights that the run `path` keeps to the folder `out`.

    Raises UsageError for a checkpoint or a folder of several runs instead of a run, and for a task that has no class
    there; WikiprepError where the run is damaged, or has no weights yet.
    """
    run = Path(path)
    if _run_of(run) != run:
        raise UsageError(f"{run}: not one run of finetune", f"give the run: {_run_of(run)}")
    about, start = read_about(run / ABOUT)
    kind = _kind_of(about)
    if not (run / BEST / ABOUT_BEST).is_file():
        raise WikiprepError(f"{run}: keeps no weights yet", "they are kept from the end of the first epoch on")
    with whole_folder(out) as folder:
        tokenizer = _write(folder, kind, about, start, load_best_tensors(run / BEST))
    return ExportedRun(kind.name, tokenizer, run)


def _run_of(path: Path) -> Path | None:
    """The run itself, or one that the path is a checkpoint or a parent of."""
    full_path = path.absolute()
    above = [at.parent for at in (full_path, full_path.parent) if at.name == CHECKPOINTS]
    is_single_run = (path / ABOUT).is_dir()  # whatever runs lie in its folder
    below = [] if is_single_run else [file.parent.parent for file in sorted(path.glob(f"*/{ABOUT}/{ABOUT_TASK}"))]
    return next((at for at in (path, *above, *below) if (at / ABOUT / ABOUT_TASK).is_file()), None)


def _kind_of(about: About) -> _Kind:
    hint = f"there are some for {', '.join(_CLASSES)} with entities, and for squad of words alone"
    if about.knowledge is not None:
        raise UsageError(f"{about.task} with a knowledge graph: transformers has no class with its layers", hint)
    if about.task not in _CLASSES:
        raise UsageError(f"{about.task}: transformers has no class with the head of this task", hint)
    task = task_named(about.task, about.options)
    name, job = _CLASSES[about.task]
    if about.encoder.entities:
        marked = bool(task.markers) or job == _SPAN[1]  # their tokenizer writes the others' markers always
        return _Kind(name, True, job if marked else None, task)
    if name != _ANSWER:
        raise UsageError(f"{about.task} of words alone: transformers has no class with this head", hint)
    return _Kind("RobertaForQuestionAnswering", False, None, task)


def _write(folder: Path, kind: _Kind, about: About, start: Start, tensors: Mapping[str, Tensor]) -> str:
    """Fill the folder; the class of the tokenizer."""
    words = words_of(start.tokenizer, "the run's tokenizer")
    marker_rows = {name: words.size + number for number, name in enumerate(kind.task.markers)}
    with_spans = kind.luke and is_byte_level(start.tokenizer)
    if with_spans:
        renamed_markers = dict(zip(_TOKENIZER_MARKERS, marker_rows.values(), strict=False))
        word_rows = save_luke_tokenizer(start.tokenizer, words, folder, renamed_markers, kind.job)
    else:
        word_rows = _save_with_markers(start.tokenizer, marker_rows, folder)
    state = {name.removeprefix("encoder."): tensor for name, tensor in tensors.items() if name.startswith("encoder.")}
    state["words.token.weight"] = state["words.token.weight"][torch.tensor(word_rows)]
    if kind.luke:
        state[_TABLE], entities = _entities(state[_TABLE], kind.task, start)
        (folder / "entity_vocab.json").write_text(json.dumps(entities, ensure_ascii=False, indent=0) + "\n", "utf-8")
        state = with_queries(state)
    hf_tensors = to_hugging_face(state)
    if kind.luke and kind.name != _ANSWER:  # their encoder has a pooler there, which nothing reads
        size = about.encoder.hidden_size
        hf_tensors |= {"luke.pooler.dense.weight": torch.zeros(size, size), "luke.pooler.dense.bias": torch.zeros(size)}
    if not kind.luke:
        hf_tensors = {f"roberta.{name.removeprefix('luke.')}": tensor for name, tensor in hf_tensors.items()}
    head_name = "qa_outputs" if kind.name.endswith("QuestionAnswering") else "classifier"
    hf_tensors |= {
        n.replace("classifier", head_name): tensor for n, tensor in tensors.items() if n.startswith("classifier.")
    }
    saved_tensors = {name: tensor.float().clone().contiguous() for name, tensor in hf_tensors.items()}
    save_file(saved_tensors, folder / WEIGHTS, {"format": "pt"})
    apply_umask(folder / WEIGHTS)
    specials = {"first": words.first, "pad": words.pad, "last": words.last}
    text = luke_config_json(about.encoder, len(word_rows), len(state.get(_TABLE, [0])), specials)
    (folder / CONFIG).write_text(_with_head(text, kind, about), encoding="utf-8")
    return LUKE_TOKENIZER if with_spans else PLAIN_TOKENIZER


def _with_head(text: str, kind: _Kind, about: About) -> str:
    """The `config.json` of a LUKE as that of the class."""
    config: dict[str, Any] = json.loads(text)
    config |= {"architectures": [kind.name], "id2label": dict(enumerate(about.labels))}
    config["label2id"] = {label: number for number, label in enumerate(about.labels)}
    if not kind.luke:
        config["model_type"] = "roberta"
        for name in ("entity_vocab_size", "entity_emb_size", "use_entity_aware_attention"):
            del config[name]
    return json.dumps(config, ensure_ascii=False, indent=2) + "\n"


def _save_with_markers(tokenizer: Tokenizer, marker_rows: Mapping[str, int], folder: Path) -> list[int]:
    """The tokenizer as it is, with the task's markers as tokens; for each word id there which of our rows it takes."""
    extended = Tokenizer.from_str(tokenizer.to_str())
    extended.add_special_tokens([AddedToken(name, normalized=False, special=True) for name in marker_rows])
    rows = save_plain_tokenizer(extended, words_of(extended, "the run's tokenizer"), folder)
    for name, row in marker_rows.items():
        rows[extended.get_vocab()[name]] = row
    return rows


def _entities(table: Tensor, task: Task, start: Start) -> tuple[Tensor, dict[str, int]]:
    """The table with what `LukeTokenizer` asks for, and its rows by title.

    Of a task with entities of its own `[MASK]` and `[MASK2]` are the first and the second (the first again); of one
    that looks entities up, `[MASK2]` is `[MASK]` once more, behind all others where there is none.
    """
    if not task.vocabulary:
        rows = [0, 1, 1, min(2, len(table) - 1)]
        return table[torch.tensor(rows)], {name: number for number, name in enumerate(_TOKENIZER_ENTITIES)}
    ids = dict(start.entities)
    if "[MASK2]" not in ids:
        ids["[MASK2]"] = len(table)
        table = torch.cat([table, table[ids["[MASK]"]][None]])
    return table, ids
