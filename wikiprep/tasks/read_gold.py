"""Gold labels for `score`.

A data set's folder with a split, one of its files, a key as the official scorers take it, or a predictions.jsonl.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import orjson

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data import tacred
from wikiprep.tasks.data.benchmark_files import text_lines
from wikiprep.tasks.data.joint import sizes_of
from wikiprep.tasks.data.sets import read, set_named, splits_of
from wikiprep.tasks.data.webnlg import is_archive
from wikiprep.tasks.gold import gold_of
from wikiprep.tasks.official_forms import is_relation_key, label_lines, relation_lines
from wikiprep.tasks.predictions import Extraction, Prediction, read_predictions
from wikiprep.tasks.task_names import JOINT
from wikiprep.textlines import head


@dataclass(frozen=True, slots=True)
class Gold:
    """Examples with what is right; `left_out` as the reader counted."""

    examples: list[Prediction]
    left_out: Counter[str]


def read_gold(task: str, path: Path, split: str | None, triples: str = "all") -> Gold:
    """The gold labels of a task. `split` is for a folder (or an archive of WebNLG), whose last split is the default.
    `triples`: of joint extraction, texts with so many alone (`data/joint.py`).

    Raises WikiprepError that names the place of what cannot be used, and for examples without labels; UsageError for a
    split with a file, and for `triples` with another task.
    """
    data, left_out = set_named(task), Counter[str]()
    if triples != "all" and task not in JOINT:
        raise UsageError(f"--triples {triples}: {task} has no triples", f"it is for {' and '.join(JOINT)}")
    if path.is_dir() or (task == "webnlg" and is_archive(path)):
        read_split = read(task, path, split or splits_of(task)[-1])
        examples, left_out = list(gold_of(read_split.examples)), read_split.left_out
    elif split is not None:
        raise UsageError(f"--split {split}: {path} is a file", "a split is chosen from a data set's folder")
    elif is_ours(path, "gold"):
        examples = list(read_predictions(path))
    elif task == "semeval2010" and is_relation_key(path):
        examples = [Prediction(name, "", label, None, place=place) for name, label, place in relation_lines(path)]
    elif task == "tacred" and not _is_json(path):
        lines = enumerate(label_lines(path, tacred.LABELS))
        examples = [Prediction(str(number), "", label, None, place=place) for number, (label, place) in lines]
    else:
        examples = list(gold_of(data.read_file(path, left_out)))
    unlabelled = next((example for example in examples if example.gold is None), None)
    if unlabelled is not None:
        raise WikiprepError(
            f"{unlabelled.place or path}: example {unlabelled.id!r} has no right answer",
            "closed tests are scored by their owners",
        )
    if not examples:
        raise WikiprepError(f"{path}: no example could be read", f"the file is empty, or not of {data.source.name}")
    if triples != "all":
        triple_counts = sizes_of(triples)
        examples = [
            one for one in examples if isinstance(one.gold, Extraction) and len(one.gold.triples) in triple_counts
        ]
    return Gold(examples, +left_out)


def is_ours(path: Path, field: str) -> bool:
    """Whether the first line is one of predictions.jsonl with this field."""
    for _, line in text_lines(path):
        try:
            first = orjson.loads(line)
        except orjson.JSONDecodeError:
            return False
        return isinstance(first, dict) and "id" in first and field in first
    return False


def _is_json(path: Path) -> bool:
    return head(path, 64).lstrip()[:1] in (b"[", b"{")
