"""Text of a language with several scripts or spellings as each of its variants writes it, by MediaWiki's own tables.

data/converters.jsonl holds, by variant, the steps that `LanguageConverter::translate` of MediaWiki 1.39 takes
(generate_converters.py). They are: `map` (PHP's strtr: at each place the longest key of a table, what was written is
not read again), `sub` (patterns, one after the other), `outside` (steps on what lies between matches of a pattern) and
`words` (a pattern in those words alone that have one kind of letter and none of another).
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from wikiprep.languages.language import DATA

Step = Callable[[str], str]


class Converter:
    """One language's variants. `variants` is in MediaWiki's order, which decides where several lead to a page."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.variants: tuple[str, ...] = tuple(facts["variants"])
        maker = _Maker(facts)
        self._maker = maker
        steps = {variant: orjson.dumps(recipe) for variant, recipe in facts["variants"].items()}
        by_steps = {key: maker.steps(orjson.loads(key)) for key in dict.fromkeys(steps.values())}
        self._step: dict[str, Step] = {variant: by_steps[key] for variant, key in steps.items()}
        self._distinct: list[Step] = list(by_steps.values())
        # Of rules in pages: "unidirectional" or "disable", else both ways.
        self.levels: dict[str, str] = facts["levels"]
        self._guess_letters: dict[str, tuple[frozenset[str], frozenset[str]]] = {
            variant: (frozenset(own), frozenset(others)) for variant, (own, others) in facts["guessed"].items()
        }

    @functools.cached_property
    def letters(self) -> frozenset[str]:
        """Every character that a step may read, and some that none does."""
        return self._maker.letters()

    def convert(self, text: str, variant: str, rules: Mapping[str, str | None] | None = None) -> str:
        """`text` in `variant`, one of `variants`.

        `rules` are pairs of a page that go before the table's, None takes the table's own away.
        """
        return self.step(variant, rules)(text)

    def step(self, variant: str, rules: Mapping[str, str | None] | None = None) -> Step:
        """What `convert` does, for many texts: rules cost milliseconds to put into a large table."""
        return self._maker.with_rules(variant, rules) if rules else self._step[variant]

    def others(self, text: str) -> list[str]:
        """The distinct writings of `text` in the variants that differ from it, in the order of the variants."""
        writings = dict.fromkeys(step(text) for step in self._distinct)
        writings.pop(text, None)
        return list(writings)

    def is_in(self, text: str, variant: str) -> bool:
        """Whether `text` seems to be in `variant` by its letters, where MediaWiki then leaves it as it is (Serbian)."""
        if variant not in self._guess_letters:
            return False
        own, others = (sum(map(text.count, letters)) for letters in self._guess_letters[variant])
        return own > others


@functools.cache
def converter_of(code: str) -> Converter | None:
    """The converter of a language; None where it has none, as nearly all."""
    facts = _facts(code)
    if facts is None:
        return None
    if "tables_of" in facts:
        shared = _facts(facts["tables_of"])
        assert shared is not None
        facts |= {"tables": shared["tables"]}
    return Converter(facts)


def _facts(code: str) -> dict[str, Any] | None:
    start = b'{"code":' + orjson.dumps(code) + b","
    with (DATA / "converters.jsonl").open("rb") as lines:
        facts: dict[str, Any] | None = next((orjson.loads(line) for line in lines if line.startswith(start)), None)
    return facts


