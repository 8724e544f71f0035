"""Which ordered pairs of a text's mentions are asked for: `"pairs": [[0, 1], …]` of its line, or all of them.

Numbers count the links as the line gives them (mentions in brackets as they stand), from 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from wikiprep.inference.texts import TextLine
from wikiprep.pretrain.trained import BadText

FIELD = "pairs"
Pair = tuple[int, int]


@dataclass(frozen=True)
class AskedPairs:
    """`numbers`: numbers of heads and tails as the line counts them; `places`: the same among the mentions in order."""

    numbers: list[Pair]
    places: list[Pair]


def asked_pairs(line: TextLine) -> AskedPairs:
    """Raises BadText for a text of one mention, and for pairs that are none of two mentions of it."""
    count = len(line.marked.spans)
    if count < 2:
        raise BadText("no pair in it: one mention" if count else "no pair in it: no mention")
    pairs = pairs_if_any(line)
    if not pairs.numbers:
        raise BadText(f'"{FIELD}" is empty: leave it out for all pairs')
    return pairs


def pairs_if_any(line: TextLine) -> AskedPairs:
    """The same, where a text without a pair has none. Raises BadText for pairs that are none of two mentions of it."""
    count = len(line.marked.spans)
    field_value = line.record.get(FIELD)
    pairs = list(permutations(range(count), 2)) if field_value is None else list(_read_pairs(field_value, count))
    place = _places(line)
    return AskedPairs(pairs, [(place[head], place[tail]) for head, tail in pairs])


def _read_pairs(field_value: object, count: int) -> Iterable[Pair]:
    if not isinstance(field_value, list):
        raise BadText(f'"{FIELD}" is not a list of [head, tail]')
    for entry in field_value:
        if not (isinstance(entry, list) and len(entry) == 2 and all(type(number) is int for number in entry)):
            raise BadText(f'"{FIELD}" holds {_short(entry)}: a pair is [head, tail], numbers of two mentions')
        head, tail = entry
        if not (0 <= head < count and 0 <= tail < count):
            raise BadText(f'"{FIELD}" holds {_short(entry)}: mentions are 0 to {count - 1}')
        if head == tail:
            raise BadText(f'"{FIELD}" holds {_short(entry)}: a mention is no pair with itself')
        yield head, tail


def _places(line: TextLine) -> list[int]:
    """Of each link of the line the place of its mention: mentions are in the order of the text, links in any."""
    links = line.record.get("links")
    if links is None:
        return list(range(len(line.marked.spans)))
    place_of = {span: place for place, span in enumerate(line.marked.spans)}
    return [place_of[link["start"], link["end"]] for link in links]


def _short(entry: object) -> str:
    text = repr(entry)
    return text if len(text) <= 40 else text[:37] + "…"
