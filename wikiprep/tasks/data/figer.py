"""FIGER (Ling and Weld, AAAI 2012) in the split and form of Zhang et al. 2019.

Open Entity's list of {"sent", "start", "end", "labels"}, spans in characters, types as paths ("/person/author"); or an
object a line.

Training and validation are labelled by distant supervision, the test set by hand: 2,000,000, 10,000 and 563 sentences.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wikiprep.tasks.data.benchmark_files import Source
from wikiprep.tasks.data.json_values import Value, read_json, read_json_lines
from wikiprep.tasks.data.open_entity import list_example
from wikiprep.tasks.examples import TypingExample
from wikiprep.textlines import head

SOURCE = Source(
    "FIGER",
    "the data archive of https://github.com/thunlp/ERNIE (the split of Zhang et al. 2019)",
    "for research; no licence is named there, ask the authors for other uses",
    {split: (f"{split}.json", f"{split}.jsonl") for split in ("train", "dev", "test")},
)
_FORM = 'it is a JSON list of {"sent", "start", "end", "labels": ["/person/author"]}, or such an object a line'


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[TypingExample], list[Path]]:
    """The examples of a split and its file."""
    path = SOURCE.find(folder, split)
    return list(read_file(path, left_out)), [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[TypingExample]:
    """The examples of a file; nothing is left out. A list is read whole, lines one by one.

    Raises WikiprepError that names the place of an example without a mention, of a span outside, of a type that is no
    path.
    """
    is_list = head(path, 64).lstrip()[:1] == b"["
    for number, item in enumerate(read_json(path, _FORM).items() if is_list else read_json_lines(path, _FORM)):
        labels = item.texts("labels")
        for label in labels:
            _check(item, label)
        yield list_example(item, str(number), labels)


def _check(item: Value, label: str) -> None:
    if not label.startswith("/") or "" in label[1:].split("/"):
        raise item.bad(f"{label!r} is no type of FIGER, such as /person/author")