class _Maker:
    """Makes functions of the steps of a line of converters.jsonl."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def steps(self, recipe: Sequence[Any]) -> Step:
        steps = [self._step(kind, *details) for kind, *details in recipe]
        return steps[0] if len(steps) == 1 else _chain_steps(steps)

    def letters(self) -> frozenset[str]:
        letters: set[str] = set()
        for singles, _, others in self._facts["tables"].values():
            letters.update(singles, *others)
        for pairs in self._facts["subs"].values():
            letters.update(c for pattern, _ in pairs for c in pattern if c.isalnum())
        return frozenset(letters)

    def with_rules(self, variant: str, rules: Mapping[str, str | None]) -> Step:
        """The variant's steps with `rules` in its own table, where MediaWiki puts those of a page.

        Where it has none they stand before all steps.
        """
        return self._add_rules(self._facts["variants"][variant], rules)

    def _add_rules(self, recipe: Sequence[Any], rules: Mapping[str, str | None]) -> Step:
        own_maps = [i for i, step in enumerate(recipe) if step[0] == "map" and not step[1].startswith(_BESIDE)]
        if len(recipe) == 1 and recipe[0][0] == "outside" and any(step[0] == "map" for step in recipe[0][2]):
            return _outside_step(re.compile(recipe[0][1]), self._add_rules(recipe[0][2], rules))
        if not own_maps:
            return _chain_steps([_mapped(_without_none(rules)), self.steps(recipe)])
        own_step = _mapped(_without_none({**self._pairs(recipe[own_maps[0]][1:]), **rules}))
        return _chain_steps([self.steps(recipe[: own_maps[0]]), own_step, self.steps(recipe[own_maps[0] + 1 :])])

    def _step(self, kind: str, *details: Any) -> Step:
        if kind == "map":
            return _mapped(self._pairs(details))
        if kind == "sub":
            return _substitution_step([(re.compile(pattern), to) for pattern, to in self._facts["subs"][details[0]]])
        if kind == "outside":
            return _outside_step(re.compile(details[0]), self.steps(details[1]))
        between, required, forbidden, pattern = (re.compile(part) for part in details[:4])
        return _word_step(between, required, forbidden, pattern, details[4])

    def _pairs(self, names: Sequence[str]) -> dict[str, str]:
        """Of several tables, the first that has a key decides."""
        pairs: dict[str, str] = {}
        for name in reversed(names):
            singles, targets, others = self._facts["tables"][name]
            pairs |= dict(zip(singles, targets, strict=True)) | others
        return pairs


_BESIDE = ("lowercase", "exceptions-", "quotes-")  # tables that are not the variant's own


def _without_none(rules: Mapping[str, str | None]) -> dict[str, str]:
    return {old: new for old, new in rules.items() if new is not None and old}


def _chain_steps(steps: Sequence[Step]) -> Step:
    return lambda text: functools.reduce(lambda converted, step: step(converted), steps, text)


def _mapped(pairs: dict[str, str]) -> Step:
    """PHP's strtr with an array."""
    single = str.maketrans({old: new for old, new in pairs.items() if len(old) == 1})
    longer = {old: new for old, new in pairs.items() if len(old) > 1}
    if not longer:
        return lambda text: text.translate(single)
    lengths: dict[str, set[int]] = {}
    for old in longer:
        lengths.setdefault(old[:2], set()).add(len(old))
    longest_first = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
    starts = re.compile("[" + "".join(map(re.escape, sorted({first[0] for first in lengths}))) + "]").finditer

    def replace(text: str) -> str:
        pieces: list[str] = []
        at = 0
        for match in starts(text):
            start = match.start()
            if start < at:
                continue
            for length in longest_first.get(text[start : start + 2], ()):
                new = longer.get(text[start : start + length])
                # Shorter than asked for is the text's end, which a shorter key may match later.
                if new is not None and start + length <= len(text):
                    pieces += (text[at:start].translate(single), new)
                    at = start + length
                    break
        return "".join(pieces) + text[at:].translate(single)

    return replace


def _substitution_step(patterns: Sequence[tuple[re.Pattern[str], str]]) -> Step:
    def replace(text: str) -> str:
        for pattern, to in patterns:
            text = pattern.sub(to, text)
        return text

    return replace


def _outside_step(pattern: re.Pattern[str], step: Step) -> Step:
    def replace(text: str) -> str:
        pieces: list[str] = []
        at = 0
        for match in pattern.finditer(text):
            pieces += (step(text[at : match.start()]), match[0])
            at = match.end()
        return "".join(pieces) + step(text[at:])

    return replace


def _word_step(
    between: re.Pattern[str], required: re.Pattern[str], forbidden: re.Pattern[str], pattern: re.Pattern[str], to: str
) -> Step:
    def replace_word(text: str) -> str:
        return pattern.sub(to, text) if required.search(text) and not forbidden.search(text) else text

    return _outside_step(between, replace_word)
