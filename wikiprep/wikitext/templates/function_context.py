"""What magic words and parser functions are given: the page they stand on, and the parts of their call."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from wikiprep.dump.site import Site
from wikiprep.languages.wikitext_words import WikiWords, words

Expand = Callable[[str], str]  # renders what stands in a part


@dataclass(frozen=True, slots=True)
class PageContext:
    """The page that a call stands on. `date` is its revision's, None if unknown."""

    title: str
    site: Site
    words: WikiWords
    date: datetime | None = None

    @property
    def language(self) -> str:
        return self.site.language.code


def page_context(title: str, site: Site, timestamp: str = "") -> PageContext:
    """Of an article; `timestamp` as the dump writes it ("2026-11-02T10:00:00Z"), "" if unknown."""
    date = None
    if timestamp:
        try:
            date = datetime.fromisoformat(timestamp).astimezone(UTC)
        except (ValueError, OverflowError):
            date = None
    return PageContext(title, site, words(site.language.code), date)


def part_of(parts: list[str], which: int, expand: Expand) -> str:
    """The part of that number, expanded and without space around it; nothing where there is none."""
    return expand(parts[which]).strip() if which < len(parts) else ""
