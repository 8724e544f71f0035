"""COPA (Roemmele et al. 2011): which of two alternatives is the cause, or the effect, of a premise?

Two forms: the published XML (500 for development, 500 of test), and SuperGLUE's JSON lines (400 to train, 100 to
choose by, and the test without labels). The test is that of the XML, where it is there.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from xml.parsers import expat

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.benchmark_files import Source, UniqueIds
from wikiprep.tasks.data.json_values import read_json_lines
from wikiprep.tasks.examples import ChoiceExample
from wikiprep.textlines import read_whole

LABELS = ("choice1", "choice2")
TRAIN_SHARE = 400
MADE = (
    "of the XML, which has no training set, dev is a fifth of the development file, by a hash of the text, and train "
    "the rest: 400 and 100 as in SuperGLUE, but not the same ones"
)
SOURCE = Source(
    "COPA",
    "its page, https://people.ict.usc.edu/~gordon/copa.html, or https://super.gluebenchmark.com/tasks (JSON lines)",
    "BSD 2-Clause",
    {
        "train": ("train.jsonl", "copa-dev.xml"),
        "dev": ("val.jsonl", "copa-dev.xml"),
        "test": ("copa-test.xml", "test.jsonl"),
    },
)
_JSON = 'a line is {"premise", "choice1", "choice2", "question": "cause" or "effect", "label": 0 or 1, "idx"}'
_XML = (
    '<item id="1" asks-for="cause" most-plausible-alternative="1"><p>premise</p><a1>first</a1><a2>second</a2></item>, '
    "in <copa-corpus>"
)


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[ChoiceExample], list[Path]]:
    """The examples of a split and the file it is of."""
    path = SOURCE.find(folder, split)
    if split != "test" and path.suffix == ".xml" and any((folder / name).is_file() for name in _LINES):
        # What SuperGLUE has of it stands in the XML too: dev would be what was trained on.
        raise WikiprepError(f"{folder}: has one of {' and '.join(_LINES)}, not both", "put both there, or neither")
    examples = list(read_file(path, left_out, closed=path.name == "test.jsonl"))
    if split != "test" and path.suffix == ".xml":
        order = sorted(examples, key=lambda example: sha256(example.premise.encode()).digest())
        cut = len(order) * TRAIN_SHARE // 500
        chosen_ids = {example.id for example in (order[:cut] if split == "train" else order[cut:])}
        examples = [example for example in examples if example.id in chosen_ids]
    return examples, [path]


_LINES = ("train.jsonl", "val.jsonl")


def read_file(path: Path, left_out: Counter[str], *, closed: bool = False) -> Iterator[ChoiceExample]:
    """The examples of a file of either form; `closed`: it has no labels. Nothing is left out.

    Raises WikiprepError with file and line for what is not as it must be.
    """
    return _read_xml(path) if path.suffix == ".xml" else _read_lines(path, closed)


def _read_lines(path: Path, closed: bool) -> Iterator[ChoiceExample]:
    ids = UniqueIds()
    for item in read_json_lines(path, _JSON):
        label = None if closed else item.number("label")
        if label not in (None, 0, 1):
            raise item.bad(f"label is {label}")
        if item.text("question") not in ("cause", "effect"):
            raise item.bad(f"question is {item.text('question')!r}")
        yield ChoiceExample(
            ids.take(str(item.number("idx")), item.place),
            item.text("premise"),
            (item.text("choice1"), item.text("choice2")),
            item.text("question"),
            None if label is None else LABELS[label],
        )


def _read_xml(path: Path) -> Iterator[ChoiceExample]:
    ids = UniqueIds()
    for number, item in _items(path):
        place = f"{path}:{number}"
        texts = {name: item.get(name, "").strip() for name in ("p", "a1", "a2")}
        empty = next((name for name, text in texts.items() if not text), None)
        if empty:
            raise WikiprepError(f"{place}: the item has no <{empty}>", _XML)
        asks, label = item.get("asks-for"), item.get("most-plausible-alternative")
        if asks not in ("cause", "effect") or label not in ("1", "2") or not item.get("id"):
            raise WikiprepError(f"{place}: an item needs id, asks-for and most-plausible-alternative", _XML)
        name = ids.take(item["id"], place)
        yield ChoiceExample(name, texts["p"], (texts["a1"], texts["a2"]), asks, LABELS[int(label) - 1])


def _items(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Line, attributes and texts of each item. expat alone, since only it knows lines."""
    items: list[tuple[int, dict[str, str]]] = []
    inside: list[str] = []
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        inside.append(name)
        if name == "item":
            items.append((parser.CurrentLineNumber, dict(attributes)))

    def end(name: str) -> None:
        inside.pop()

    def text(data: str) -> None:
        if items and inside[-1] in ("p", "a1", "a2"):
            item = items[-1][1]
            item[inside[-1]] = item.get(inside[-1], "") + data

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    try:
        parser.Parse(read_whole(path), True)
    except expat.ExpatError as error:
        raise WikiprepError(f"{path}:{error.lineno}: not XML ({expat.errors.messages[error.code]})", _XML) from error
    return iter(items)
