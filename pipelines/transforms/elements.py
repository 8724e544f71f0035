"""What goes from transform to transform: frozen dataclasses around the core's own types.

Each element says where it stands in the dump, so that a writer puts what comes in any order into the parts and the
order of the local driver. Elements must not be changed in place, as Beam wants it: make new ones with
`dataclasses.replace`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from wikiprep.corpus.articles import ArticleRow
from wikiprep.dump.page_xml import Page


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a page stands: page `ordinal` of part `part` of `parts`, all from 0.

    A part is a range of a dump, and the part of the output that comes of it; for pages of your own it is whatever fits
    into memory at once.
    """

    part: int
    parts: int
    ordinal: int

    @property
    def name(self) -> str:
        """The name of the part's files without suffix: part-00000-of-00431."""
        return f"part-{self.part:05}-of-{self.parts:05}"


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page as a dump has it, of any namespace. `wiki`: its database name, such as "enwiki"; "" where unknown."""

    place: Place
    wiki: str
    page: Page


@dataclass(frozen=True, slots=True)
class ExtractedArticle:
    """An article or a disambiguation page (`row.kind`): text in paragraphs, its links before redirects."""

    place: Place
    wiki: str
    row: ArticleRow


@dataclass(frozen=True, slots=True)
class ResolvedArticle:
    """The same with the end of each link.

    `titles`: target of a link -> title of the page that it leads to through all redirects, None where it leads nowhere;
    every target of the article is in it.
    """

    place: Place
    wiki: str
    row: ArticleRow
    titles: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class PageRecords:
    """All records of a page, one at least, in order: `batch` has the columns of docs/formats.md."""

    place: Place
    wiki: str
    batch: pa.RecordBatch

    def rows(self) -> list[dict[str, Any]]:
        """The records as plain Python values, for looking at them."""
        rows: list[dict[str, Any]] = self.batch.to_pylist()
        return rows


@dataclass(frozen=True, slots=True)
class Reject:
    """A page that was left out.

    `reason` is one of few fixed words, as in rejects/; of a damaged range of the file there is neither id nor title.
    """

    place: Place
    page_id: int | None
    title: str | None
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A file that is there under its final name. `path` is relative to the output, `rows` are records or articles."""

    path: str
    rows: int
    size: int
    sha256: str
