"""Inline modifiers: what Wiktionary's editors write behind a word within its argument, `{{syn|en|big<tr:x><q:rare>}}`.

The English Wiktionary's documentation (Template:synonyms, Template:affix) is the source.
"""

import re
from collections.abc import Mapping

_MODIFIER = re.compile(r"<([a-z]+)[0-9]*:([^<>]*)>")
_NAMES = {"gloss": "t", "a": "q", "l": "q", "aa": "qq", "ll": "qq"}  # accents and labels are shown as qualifiers are


def modifiers(value: str) -> tuple[str, dict[str, str]]:
    """A value's word, and its modifiers by name; the values of one name joined by ", "."""
    end = len(value)
    pairs: list[tuple[str, str]] = []
    while end and value[end - 1] == ">":
        start = value.rfind("<", 0, end)
        match = _MODIFIER.fullmatch(value, start, end) if start >= 0 else None
        if match is None:
            break
        pairs.append((match[1], match[2].strip()))
        end = start
        while end and value[end - 1].isspace():
            end -= 1
    values_by_name: dict[str, list[str]] = {}
    for name, text in reversed(pairs):
        if text:
            values_by_name.setdefault(_NAMES.get(name, name), []).append(text)
    return value[:end], {name: ", ".join(values) for name, values in values_by_name.items()}


def word_of(value: str) -> str:
    """A value without its modifiers."""
    return modifiers(value)[0]


def add_qualifiers(text: str, modifiers: Mapping[str, str]) -> str:
    """What is shown of a word, between the qualifiers `q` and `qq`."""
    before, after = modifiers.get("q", ""), modifiers.get("qq", "")
    return (f"({before}) " if before else "") + text + (f" ({after})" if after else "")
