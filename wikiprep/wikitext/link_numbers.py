"""The numbers that external links without label show: the first `[http://…]` of a page is [1], the next one [2].

MediaWiki counts them in the order in which it comes to them: lists of notes first, then captions of images, then the
page from top to bottom, its tables and boxes with it. So a number depends on links that leave no text. They are looked
for in what the page was at earlier steps, and only where a page shows such a link.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from wikiprep.wikitext.external import without_label
from wikiprep.wikitext.marks import decode_entities, shield, without_invisible
from wikiprep.wikitext.references import has_list, notes_in
from wikiprep.wikitext.templates.numbers import format_number


@dataclass(frozen=True, slots=True)
class Steps:
    """One page at four steps: with its notes, with its tables, with its links and images, with neither."""

    noted: str
    tabled: str
    linked: str
    bare: str


class LinkNumbers:
    """What links without label show on one page, asked for one by one from its top.

    `blank` are characters that are no label, as in `strip_external`; `listed` says that the notes have a list whether
    or not the wikitext shows it, as where a template makes it. Without a list they come last.
    """

    def __init__(self, steps: Steps, *, language: str, invisible: str, blank: str, listed: bool) -> None:
        self._steps = steps
        self._language = language
        self._invisible = invisible
        self._blank = blank
        self._listed = listed
        self._read = False
        self._in_captions: dict[str, list[int]] = {}  # numbers by address, the next one last
        self._in_text: dict[str, list[int]] = {}
        self._all = 0

    def in_text(self, address: str) -> str:
        """`[n]`, n as the language writes it, for the next link to `address` in the text."""
        return self._shown(address, self._in_text)

    def in_caption(self, address: str) -> str:
        """The same for the next link to `address` in a caption."""
        return self._shown(address, self._in_captions)

    def _shown(self, address: str, numbers: dict[str, list[int]]) -> str:
        if not self._read:
            self._count()
        waiting = numbers.get(address)
        if waiting:
            number = waiting.pop()
        else:  # the address was another at the earlier step (a tag or `-{…}-` in it): as if it stood behind all others
            number = self._all = self._all + 1
        return shield(f"[{format_number(str(number), self._language)}]")

    def _count(self) -> None:
        self._read = True
        steps = self._steps
        notes = 0
        if self._listed or has_list(steps.noted):
            notes = sum(len(self._addresses(note)) for note in notes_in(steps.noted))
        captions = _without(self._addresses(steps.linked), self._addresses(steps.bare))
        others = _without(self._addresses(steps.tabled), captions)
        self._all = notes + len(captions) + len(others)
        _give(self._in_captions, captions, notes)
        _give(self._in_text, others, notes + len(captions))

    def _addresses(self, text: str) -> list[str]:
        return without_label(without_invisible(decode_entities(text), self._invisible), self._blank)


def _without(addresses: Iterable[str], others: Iterable[str]) -> list[str]:
    """The addresses in order, without as many of each as are in `others`."""
    left = Counter(others)
    out = []
    for address in addresses:
        if left[address]:
            left[address] -= 1
        else:
            out.append(address)
    return out


def _give(numbers: dict[str, list[int]], addresses: list[str], before: int) -> None:
    for number in range(before + len(addresses), before, -1):
        numbers.setdefault(addresses[number - before - 1], []).append(number)
