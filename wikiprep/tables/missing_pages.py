"""Pages that page_props knows and the dump lacks: what an export lost, or what an excerpt leaves out.

Counted where the dump could hold them: between the first and the last page id of its files. `pages-articles` holds no
talk and user pages, so that only pages with an item or a disambiguation mark are asked of it; all pages are asked of a
dump that holds talk pages. Memory: 8 bytes a page of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.storage.memory_maps import open_arrays
from wikiprep.tables.property_files import ALL_PAGES, DISAMBIGUATIONS, ITEMS

Spans = Sequence[tuple[int, int | None]]  # first and last page id of files; None: to the last page of the dump
_EXAMPLES = 3


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
