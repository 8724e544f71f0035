"""Which pages are disambiguation pages: by the templates of their language, `{{disambig}}` and `__DISAMBIG__`."""

import re
from collections import Counter

from wikiprep.languages.language import Language
from wikiprep.wikitext.control_marks import NOTHING
from wikiprep.wikitext.tags import seeker

# The family every wiki may use, whatever the tables say.
_FAMILY = (
    "Disambig",
    "Disambiguation",
    "Disamb",
    "Dab",
    "Disambiguation page",
    "Disambiguation cleanup",
    "Geodis",
    "Hndis",
    "Human name disambiguation",
    "Place name disambiguation",
    "Number disambiguation",
    "Letter-NumberCombDisambig",
)
_SWITCH = re.compile(r"__(?:DISAMBIG|DESAMBIG|BEGRIFFSKL[ÄA]RUNG|DISAMBIGUA)\w{0,10}__", re.I)
_find_switch = seeker("__")


class DisambiguationNames:
    """The names of one language's disambiguation templates."""

    def __init__(self, language: Language) -> None:
        self._names = frozenset(name.casefold() for name in (*language.disambiguation, *_FAMILY))

    def has_switch(self, text: str) -> bool:
        """Whether the wikitext holds the switch that MediaWiki's Disambiguator extension reads."""
        return (
            "_" in text and _find_switch(text) is not None and ("__DISAMB" in text or _SWITCH.search(text) is not None)
        )

    def without_switch(self, text: str) -> str:
        """The text without it; a line of its own becomes a blank one."""
        return _SWITCH.sub(_replace_switch, text)

    def marks(self, templates: Counter[tuple[str, str]]) -> bool:
        """Whether one of a page's templates, counted as in `Extraction.templates`, marks it."""
        names = self._names
        return any(name.casefold() in names for name, _ in templates)


def _replace_switch(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    alone = text[start - 1 : start] in ("", "\n") and text[end : end + 1] in ("", "\n")
    return "" if alone else NOTHING
