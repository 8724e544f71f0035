"""FewRel (Han et al., EMNLP 2018), the public validation part: 16 Wikidata properties with 700 sentences each.

Made for few-shot learning, where train and test share no relation; here its examples are split within each relation,
for a plain classifier. {property: [{"tokens", "h": [name, QID, [[positions], …]], "t": …}]}.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wikiprep.tasks.data.benchmark_files import Source, cut_by_hash, join_tokens
from wikiprep.tasks.data.json_values import Value, read_json
from wikiprep.tasks.examples import RelationExample, Span

SHARES = {"train": 60, "dev": 20, "test": 20}
MADE = (
    "train, dev and test are 60, 20 and 20 % of each relation of val_wiki.json, by a hash of the text (cut_by_hash): "
    "a split of this project, not one of FewRel's"
)
SOURCE = Source(
    "FewRel",
    "https://github.com/thunlp/FewRel (data/val_wiki.json)",
    "MIT",
    dict.fromkeys(SHARES, ("val_wiki.json",)),
)
_FORM = 'it is {property: [{"tokens": [], "h": [name, QID, [[token positions]]], "t": the same}]}'


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[RelationExample], list[Path]]:
    """The examples of a split and the file."""
    path = SOURCE.find(folder, split)
    parts = cut_by_hash(list(read_file(path, left_out)), list(SHARES.values()))
    return parts[list(SHARES).index(split)], [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[RelationExample]:
    """All examples, with ids "P177-0": the property and the number in its list.

    An entity that is mentioned several times is its first mention; `left_out` counts the others, and tokens that are
    white space. Raises WikiprepError that names the place of what is not as it must be.
    """
    document = read_json(path, _FORM)
    if not isinstance(document.raw, dict):
        raise document.bad("is not an object")
    for label in document.raw:
        for number, item in enumerate(document.list(label).items()):
            tokens = item.texts("tokens")
            left_out["token: white space alone"] += sum(not token.strip() for token in tokens)
            text, spans = join_tokens([token.strip() for token in tokens if token.strip()])
            places = iter(spans)
            words = [next(places) if token.strip() else None for token in tokens]
            head, tail = (_span(item, role, words, left_out) for role in ("h", "t"))
            yield RelationExample(f"{label}-{number}", text, head, tail, label)


def _span(item: Value, role: str, words: list[Span | None], left_out: Counter[str]) -> Span:
    entity = item.list(role)
    positions = entity.raw[2] if len(entity.raw) == 3 else None
    if not isinstance(positions, list) or not positions or not all(_is_place(place, words) for place in positions):
        raise entity.bad("has no positions of tokens of this text")
    left_out["mention: a further one of an entity"] += len(positions) - 1
    inside = [word for word in words[positions[0][0] : positions[0][-1] + 1] if word is not None]
    if not inside:
        raise entity.bad("the mention is white space alone")
    return inside[0][0], inside[-1][1]


def _is_place(place: object, words: list[Span | None]) -> bool:
    """Whether it is a run of neighbouring tokens."""
    if not isinstance(place, list) or not place or not all(type(number) is int for number in place):
        return False
    return 0 <= place[0] <= place[-1] < len(words) and place == list(range(place[0], place[-1] + 1))
