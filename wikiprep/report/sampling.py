"""Which pieces of large folders are read, and what is measured of their articles.

Lengths, links, kinds of paragraphs, headings; and which pages are shown.

Read are some parts, some row groups or batches of each, by a seed. What a piece is of is told beside the numbers, so
that nobody takes a sample for the whole.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.report.corpus import ReportCorpus

PARTS, EACH = 48, 4  # of the English Wikipedia's 431 parts about 190 row groups, a tenth of its text
_PARAGRAPHS = "paragraphs.list.element"
_COLUMNS = ["kind", *(f"{_PARAGRAPHS}.{name}" for name in ("kind", "text", "section.list.element"))]
_LINKS = f"{_PARAGRAPHS}.links.list.element.start"


@dataclass(frozen=True, slots=True)
class FilePiece:
    """Row group or batch `number` of a file."""

    path: str
    number: int


@dataclass(frozen=True, slots=True)
class Sample:
    """`pieces` in the order of the folder; `whole`: nothing was left out."""

    pieces: Sequence[FilePiece]
    whole: bool


def choose(paths: Sequence[str], pieces_of: Callable[[str], int], seed: int, what: str) -> Sample:
    """All pieces of a small folder, some of a large one. `pieces_of` is asked of the chosen files alone."""
    rng = random.Random(f"{what} {seed}")
    file_numbers = sorted(rng.sample(range(len(paths)), min(PARTS, len(paths))))
    pieces, is_whole = [], len(file_numbers) == len(paths)
    for place in file_numbers:
        piece_count = pieces_of(paths[place])
        numbers = sorted(rng.sample(range(piece_count), min(EACH, piece_count)))
        is_whole = is_whole and len(numbers) == piece_count
        pieces += [FilePiece(paths[place], number) for number in numbers]
    return Sample(pieces, is_whole)


@dataclass
class SampledArticles:
    """Of the sampled row groups: one number an article in `characters` and `links`, sums in the counters."""

    sample: Sample
    characters: npt.NDArray[np.int64]
    links: npt.NDArray[np.int64]
    paragraphs: Counter[str] = field(default_factory=Counter)  # by kind
    text: Counter[str] = field(default_factory=Counter)  # characters by kind
    sections: Counter[str] = field(default_factory=Counter)  # articles that have the heading, of the first level
    rows: list[tuple[FilePiece, npt.NDArray[np.int64]]] = field(default_factory=list)  # articles proper, by row


def read_articles(corpus: ReportCorpus, seed: int) -> SampledArticles:
    """Reads the sample once, a row group (some 8 MB of text) at a time."""

    def groups(path: str) -> int:
        with corpus.parquet(path) as file:
            return int(file.num_row_groups)

    sample = choose(corpus.parts("articles"), groups, seed, "articles")
    characters, links = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    articles = SampledArticles(sample, characters[0], links[0])
    for piece in sample.pieces:
        with corpus.parquet(piece.path) as file:
            table = file.read_row_group(piece.number, columns=[*_COLUMNS, _LINKS])
        for batch in table.combine_chunks().to_batches():
            _add_batch(articles, batch, characters, links)
        kinds = pc.equal(table["kind"], "article").to_numpy(zero_copy_only=False)
        articles.rows.append((piece, np.flatnonzero(kinds)))
    articles.characters, articles.links = np.concatenate(characters), np.concatenate(links)
    return articles


def random_rows(articles: SampledArticles, count: int, seed: int) -> list[tuple[FilePiece, int]]:
    """`count` articles of the sample (no disambiguation pages), in the order of the dump."""
    boundaries = np.cumsum([len(rows) for _, rows in articles.rows])
    total = int(boundaries[-1]) if len(boundaries) else 0
    numbers = sorted(random.Random(f"pages {seed}").sample(range(total), min(count, total)))
    picked_rows = []
    for number in numbers:
        index = int(np.searchsorted(boundaries, number, "right"))
        piece, rows = articles.rows[index]
        picked_rows.append((piece, int(rows[number - (int(boundaries[index - 1]) if index else 0)])))
    return picked_rows


def _add_batch(
    articles: SampledArticles,
    batch: pa.RecordBatch,
    characters: list[npt.NDArray[np.int64]],
    links: list[npt.NDArray[np.int64]],
) -> None:
    column, size = batch["paragraphs"], batch.num_rows
    page = pc.list_parent_indices(column).to_numpy()
    paragraphs = column.flatten()
    kinds, texts = pc.struct_field(paragraphs, "kind"), pc.struct_field(paragraphs, "text")
    lengths = pc.utf8_length(texts).to_numpy(zero_copy_only=False).astype(np.int64)
    link_counts = (
        pc.list_value_length(pc.struct_field(paragraphs, "links")).to_numpy(zero_copy_only=False).astype(np.int64)
    )
    characters.append(np.bincount(page, lengths, size).astype(np.int64))
    links.append(np.bincount(page, link_counts, size).astype(np.int64))
    for kind in pc.unique(kinds).to_pylist():
        mask = pc.equal(kinds, kind).to_numpy(zero_copy_only=False)
        articles.paragraphs[kind] += int(mask.sum())
        articles.text[kind] += int(lengths[mask].sum())
    articles.sections.update(_headings(page, pc.struct_field(paragraphs, "section")))


def _headings(page: npt.NDArray[np.int64], sections: pa.Array) -> dict[str, int]:
    """Articles under each heading of the first level; paragraphs before the first heading have none."""
    offsets = np.asarray(sections.offsets)
    with_heading = np.flatnonzero(offsets[1:] > offsets[:-1])
    if not len(with_heading):
        return {}
    first = sections.values.take(pa.array(offsets[with_heading])).dictionary_encode()
    codes = first.indices.to_numpy().astype(np.int64)
    pairs = np.unique(page[with_heading].astype(np.int64) * len(first.dictionary) + codes)
    counts = np.bincount(pairs % len(first.dictionary), minlength=len(first.dictionary))
    return dict(zip(first.dictionary.to_pylist(), counts.tolist(), strict=True))
