"""SemEval-2010 task 8 (Hendrickx et al.): relations between two nominals, nine with a direction, and Other.

Blocks of lines: `id TAB "sentence with <e1>…</e1> and <e2>…</e2>"`, the relation, a comment, an empty line. A test key
without directions (TEST_FILE_KEY.TXT of some copies) is refused: the official score needs them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.benchmark_files import Source, UniqueIds, cut_by_hash, text_lines
from wikiprep.tasks.examples import RelationExample

RELATIONS = (
    *("Cause-Effect", "Component-Whole", "Content-Container", "Entity-Destination", "Entity-Origin"),
    *("Instrument-Agency", "Member-Collection", "Message-Topic", "Product-Producer"),
)
OTHER = "Other"
LABELS = (*(f"{name}({way})" for name in RELATIONS for way in ("e1,e2", "e2,e1")), OTHER)
DEV_SHARE = 10
MADE = (
    f"dev is {DEV_SHARE} % of each relation of the training file, by a hash of the text (cut_by_hash), and train the "
    "rest: the task has no development set"
)
SOURCE = Source(
    "SemEval-2010 task 8",
    "the task's page, https://semeval2.fbk.eu (task 8; archive SemEval2010_task8_all_data)",
    "CC BY 3.0",
    {
        **dict.fromkeys(("train", "dev"), ("TRAIN_FILE.TXT", "SemEval2010_task8_training/TRAIN_FILE.TXT")),
        "test": ("TEST_FILE_FULL.TXT", "SemEval2010_task8_testing_keys/TEST_FILE_FULL.TXT"),
    },
)
_FORM = 'it is blocks of lines: number TAB "sentence with <e1></e1> and <e2></e2>", Relation(e1,e2), Comment:, empty'
_HEAD = re.compile(r'\s*(\d+)\t\s*"?(.*?)"?\s*')
_TAGS = re.compile(r"<(/?)(e[12])>")


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[RelationExample], list[Path]]:
    """The examples of a split and the file it is of."""
    path = SOURCE.find(folder, split)
    examples = list(read_file(path, left_out))
    if split == "test":
        return examples, [path]
    return cut_by_hash(examples, (100 - DEV_SHARE, DEV_SHARE))[split == "dev"], [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[RelationExample]:
    """The examples of a file.

    <e1> is head, <e2> tail, and neither tags nor the quotes around are of the text; nothing is left out. Raises
    WikiprepError that names the line of what is not as it must be.
    """
    ids, pending = UniqueIds(), None
    for number, line in text_lines(path):
        if pending is None:
            if line.startswith("Comment"):
                continue
            pending = (number, _sentence(path, number, line, ids))
            continue
        (name, text, spans), label = pending[1], line.strip()
        pending = None
        check_label(path, number, label)
        yield RelationExample(name, text, spans["e1"], spans["e2"], label)
    if pending is not None:
        raise WikiprepError(f"{path}:{pending[0]}: the sentence has no relation below it: the file is cut", _FORM)


def _sentence(path: Path, number: int, line: str, ids: UniqueIds) -> tuple[str, str, dict[str, tuple[int, int]]]:
    match = _HEAD.fullmatch(line)
    if match is None:
        raise WikiprepError(f'{path}:{number}: is no line of number, TAB, "sentence"', _FORM)
    name = ids.take(match[1], f"{path}:{number}")
    pieces, tag_starts, spans, size, at = [], {}, {}, 0, 0
    for tag in _TAGS.finditer(match[2]):
        pieces.append(match[2][at : tag.start()])
        size += tag.start() - at
        at = tag.end()
        if not tag[1]:
            tag_starts[tag[2]] = size
        elif tag[2] in tag_starts and tag[2] not in spans:
            spans[tag[2]] = (tag_starts[tag[2]], size)
    pieces.append(match[2][at:])
    if set(spans) != {"e1", "e2"} or any(start == end for start, end in spans.values()) or len(pieces) != 5:
        raise WikiprepError(f"{path}:{number}: has not <e1>…</e1> and <e2>…</e2>, each once and not empty", _FORM)
    return name, "".join(pieces), spans


def check_label(path: Path, number: int, label: str) -> None:
    """Raises WikiprepError, with file and line, for what is no relation of the task, or has no direction."""
    if label in RELATIONS:
        raise WikiprepError(
            f"{path}:{number}: {label} has no direction, as in TEST_FILE_KEY.TXT",
            "TEST_FILE_FULL.TXT has the relations with theirs: Cause-Effect(e1,e2)",
        )
    if label not in LABELS:
        raise WikiprepError(f"{path}:{number}: {label!r} is no relation of the task", f"relations: {', '.join(LABELS)}")
