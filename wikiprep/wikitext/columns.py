"""The paragraphs of a page as columns: what a build writes, without an object a paragraph or a link."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import overload

from wikiprep.wikitext.article import Link, Paragraph, ParagraphKind


@dataclass(slots=True)
class ParagraphColumns(Sequence[Paragraph]):
    """A list of paragraphs, each made when it is asked for.

    The first five columns have a value a paragraph, the others one a link. `starts` and `ends` are code points of the
    page's texts joined by one character: the place in the paragraph plus where the paragraph begins.
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
        return list(self)[index]

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
