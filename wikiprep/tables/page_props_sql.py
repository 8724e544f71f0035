"""Reads page_props.sql into the tables of `page_props.py`."""

import re
from array import array
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.counts import Count, Equation
from wikiprep.dump.sql import read_rows
from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import write_arrays
from wikiprep.storage.tables import TableResult
from wikiprep.tables.page_props import ALL_PAGES, DISAMBIGUATIONS, ITEMS

READ = Count("properties.read", "Rows of page_props.")
DISAMBIGUATION_PAGES = Count("properties.disambiguation", "Rows that call a page a disambiguation.")
ITEM_ROWS = Count("properties.items", "Rows with the Wikidata item of a page.")
MALFORMED = Count("properties.malformed_items", "Rows with an item that is none.")
OTHERS = Count("properties.others", "Rows of other properties.")
ROWS = Equation("page properties", READ, (DISAMBIGUATION_PAGES, ITEM_ROWS, MALFORMED, OTHERS))
_ITEM = re.compile(rb"Q(\d{1,18})")


def build_properties(page_props: str | Path, out_dir: str | Path) -> TableResult:
    """Read a page_props.sql[.gz] and write DISAMBIGUATIONS, ITEMS and ALL_PAGES into `out_dir`.

    Raises WikiprepError if the file has no rows, or none of these two properties.
    """
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    rows = malformed = 0
    pages, item_pages, items, all_pages = array("q"), array("q"), array("q"), array("q")
    for page, name, value in read_rows(str(page_props), ["pp_page", "pp_propname", "pp_value"]):
        rows += 1
        if isinstance(page, int) and not (all_pages and all_pages[-1] == page):  # rows stand in order of their pages
            all_pages.append(page)
        if name == b"disambiguation" and isinstance(page, int):
            pages.append(page)
        elif name == b"wikibase_item" and isinstance(page, int):
            match = _ITEM.fullmatch(value) if isinstance(value, bytes) else None
            if match:
                item_pages.append(page)
                items.append(int(match[1]))
            else:
                malformed += 1
    if not rows:
        raise WikiprepError(f"{page_props}: no rows of page properties", "download it again: it is empty or cut off")
    if not pages and not items:
        raise WikiprepError(
            f"{page_props}: none of its {rows} rows is a disambiguation page or a Wikidata item",
            "it is another file, or of a wiki without these properties: leave the option out",
        )
    disambiguations = np.unique(_numbers(pages))
    pages_with_item, first = np.unique(_numbers(item_pages), return_index=True)
    write_arrays(out / DISAMBIGUATIONS, {"page_id": disambiguations})
    write_arrays(out / ALL_PAGES, {"page_id": np.unique(_numbers(all_pages))})
    write_arrays(out / ITEMS, {"page_id": pages_with_item, "item": _numbers(items)[first]})
    counts = {
        READ: rows,
        DISAMBIGUATION_PAGES: len(pages),
        ITEM_ROWS: len(items),
        MALFORMED: malformed,
        OTHERS: rows - len(pages) - len(items) - malformed,
    }
    missing = [what for what, n in (("disambiguation page", len(pages)), ("Wikidata item", len(items))) if not n]
    return TableResult(counts, tuple(f"{Path(page_props).name}: holds not a single {what}" for what in missing))


def _numbers(values: "array[int]") -> npt.NDArray[np.int64]:
    return np.frombuffer(values, np.int64) if values else np.empty(0, np.int64)
