"""Counts what should not be in extracted text: traces of markup and of what was left out.

The kinds are those that tools leave behind (benchmarks/defects.py prints them for a dump). Each is a pattern that
plain prose hardly ever fits; a hit is a suspicion, to be looked at in its context.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

_OPTIONS = r"(?:thumb|thumbnail|frameless|upright|miniatur|vignette|サムネイル|мини|تصغير)"
KINDS: dict[str, re.Pattern[str]] = {
    "empty brackets": re.compile(r"(?<![^\s\w])\( *\)|（ *）"),
    "bracket and comma": re.compile(r"[(（] *[,;、，；]|[,;、，；] [)）]"),
    "table": re.compile(r"\{\||\|\}|\|-|(?:^|\s)\|\||(?:colspan|rowspan|cellpadding|wikitable)\b", re.I),
    "image option": re.compile(rf"\b{_OPTIONS}\s*\||\|\s*{_OPTIONS}\b|\b\d+px\b|\|\s*(?:left|right|center)\b", re.I),
    "quotes": re.compile(r"''+"),
    "link brackets": re.compile(r"\[\[|\]\]"),
    "braces": re.compile(r"\{\{|\}\}"),
    "tag": re.compile(r"</?(?:ref|br|div|span|small|sup|sub|nowiki|table|tr|td|gallery|math|references)\b", re.I),
    "address in brackets": re.compile(r"\[+\s*(?:https?:)?//\S*"),
    "bare address": re.compile(r"https?://\S+"),  # as typed: a reader sees it too
    "entity": re.compile(r"&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});", re.I),
    "switch": re.compile(r"__[A-Z]{3,}__"),
    "space before punctuation": re.compile(r"(?<=[^\s.]) [,.;](?! \.)(?=\s|$)"),  # " . . ." is an ellipsis
    "doubled spaces": re.compile(r"  "),
    "blank at an end": re.compile(r"^\s|\s$"),
    # A word that needs another behind it stands before a stop, or a comma and a word that goes on.
    "a word is missing": re.compile(
        r"(?<=[a-z,] )(?:the|an|between|of|than|approximately|roughly|its|their)(?= ?[,.;)](?:\s|$))"
    ),
    "sentences run together": re.compile(r"(?<=[a-z]{3})[.!?](?=[A-Z][a-z]{2,} [a-z])"),
}
# In French a space stands before the semicolon on purpose.
_SPACED = {"fr": re.compile(r"(?<=[^\s.]) [,.](?=\s|$)")}


@dataclass
class Defects:
    """Counts by kind, the words looked at, and each hit with its context, as (kind, title, context)."""

    words: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    hits: list[tuple[str, str, str]] = field(default_factory=list)

    def rate(self, kind: str) -> float:
        """Hits per 10,000 words."""
        return 10_000 * self.counts[kind] / max(1, self.words)


def count_defects(defects: Defects, title: str, texts: Iterable[str], language: str = "en") -> None:
    """Add the defects of one page's texts to `defects`."""
    for text in texts:
        defects.words += len(text.split())
        for kind, pattern in KINDS.items():
            if kind == "space before punctuation":
                pattern = _SPACED.get(language, pattern)
            elif kind == "a word is missing" and language != "en":
                continue
            for match in pattern.finditer(text):
                defects.counts[kind] += 1
                defects.hits.append((kind, title, text[max(0, match.start() - 40) : match.end() + 30]))
