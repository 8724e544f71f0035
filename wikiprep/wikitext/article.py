"""What extraction makes of a page: plain data that travels between rooms.

Offsets are code points of the stored `text`, `[start, end)`. Targets are normalised titles BEFORE redirects.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

ParagraphKind = Literal["prose", "list_item", "term", "definition", "quote", "caption", "table", "code"]


@dataclass(frozen=True, slots=True)
class Link:
    """A mention: `text[start:end]` of its paragraph, link trail included; `target` is the full page title."""

    start: int
    end: int
    target: str
    fragment: str | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One block of text. `section` is the path of headings, outermost first; `depth` is 0 but for lists and quotes."""

    section: tuple[str, ...]
    kind: ParagraphKind
    depth: int
    text: str
    links: tuple[Link, ...]


@dataclass(slots=True)
class Extraction:
    """The text of one page and an account of what was left out.

    `links` counts every `[[...]]` of the wikitext exactly once: `links["kept"]` plus one count a reason
    is `links["found"]`. `templates` counts (name, "rendered" | "dropped"), and under (name, "words") the words
    that dropped calls were given (templates/arguments.py); `lost_words` those of templates of which nothing is known.
    `variant` counts what a chosen variant changed (one_variant.py).
    """

    paragraphs: Sequence[Paragraph] = ()
    categories: list[str] = field(default_factory=list)
    interlanguage: list[tuple[str, str]] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    disambiguation: bool = False
    links: Counter[str] = field(default_factory=Counter)
    templates: Counter[tuple[str, str]] = field(default_factory=Counter)
    lost_words: Counter[str] = field(default_factory=Counter)
    variant: Counter[str] = field(default_factory=Counter)
