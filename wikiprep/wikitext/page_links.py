"""What the links of a page give beside its text: where they lead, captions, categories, interlanguage links."""

from dataclasses import dataclass, field

from wikiprep.wikitext.link_meanings import Meaning
from wikiprep.wikitext.one_variant import PageVariant


@dataclass(slots=True)
class PageLinks:
    """What the links of one page give beside the marked text."""

    targets: list[Meaning] = field(default_factory=list)
    title: str = ""
    captions: list[tuple[str, list[Meaning]]] = field(default_factory=list)  # marked text, its targets
    categories: list[str] = field(default_factory=list)
    interlanguage: list[tuple[str, str]] = field(default_factory=list)
    variant: PageVariant | None = None  # where the page is read in one variant of its language
