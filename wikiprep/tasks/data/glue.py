"""GLUE (Wang et al. 2019): nine tasks of sentences and pairs of sentences, in the tab-separated files it is spread in.

No quoting: a quotation mark is a letter. The first line names the columns, but of CoLA's train and dev files; columns
are found by name. A row with fewer columns is counted and left out, as QQP has some.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.benchmark_files import Source, UniqueIds, text_lines
from wikiprep.tasks.examples import SentenceExample

SHORT, UNDECIDED = "rows with too few columns", 'rows without a gold label ("-")'
ENTAILMENT = ("entailment", "not_entailment")


@dataclass(frozen=True)
class GlueTask:
    """A task of GLUE.

    `columns`: of text, second text ("": none) and label; `labels`: in the order of the classes, () where the label is a
    number from 0 to 5; `train`: examples of the published training file; `bare`: its files with labels have no header;
    `parts`: file of each split.
    """

    title: str
    columns: tuple[str, str, str]
    labels: tuple[str, ...]
    train: int
    bare: bool = False
    parts: Mapping[str, str] = field(
        default_factory=lambda: {"train": "train.tsv", "dev": "dev.tsv", "test": "test.tsv"}
    )


_MNLI = {
    "train": "train.tsv",
    "dev": "dev_matched.tsv",
    "dev_mismatched": "dev_mismatched.tsv",
    "test": "test_matched.tsv",
    "test_mismatched": "test_mismatched.tsv",
}
BINARY = ("0", "1")
GLUE: dict[str, GlueTask] = {
    "glue/cola": GlueTask("CoLA", ("sentence", "", "label"), BINARY, 8551, bare=True),
    "glue/sst2": GlueTask("SST-2", ("sentence", "", "label"), BINARY, 67349),
    "glue/mrpc": GlueTask("MRPC", ("#1 String", "#2 String", "Quality"), BINARY, 3668),
    "glue/stsb": GlueTask("STS-B", ("sentence1", "sentence2", "score"), (), 5749),
    "glue/qqp": GlueTask("QQP", ("question1", "question2", "is_duplicate"), BINARY, 363846),
    "glue/mnli": GlueTask(
        "MNLI",
        ("sentence1", "sentence2", "gold_label"),
        ("contradiction", "entailment", "neutral"),
        392702,
        parts=_MNLI,
    ),
    "glue/qnli": GlueTask("QNLI", ("question", "sentence", "label"), ENTAILMENT, 104743),
    "glue/rte": GlueTask("RTE", ("sentence1", "sentence2", "label"), ENTAILMENT, 2490),
    "glue/wnli": GlueTask("WNLI", ("sentence1", "sentence2", "label"), BINARY, 635),
}
CLOSED = ("test", "test_mismatched")
_IDS = ("index", "id")


def source_of(task: str) -> Source:
    """Where a task's files are from, and their names."""
    glue_task = GLUE[task]
    return Source(
        f"GLUE's {glue_task.title}",
        "https://gluebenchmark.com/tasks",
        "each task its own, for research",
        {split: (name,) for split, name in glue_task.parts.items()},
    )


def read(task: str, folder: Path, split: str, left_out: Counter[str]) -> tuple[list[SentenceExample], list[Path]]:
    """The examples of a split and the file it is of."""
    path = source_of(task).find(folder, split)
    return list(read_file(task, path, left_out, closed=split in CLOSED)), [path]


def notes(task: str, split: str, examples: int) -> tuple[str, ...]:
    """A line where the training file has another size than the published one: some copies are split anew."""
    glue_task = GLUE[task]
    if split != "train" or examples == glue_task.train:
        return ()
    return (
        f"{examples:,} examples, the published file of {glue_task.title} has {glue_task.train:,}: "
        "is a part of it split off?",
    )


def read_file(task: str, path: Path, left_out: Counter[str], *, closed: bool = False) -> Iterator[SentenceExample]:
    """The examples of a file; `closed`: it has no labels.

    Ids are its column "index" or "id", or else the number of the row, from 0. Raises WikiprepError with file and line
    for a column that is missing and for another label.
    """
    glue_task = GLUE[task]
    form = _form(glue_task, closed)
    lines = text_lines(path)
    if glue_task.bare and not closed:
        column_of: Mapping[str, int] = {"label": 1, "sentence": 3}
    else:
        number, line = next(lines, (1, ""))
        column_of = {name: place for place, name in enumerate(line.split("\t"))}
        missing = [name for name in glue_task.columns[: 2 if closed else 3] if name and name not in column_of]
        if missing:
            raise WikiprepError(f"{path}:{number}: the first line names no column {missing[0]!r}", form)
    first, second, label = glue_task.columns
    id_column = next((column_of[name] for name in _IDS if name in column_of), None)
    used_columns = [column_of[name] for name in (first, second, *(() if closed else (label,))) if name]
    least_columns = max([*used_columns, *([id_column] if id_column is not None else [])]) + 1
    ids = UniqueIds()
    for row, (number, line) in enumerate(lines):
        cells = line.split("\t")
        if len(cells) < least_columns:
            left_out[SHORT] += 1
            continue
        gold = None if closed else cells[column_of[label]].strip()
        if gold == "-":
            left_out[UNDECIDED] += 1
            continue
        if gold is not None:
            check_label(task, gold, f"{path}:{number}", form)
        name = ids.take(str(row) if id_column is None else cells[id_column].strip(), f"{path}:{number}")
        yield SentenceExample(
            name, cells[column_of[first]].strip(), cells[column_of[second]].strip() if second else None, gold
        )


def check_label(task: str, label: str, place: str, form: str) -> None:
    """Raises WikiprepError for what is no label of the task, or no number where it takes one."""
    labels = GLUE[task].labels
    if labels and label not in labels:
        raise WikiprepError(f"{place}: {label!r} is no label of {GLUE[task].title}, {' or '.join(labels)}", form)
    if not labels and not is_number(label):
        raise WikiprepError(f"{place}: {label!r} is no number", form)


def is_number(label: str) -> bool:
    """Whether it is a finite number in digits."""
    try:
        return abs(float(label)) < float("inf")
    except ValueError:
        return False


def _form(glue_task: GlueTask, closed: bool) -> str:
    if glue_task.bare and not closed:
        return "a line is source TAB label TAB mark TAB sentence, without a header"
    names = [name for name in glue_task.columns[: 2 if closed else 3] if name]
    return f"columns are divided by tabs, and the first line names them, {', '.join(names)} among them"


READERS = {task: partial(read, task) for task in GLUE}
FILE_READERS = {task: partial(read_file, task) for task in GLUE}
