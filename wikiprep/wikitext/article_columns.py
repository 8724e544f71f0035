"""The paragraphs of a page as columns: what a build writes, without an object a paragraph or a link."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import overload

from wikiprep.wikitext.article import Link, Paragraph, ParagraphKind


@dataclass(slots=True)
class ParagraphColumns(Sequence[Paragraph]):
    """A list of paragraphs, each made when it is asked for; by index in the time of its own links.

    The first five columns have a value a paragraph, the others one a link. `starts` and `ends` are code points of the
    page's texts joined by one character: the place in the paragraph plus where the paragraph begins. Columns do not
    change once paragraphs have been asked for by index.
    """

    sections: Sequence[tuple[str, ...]] = ()
    kinds: Sequence[ParagraphKind] = ()
    depths: Sequence[int] = ()
    texts: Sequence[str] = ()
    link_counts: Sequence[int] = ()
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    targets: Sequence[str] = ()
    fragments: Sequence[str | None] = ()
    # Where each paragraph begins in the joined texts, and its links among the links; both made at the first index.
    _begins: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    _first_links: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def characters(self) -> int:
        """Code points of all texts."""
        return sum(map(len, self.texts))

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[Paragraph]:
        links = zip(self.starts, self.ends, self.targets, self.fragments, strict=True)
        at = 0
        for section, kind, depth, text, count in zip(
            self.sections, self.kinds, self.depths, self.texts, self.link_counts, strict=True
        ):
            own = islice(links, count)
            mentions = tuple(Link(start - at, end - at, target, fragment) for start, end, target, fragment in own)
            yield Paragraph(section, kind, depth, text, mentions)
            at += len(text) + 1

    @overload
    def __getitem__(self, index: int) -> Paragraph: ...
    @overload
    def __getitem__(self, index: slice) -> list[Paragraph]: ...
    def __getitem__(self, index: int | slice) -> Paragraph | list[Paragraph]:
        if isinstance(index, slice):
            return [self._build_paragraph(place) for place in range(*index.indices(len(self)))]
        place = index if index >= 0 else index + len(self)
        if not 0 <= place < len(self):
            raise IndexError(f"paragraph {index} of {len(self)}")
        return self._build_paragraph(place)

    def _build_paragraph(self, place: int) -> Paragraph:
        if not self._begins:
            self._begins = list(accumulate([len(text) + 1 for text in self.texts], initial=0))
            self._first_links = list(accumulate(self.link_counts, initial=0))
        at, first, last = self._begins[place], self._first_links[place], self._first_links[place + 1]
        links = tuple(
            [
                Link(self.starts[n] - at, self.ends[n] - at, self.targets[n], self.fragments[n])
                for n in range(first, last)
            ]
        )
        return Paragraph(self.sections[place], self.kinds[place], self.depths[place], self.texts[place], links)

    def __reversed__(self) -> Iterator[Paragraph]:
        return map(self._build_paragraph, range(len(self) - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)


def columns_of(paragraphs: Sequence[Paragraph]) -> ParagraphColumns:
    """The columns of any paragraphs."""
    if isinstance(paragraphs, ParagraphColumns):
        return paragraphs
    links = [link for p in paragraphs for link in p.links]
    counts = [len(p.links) for p in paragraphs]
    begins = accumulate([len(p.text) + 1 for p in paragraphs], initial=0)
    shifts = [at for at, count in zip(begins, counts, strict=False) for _ in range(count)]
    return ParagraphColumns(
        [p.section for p in paragraphs],
        [p.kind for p in paragraphs],
        [p.depth for p in paragraphs],
        [p.text for p in paragraphs],
        counts,
        [at + link.start for at, link in zip(shifts, links, strict=True)],
        [at + link.end for at, link in zip(shifts, links, strict=True)],
        [link.target for link in links],
        [link.fragment for link in links],
    )
