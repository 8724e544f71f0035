"""Open Entity (Choi et al., ACL 2018), its nine general types, in the two forms in which it is passed on.

A JSON list of {"sent", "start", "end", "labels"} (ERNIE's archive; spans in characters), or the crowd's own JSON lines
{"left_context_token": [], "mention_span", "right_context_token": [], "y_str": []}, of whose labels the nine are kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from wikiprep.tasks.data.benchmark_files import Source, UniqueIds
from wikiprep.tasks.data.json_values import Value, read_json, read_json_lines
from wikiprep.tasks.examples import TypingExample
from wikiprep.textlines import head

GENERAL_TYPES = ("entity", "event", "group", "location", "object", "organization", "person", "place", "time")
SOURCE = Source(
    "Open Entity",
    "https://www.cs.utexas.edu/~eunsol/html_pages/open_entity.html (crowd files), or the data archive of "
    "https://github.com/thunlp/ERNIE (the split of Zhang et al. 2019)",
    "for research; no licence is named there, ask the authors for other uses",
    {split: (f"{split}.json", f"{split}.jsonl") for split in ("train", "dev", "test")},
)
_FORM = (
    'it is a JSON list of {"sent", "start", "end", "labels"}, or JSON lines of {"left_context_token": [], '
    '"mention_span", "right_context_token": [], "y_str": []}'
)
# Brackets as treebanks write them.
_BRACKETS = {f"-{side}{kind}B-": sign for side, sign in (("L", "("), ("R", ")")) for kind in "RCS"}


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[TypingExample], list[Path]]:
    """The examples of a split and its file."""
    path = SOURCE.find(folder, split)
    return list(read_file(path, left_out)), [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[TypingExample]:
    """The examples of a file. `left_out` counts labels beyond the nine.

    Raises WikiprepError that names the place of an example without a mention, of a span outside, of a label list that
    is none.
    """
    ids = UniqueIds()
    if head(path, 64).lstrip()[:1] == b"[":
        for number, item in enumerate(read_json(path, _FORM).items()):
            yield list_example(item, str(number), _keep_general(item.texts("labels"), left_out))
        return
    for number, item in enumerate(read_json_lines(path, _FORM)):
        name = item.text("annot_id") if item.has("annot_id") else str(number)
        yield _crowd_example(item, ids.take(name, item.place), left_out)


def list_example(item: Value, name: str, labels: Iterable[str]) -> TypingExample:
    """Of {"sent", "start", "end"}, with these labels. Raises WikiprepError, at the item's place, for no such object."""
    text = item.text("sent")
    start, end = item.span(item.number("start"), item.number("end"), len(text), "the text")
    return _example(item, name, (text[:start], text[start:end], text[end:]), labels)


def _keep_general(labels: tuple[str, ...], left_out: Counter[str]) -> list[str]:
    left_out["label: none of the nine general types"] += sum(label not in GENERAL_TYPES for label in labels)
    return [label for label in labels if label in GENERAL_TYPES]


def _crowd_example(item: Value, name: str, left_out: Counter[str]) -> TypingExample:
    left, right = (" ".join(item.texts(f"{side}_context_token")) for side in ("left", "right"))
    pieces = (f"{left} " if left else "", item.text("mention_span"), f" {right}" if right else "")
    return _example(item, name, pieces, _keep_general(item.texts("y_str"), left_out))


def _example(item: Value, name: str, pieces: tuple[str, str, str], labels: Iterable[str]) -> TypingExample:
    left, mention, right = (_with_brackets(piece) for piece in pieces)
    stripped = mention.strip()
    if not stripped:
        raise item.bad("the mention is empty")
    start = len(left) + len(mention) - len(mention.lstrip())
    return TypingExample(name, left + mention + right, (start, start + len(stripped)), tuple(sorted(set(labels))))


def _with_brackets(text: str) -> str:
    for name, sign in _BRACKETS.items():
        text = text.replace(name, sign)
    return text
