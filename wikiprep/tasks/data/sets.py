"""The tasks whose data can be read: name, splits, files, where they come from, and the reader.

Data of a user's own is another `TaskData`, with a function (folder, split, left_out) -> examples, files.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint
from wikiprep.tasks.data import (
    conll,
    copa,
    fewrel,
    figer,
    glue,
    joint,
    open_entity,
    record_dataset,
    semeval2010,
    squad,
    tacred,
)
from wikiprep.tasks.data.benchmark_files import Source
from wikiprep.tasks.examples import ReadSplit

TRAIN, DEV, TEST = "train", "dev", "test"
Reader = Callable[[Path, str, Counter[str]], tuple[Sequence[Any], Sequence[Path]]]
FileReader = Callable[[Path, Counter[str]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class TaskData:
    """The data of a task. `splits` are those that a user can have; `read_file` reads one file, whatever its split;
    `preparation` says how a split that the files lack is made, "" where they have all."""

    source: Source
    splits: tuple[str, ...]
    reader: Reader
    read_file: FileReader
    preparation: str = ""
    closed: tuple[str, ...] = ()  # splits without labels, that are asked where their files are there
    notes: Callable[[str, int], tuple[str, ...]] = lambda split, examples: ()


SETS: dict[str, TaskData] = {
    "open-entity": TaskData(open_entity.SOURCE, (TRAIN, DEV, TEST), open_entity.read, open_entity.read_file),
    "figer": TaskData(figer.SOURCE, (TRAIN, DEV, TEST), figer.read, figer.read_file),
    "tacred": TaskData(tacred.SOURCE, (TRAIN, DEV, TEST), tacred.read, tacred.read_file),
    "conll2003": TaskData(conll.CONLL2003, (TRAIN, DEV, TEST), conll.read_conll2003, conll.read_file),
    "wnut17": TaskData(conll.WNUT17, (TRAIN, DEV, TEST), conll.read_wnut17, conll.read_file),
    "record": TaskData(record_dataset.SOURCE, (TRAIN, DEV), record_dataset.read, record_dataset.read_file),
    "squad": TaskData(squad.SOURCE, (TRAIN, DEV), squad.read, squad.read_file),
    "semeval2010": TaskData(
        semeval2010.SOURCE, (TRAIN, DEV, TEST), semeval2010.read, semeval2010.read_file, semeval2010.MADE
    ),
    "webnlg": TaskData(joint.WEBNLG, joint.SPLITS, joint.read_webnlg, joint.read_file),
    "nyt24": TaskData(joint.NYT24, joint.SPLITS, joint.read_nyt24, joint.read_file),
    "fewrel": TaskData(fewrel.SOURCE, (TRAIN, DEV, TEST), fewrel.read, fewrel.read_file, fewrel.MADE),
    **{
        task: TaskData(
            glue.source_of(task),
            tuple(split for split in glue_task.parts if split not in glue.CLOSED),
            glue.READERS[task],
            glue.FILE_READERS[task],
            closed=tuple(split for split in glue_task.parts if split in glue.CLOSED),
            notes=partial(glue.notes, task),
        )
        for task, glue_task in glue.GLUE.items()
    },
    "copa": TaskData(copa.SOURCE, (TRAIN, DEV, TEST), copa.read, copa.read_file, copa.MADE),
}


def set_named(task: str) -> TaskData:
    """The data of a task. Raises UsageError for a name that is not known."""
    if task not in SETS:
        raise UsageError(f"no task is called {task!r}", names_hint("tasks", task, SETS))
    return SETS[task]


def splits_of(task: str) -> tuple[str, ...]:
    """The splits with labels that a user can have. The tests of ReCoRD and SQuAD are closed: they have two."""
    return set_named(task).splits


def read(task: str, folder: str | Path, split: str) -> ReadSplit[Any]:
    """The examples of a split.

    TypingExample of open-entity and figer, RelationExample of tacred, semeval2010 and fewrel, TaggedDocument of
    conll2003 and wnut17, ClozeExample of record, QuestionExample of squad, JointExample of webnlg and nyt24,
    SentenceExample of GLUE's tasks, ChoiceExample of copa.

    Raises UsageError for a split that the task does not have, WikiprepError for files that are missing (with where they
    come from and under which terms) or damaged (with file and line, or place in the JSON).
    """
    data = set_named(task)
    if split not in (*data.splits, *data.closed):
        raise UsageError(f"{task} has no split {split!r}", f"it has {', '.join(data.splits)}")
    left_out: Counter[str] = Counter()
    examples, files = data.reader(Path(folder), split, left_out)
    return ReadSplit(task, split, tuple(examples), left_out, tuple(files), data.notes(split, len(examples)))


def splits_there(task: str, folder: Path) -> tuple[str, ...]:
    """Those of `splits_of`, and the closed ones whose files are in the folder."""
    data = set_named(task)
    closed_splits = (s for s in data.closed if any((folder / name).is_file() for name in data.source.files[s]))
    return (*data.splits, *closed_splits)
