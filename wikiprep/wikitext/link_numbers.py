"""The numbers that external links without label show: the first `[http://…]` of a page is [1], the next one [2].

MediaWiki counts them in the order in which it comes to them: lists of notes first, then captions of images, then the
page from top to bottom, its tables and boxes with it. So a number depends on links that leave no text. To know which
ones do, a page that shows such a link, but not all it has, is read a second time, with a mark in the address of each.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wikiprep.wikitext.control_marks import decode_entities, shield
from wikiprep.wikitext.external_links import mark_without_label, without_label
from wikiprep.wikitext.references import listed_notes
from wikiprep.wikitext.templates.numbers import format_number

_MARK = "~~~"  # no page of a wiki holds it: it signs what is saved
_MARKED = re.compile(rf"{_MARK}([0-9]+)\Z")


@dataclass(frozen=True, slots=True)
class PageSource:
    """One page before its links are read.

    `noted()` still has its notes, `tabled` its tables; `bare` is what is left of it with them read.

    `listed` says that all notes have a list whether or not the wikitext shows it. Without a list they come last.
    `without_tables` takes tables and boxes from a text; `read` gives a text with its links read, external ones as they
    are, and the captions of its images.
    """

    noted: Callable[[], str]
    listed: bool
    tabled: str
    bare: str
    without_tables: Callable[[str], str]
    read: Callable[[str], tuple[str, list[str]]]


class LinkNumbers:
    """What links without label show on one page, asked for one by one: those in captions, those in the text.

    `blank` are characters that are no label, as in `strip_external`.
    """

    def __init__(self, source: PageSource, language: str, blank: str) -> None:
        self._source = source
        self._language = language
        self._blank = blank
        self._total = -1  # not counted yet
        self._captions: Iterator[int]
        self._text: Iterator[int]

    def in_text(self) -> str:
        """`[n]`, n as the language writes it, for the next link in the text."""
        if self._total < 0:
            self._count()
        return self._number_label(next(self._text, 0))

    def in_caption(self) -> str:
        """The same for the next link in a caption."""
        if self._total < 0:
            self._count()
        return self._number_label(next(self._captions, 0))

    def _number_label(self, number: int) -> str:
        if not number:  # it had a label when the page was marked: as if it stood behind all others
            number = self._total = self._total + 1
        return shield(f"[{format_number(str(number), self._language)}]")

    def _count(self) -> None:
        source = self._source
        note_texts = listed_notes(source.noted(), all_listed=source.listed)
        notes = sum(len(without_label(note, self._blank)) for note in note_texts)
        addresses = without_label(decode_entities(source.tabled), self._blank)
        if addresses == without_label(source.bare, self._blank):  # none in tables, boxes and captions
            self._total = notes + len(addresses)
            self._text, self._captions = iter(range(notes + 1, self._total + 1)), iter(())
            return
        marked_text, count = mark_without_label(source.tabled, self._blank, _MARK)
        text_without_tables = source.without_tables(marked_text)
        text, captions = source.read(text_without_tables)
        all_captions = captions if text_without_tables == marked_text else source.read(marked_text)[1]
        first_places = [place for place in self._places(*all_captions) if place >= 0]
        order = dict.fromkeys([*first_places, *range(count)])
        numbers = {place: number for number, place in enumerate(order, notes + 1)}
        self._total = notes + count
        self._captions = iter([numbers.get(place, 0) for place in self._places(*captions)])
        self._text = iter([numbers.get(place, 0) for place in self._places(text)])

    def _places(self, *texts: str) -> list[int]:
        """Of the links in marked texts, -1 for one without a mark."""
        matches = [_MARKED.search(address) for text in texts for address in without_label(text, self._blank)]
        return [int(match[1]) if match else -1 for match in matches]
