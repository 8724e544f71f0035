"""The rules of finding names said slowly: every token asks the trie for the longest name from there."""

from collections.abc import Callable, Iterable
from functools import cache
from unicodedata import category, name

import marisa_trie

UNSPACED = (
    "CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC", "VERTICAL IDEOGRAPHIC", "HANGZHOU", "MASU", "KATAKANA",
    "HIRAGANA", "HENTAIGANA", "VERTICAL KANA", "HALFWIDTH KATAKANA", "BOPOMOFO", "THAI", "LAO", "MYANMAR", "KHMER",
    "TAI ", "NEW TAI", "AHOM",
)  # fmt: skip


@cache
def kind(character: str) -> str:
    """space, word, single or mark."""
    if character.isspace():
        return "space"
    if (category(character)[0] == "M" and character != "\u0345") or character in "\u00ad\u200c\u200d":
        return "mark"
    if category(character)[0] == "L" or category(character) == "Nl":
        return "single" if name(character, "").startswith(UNSPACED) else "word"
    return "word" if category(character)[0] == "N" or character == "\u0345" else "single"


def tokens(text: str) -> list[tuple[int, int]]:
    """Spans of the tokens of a text."""
    found: list[list[int]] = []
    last = "space"  # what the last token is, or that white space follows it
    for place, character in enumerate(text):
        what = kind(character)
        if what == "space":
            last = "space"
            continue
        if last != "space" and (what == "mark" or what == last == "word"):
            found[-1][1] = place + 1
            continue
        found.append([place, place + 1])
        last = "word" if what == "mark" else what
    return [(start, end) for start, end in found]


class SimpleFinder:
    """Over any names; `form` is normal_name or folded_name."""

    def __init__(self, names: Iterable[str] | marisa_trie.Trie, form: Callable[[str], str]) -> None:
        self.trie = names if isinstance(names, marisa_trie.Trie) else marisa_trie.Trie(names)
        self.form = form
        self.longest = max(map(len, self.trie.iterkeys()), default=0)

    def find(self, text: str, blocked: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int, int]]:
        """(start, end, id) of the names of one text."""
        found = []
        links = sorted(span for span in blocked if span[0] < span[1])
        in_form = self.form(text) == text
        spans, place = tokens(text), 0
        while place < len(spans):
            start = spans[place][0]
            while links and links[0][1] <= start:
                links.pop(0)
            until = links[0][0] if links else len(text)
            ends = []
            for _, end in spans[place:]:
                if end > until or (in_form and end > start + self.longest):
                    break
                ends.append(end)
            best = self._best(text, start, ends, in_form)
            if best is None:
                place += 1
                continue
            found.append((start, *best))
            place += ends.index(best[0]) + 1
        return found

    def _best(self, text: str, start: int, ends: list[int], in_form: bool) -> tuple[int, int] | None:
        if in_form:
            if ends:
                for name in reversed(self.trie.prefixes(text[start : ends[-1]])):
                    if start + len(name) in ends:
                        return start + len(name), self.trie[name]
            return None
        for end in reversed(ends):
            name = self.form(text[start:end])
            if name in self.trie:
                return end, self.trie[name]
        return None
