"""The sets of mentions and of pairs that are clustered or drawn. All parts of a set are taken together."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.suggestions import names_hint
from wikiprep.tasks.data import bc5cdr, conll, fewrel, joint
from wikiprep.tasks.data.benchmark_files import Source
from wikiprep.tasks.examples import RelationExample
from wikiprep.tasks.frozen.items import ReadItems, TextItem, mention_items, pair_items

ENTITIES, RELATIONS = "entities", "relations"
NOT_LOCATED = "triples: an end is not in the text"
ReadFile = Callable[[Path, str, Counter[str], Counter[str]], Iterator[TextItem]]  # file, prefix of ids, read, left out


@dataclass(frozen=True, slots=True)
class FrozenSet:
    """One set. `classes`: labels that are drawn at a time, 0 for all; `picture`: labels of its picture, () for all."""

    what: str
    source: Source
    read_file: ReadFile
    classes: int = 0
    picture: tuple[str, ...] = ()


def _bc5cdr(path: Path, prefix: str, read: Counter[str], left_out: Counter[str]) -> Iterator[TextItem]:
    return mention_items(bc5cdr.read_mentions(path, read, left_out), prefix)


def _columns(path: Path, prefix: str, read: Counter[str], left_out: Counter[str]) -> Iterator[TextItem]:
    return mention_items(bc5cdr.mentions_of_columns(path, read, left_out), prefix)


def _fewrel(path: Path, prefix: str, read: Counter[str], left_out: Counter[str]) -> Iterator[TextItem]:
    examples = list(fewrel.read_file(path, left_out))
    read["sentences"] += len({example.text for example in examples})
    read["pairs with a relation"] += len(examples)
    return pair_items(examples, prefix, left_out)


def _nyt24(path: Path, prefix: str, read: Counter[str], left_out: Counter[str]) -> Iterator[TextItem]:
    examples = joint.read_file(path, left_out)
    if any(example.form != joint.FULL for example in examples):
        raise WikiprepError(
            f"{path}: of the form {examples[0].form!r}: its entities have no spans to evaluate",
            "the set with whole names is needed: NYT24, not NYT24*",
        )
    pairs = []
    for example in examples:
        read["sentences"] += 1
        read["triples"] += len(example.triples)
        for number, triple in enumerate(example.triples):
            if triple.head is None or triple.tail is None:
                left_out[NOT_LOCATED] += 1
            else:
                name = f"{example.id}-{number}"
                pairs.append(RelationExample(name, example.text, triple.head, triple.tail, triple.relation))
    return pair_items(pairs, prefix, left_out)


SETS = {
    "bc5cdr": FrozenSet(ENTITIES, bc5cdr.SOURCE, _bc5cdr),
    "conll2003": FrozenSet(ENTITIES, conll.CONLL2003, _columns, picture=("PER", "ORG")),
    "wnut17": FrozenSet(ENTITIES, conll.WNUT17, _columns),
    "fewrel": FrozenSet(RELATIONS, fewrel.SOURCE, _fewrel, classes=4),
    "nyt24": FrozenSet(
        RELATIONS, joint.NYT24, _nyt24, classes=4, picture=("place_lived", "nationality", "country", "capital")
    ),
}


def names_of(what: str) -> list[str]:
    """The sets of entities, or of relations."""
    return [name for name, one in SETS.items() if one.what == what]


def set_at(what: str, data: Path, name: str | None) -> str:
    """The set that `data` holds: `name`, or the first of whose files one is in the folder.

    Raises UsageError for a set of the other kind, or where `data` holds none: it says where to get one.
    """
    if name is not None:
        if name not in names_of(what):
            raise UsageError(f"--set {name}: is none of {what}", names_hint(f"sets of {what}", name, names_of(what)))
        return name
    if data.is_file():
        raise UsageError(f"{data}: is one file", f"say of which set: --set {' or '.join(names_of(what))}")
    for set_name in names_of(what):
        if any((data / file).is_file() for files in SETS[set_name].source.files.values() for file in files):
            return set_name
    where = f"has no file of {', '.join(names_of(what))}" if data.is_dir() else "no such folder"
    hint = "say of which set it is, --set" if data.is_dir() else "check the path"
    sources = [f"{SETS[set_name].source.name}: {SETS[set_name].source.where}" for set_name in names_of(what)]
    raise UsageError(f"{data}: {where}", f"{hint}; get {'; '.join(sources)}")


def read_set(name: str, data: Path) -> ReadItems:
    """All items of a set: of one file, or of the files of all its parts in a folder, each once.

    Raises WikiprepError for a part that is missing (with where it comes from), or a file that is damaged.
    """
    frozen_set = SETS[name]
    if data.is_file():
        parts = {"": data}
    else:
        paths = {split: frozen_set.source.find(data, split) for split in frozen_set.source.files}
        parts = {split if len(set(paths.values())) > 1 else "": path for split, path in paths.items()}
    read: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    items: list[TextItem] = []
    for split, path in parts.items():
        items += frozen_set.read_file(path, f"{split}/" if split else "", read, left_out)
    return ReadItems(tuple(items), +read, +left_out, tuple(parts.values()))
