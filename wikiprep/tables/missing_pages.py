"""Pages that the dump lacks, by page_props and by links to them: what an export lost, or what an excerpt leaves out.

Counted where the dump could hold them: between the first and the last page id of its files. `pages-articles` holds no
talk and user pages, so that only pages with an item or a disambiguation mark are asked of it; all pages are asked of a
dump that holds talk pages. Memory: 8 bytes a page of each.

Links to pages that are not there are usual on a small wiki, the mark of a part of a dump, or of an export with gaps.
What tells them apart is the redirects. A wiki deletes redirects to pages that are not there, so that a whole dump has
next to none: 0 of 147 in the whole Latgalian Wikipedia, where 58 % of the links are red; 76 of 85, 86 of 99 and 10 of
16 in excerpts of English and Japanese ones, whose links are red to 88 to 100 %. Where there are too few redirects to
tell, the share of red links counts alone: 7 % on the English Wikipedia (2009 and 2011, Meta: Research:One Link, Two
Links, Red Links, Blue Links).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.storage.memory_maps import open_arrays
from wikiprep.tables.page_props import ALL_PAGES, DISAMBIGUATIONS, ITEMS

Spans = Sequence[tuple[int, int | None]]  # first and last page id of files; None: to the last page of the dump
_EXAMPLES = 3
ENOUGH_REDIRECTS = 20
BROKEN_SHARE = 0.05  # of redirects, above which a dump is not whole
LARGE_WIKI = 100_000  # articles
UNUSUAL = {True: 1 / 3, False: 3 / 4}  # share of red links, of a large wiki and a small one
USUAL = 1 / 2  # above this it is worth saying, even where all is as it should be


@dataclass(frozen=True, slots=True)
class MissingPages:
    """`known` pages with properties lie in the dump's page ids, and `missing` of them are not in it."""

    known: int
    missing: int
    examples: tuple[int, ...]


def missing_pages(partials: Sequence[Path], properties: Path, spans: Spans) -> MissingPages:
    """Compare the ids of the partial page files with those in the folder `properties` (`build_properties`).

    `spans` are the page ids that the dump's files hold by their names; without any, all between its first and last.
    """
    present_ids, has_talk = _read_page_ids(partials)
    expected_ids = _read_expected_ids(properties, all_pages=has_talk)
    if not len(present_ids):
        return MissingPages(0, 0, ())
    inside = np.zeros(len(expected_ids), bool)
    for first, last in spans or [(int(present_ids[0]), int(present_ids[-1]))]:
        inside |= (expected_ids >= first) & (expected_ids <= (int(present_ids[-1]) if last is None else last))
    expected_ids = expected_ids[inside]
    at = np.minimum(np.searchsorted(present_ids, expected_ids), len(present_ids) - 1)
    missing_ids = expected_ids[present_ids[at] != expected_ids]
    return MissingPages(len(expected_ids), len(missing_ids), tuple(missing_ids[:_EXAMPLES].tolist()))


def _read_page_ids(partials: Sequence[Path]) -> tuple[npt.NDArray[np.int64], bool]:
    """The sorted page ids, and whether there are talk pages (odd namespaces) among the pages."""
    ids, has_talk = [np.empty(0, np.int64)], False
    for path in partials:
        with pa.memory_map(str(path)) as source:
            reader = pa.ipc.open_file(source)
            for index in range(reader.num_record_batches):
                batch = reader.get_batch(index)
                ids.append(batch.column("page_id").drop_null().to_numpy(zero_copy_only=False).copy())
                namespaces = batch.column("namespace").drop_null().to_numpy(zero_copy_only=False)
                has_talk = has_talk or bool(np.any((namespaces > 0) & (namespaces % 2 == 1)))
    return np.unique(np.concatenate(ids)), has_talk


def _read_expected_ids(properties: Path, *, all_pages: bool) -> npt.NDArray[np.int64]:
    if all_pages:
        return np.asarray(open_arrays(properties / ALL_PAGES, ("page_id",))[0])
    (disambiguations,), (pages_with_items, _) = (
        open_arrays(properties / DISAMBIGUATIONS, ("page_id",)),
        open_arrays(properties / ITEMS, ("page_id", "item")),
    )
    return np.union1d(disambiguations, pages_with_items)


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """Of a dump: `red` of `links` lead to no page of it, and so do `broken` of `redirects`."""

    links: int
    red: int
    redirects: int
    broken: int
    articles: int


def red_link_warning(counts: LinkCounts, parts_missing: bool) -> str | None:
    """One line for the person who builds, or None where there is nothing to say."""
    if not counts.red:
        return None
    share = counts.red / counts.links
    percent = min(round(100 * share), 99) if counts.red < counts.links else 100  # never "all" of nearly all
    message = f"{counts.red} of {counts.links} links ({percent}%) lead to pages that are not in the dump and are lost"
    hint = "--vocab-targets linked makes entities of them"
    if parts_missing:
        return f"{message}: parts of it are absent; {hint}"
    broken = counts.broken / counts.redirects if counts.redirects else 0.0
    if counts.redirects >= ENOUGH_REDIRECTS and broken > BROKEN_SHARE:
        return (
            f"{message}, and so do {counts.broken} of {counts.redirects} redirects, of which a whole wiki has next to "
            f"none: this is a part of a dump, for which {hint}, or a dump that lost pages (--page-props counts them)"
        )
    unusual = share > UNUSUAL[counts.articles >= LARGE_WIKI]
    if unusual:
        return (
            f"{message}, which is unusual for a whole wiki: if it is a part of a dump, {hint}; if not, compare it with "
            "another date"
        )
    if share > USUAL:
        return f"{message}: red links, which a small wiki has many of; {hint}"
    return None
