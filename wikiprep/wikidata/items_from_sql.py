"""Page id or title of a wiki to its Wikidata item, from SQL tables alone: no articles, no JSON dump.

`page.sql` has ids and titles; the items come from `page_props.sql` of the same wiki, or from `wb_items_per_site.sql` of
wikidatawiki, which knows every wiki's titles. With `redirect.sql` a redirect page without an item of its own is
given the item of the page that it leads to; one that has its own keeps it. Columns are read by name, whatever the year.

Memory: 40 bytes a page and its title, while the table is made.
"""

import re
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import marisa_trie
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.dump.identity import WIKIDATA, check_date, check_table, check_wiki, of_table
from wikiprep.dump.site import Site
from wikiprep.dump.source import size_of
from wikiprep.dump.sql import Value, read_rows
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.progress import NO_PROGRESS, Advance, Progress
from wikiprep.storage.memory_maps import build_trie, open_arrays, open_trie, write_arrays
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.storage.redirect_chains import follow

ROWS, TRIE, ARRAYS = "page_items.parquet", "page_items.marisa", "page_items.arrow"
_ITEM = re.compile(rb"Q([1-9]\d{0,17})")
_PIECE = 1 << 17
PARTS = ("pages", "items", "redirects", "table")  # of progress

Ids = npt.NDArray[np.int64]


def page_item_schema() -> pa.Schema:
    """ROWS: every page by id. `title` is as in MediaWiki's table, with spaces and without the namespace's name.

    `qid` is the page's own item, `via_redirect` that of the page a redirect leads to; null where there is none.
    """
    return pa.schema(
        [
            ("page_id", pa.int64()),
            ("namespace", pa.int32()),
            ("title", pa.string()),
            ("is_redirect", pa.bool_()),
            ("qid", pa.string()),
            ("via_redirect", pa.string()),
        ],
        metadata={b"wikiprep.schema": b"page-items/1"},
    )


def build_page_items(
    page: str,
    out_dir: str | Path,
    *,
    page_props: str | None = None,
    items_per_site: str | None = None,
    wiki: str | None = None,
    redirect: str | None = None,
    allow_other_dates: bool = False,
    progress: Progress = NO_PROGRESS,
) -> dict[str, int]:
    """Write ROWS, TRIE and ARRAYS into `out_dir`.

    Counts: pages.read is the sum of pages.{own item,by redirect,no item}; items.read of items.{used,unknown page,
    not an item,of another wiki,given twice}. `wiki` is that of `page` where its
    header or name says so. Raises UsageError for options or tables that do not go together, of two dates unless
    `allow_other_dates`; WikiprepError for files that are no such tables, or where no item is of a page.
    """
    if (page_props is None) == (items_per_site is None):
        raise UsageError("items come from page_props.sql or wb_items_per_site.sql", "give one of the two")
    wiki = _check_tables(page, page_props, items_per_site, redirect, wiki, allow_other_dates)
    if items_per_site is not None and not wiki:
        raise UsageError("wb_items_per_site.sql holds all wikis", "name the wiki of page.sql, such as enwiki")
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    with progress.part(PARTS[0], size_of(page)) as advance:
        pages = _Pages(page, out, advance)
    counts = dict.fromkeys(("read", "used", "unknown page", "not an item", "of another wiki", "given twice"), 0)
    own = np.zeros(len(pages.ids), np.int64)
    with progress.part(PARTS[1], size_of(str(page_props or items_per_site))) as advance:
        for place, item in _iter_items(pages, counts, page_props, items_per_site, wiki, advance):
            if own[place]:
                counts["given twice"] += 1
            else:
                counts["used"] += 1
                own[place] = item
    if not counts["used"]:
        raise WikiprepError(
            f"{page_props or items_per_site}: none of its {counts['read']:,} rows gives an item to a page of {page}",
            "take both of one wiki and date",
        )
    end = np.arange(len(own), dtype=np.int32)
    if redirect is not None:
        with progress.part(PARTS[2], size_of(redirect)) as advance:
            direct = pages.redirects(redirect, advance)
        end, _ = follow(direct)
    final = np.where(own > 0, own, np.where(end >= 0, own[np.maximum(end, 0)], 0))
    with progress.part(PARTS[3], len(own), "page") as advance:
        pages.write(out, own, final, advance)
    by_redirect = int(((own == 0) & (final > 0)).sum())
    item_counts = {f"items.{key}": n for key, n in counts.items()}
    return item_counts | {
        "pages.read": len(own),
        "pages.own item": int((own > 0).sum()),
        "pages.by redirect": by_redirect,
        "pages.no item": int((final == 0).sum()),
    }


def _check_tables(
    page: str,
    page_props: str | None,
    items_per_site: str | None,
    redirect: str | None,
    wiki: str | None,
    allow_other_dates: bool,
) -> str | None:
    """The wiki of the tables, after all of them were compared with that of pages."""
    pages = of_table(page)
    check_table("--page", pages, "page")
    if wiki:
        check_wiki("--page", pages, wiki, "--wiki", "page")
    for option, path, table in (
        ("--page-props", page_props, "page_props"),
        ("--redirect", redirect, "redirect"),
        ("--items-per-site", items_per_site, "wb_items_per_site"),
    ):
        if path is None:
            continue
        identity = of_table(path)
        check_table(option, identity, table)
        if table == "wb_items_per_site":
            check_wiki(option, identity, WIKIDATA, "Wikidata", table)
        else:
            check_wiki(option, identity, pages.wiki or wiki or "", f"the table {pages.name}", table, pages.date)
        check_date(option, identity, pages, table, allow_other_dates)
    return wiki or pages.wiki


class PageItemTable:
    """Look-ups in what `build_page_items` wrote, memory-mapped."""

    def __init__(self, trie: Any, arrays: tuple[npt.NDArray[Any], ...]) -> None:
        self._trie = trie
        self._ids, self._own, self._final, self._place_of = arrays

    @classmethod
    def open(cls, folder: str | Path) -> "PageItemTable":
        """Map the table of `folder`. Raises WikiprepError if it is missing or not whole."""
        folder = Path(folder)
        columns = ("page_id", "own", "final", "place_of_title")
        return cls(open_trie(folder / TRIE), open_arrays(folder / ARRAYS, columns))

    def by_id(self, page_id: int, *, own: bool = False) -> str | None:
        """The item of a page; a redirect page without one has that of the page it leads to, unless `own`."""
        place = int(self._ids.searchsorted(page_id))
        if place >= len(self._ids) or self._ids[place] != page_id:
            return None
        return self._item_at(place, own)

    def by_title(self, title: str, namespace: int = 0, *, own: bool = False) -> str | None:
        """The same by title: spaces or underscores, without the namespace's name."""
        number = self._trie.get(_key(namespace, title.replace("_", " ")), -1)
        return None if number < 0 else self._item_at(int(self._place_of[number]), own)

    def _item_at(self, place: int, own: bool) -> str | None:
        item = int((self._own if own else self._final)[place])
        return f"Q{item}" if item else None


class _Pages:
    """page.sql as arrays in order of id, with a trie from title to place."""

    def __init__(self, path: str, out: Path, advance: Advance) -> None:
        ids, namespaces, flags, titles = array("q"), array("i"), array("b"), bytearray()
        starts = array("q", [0])
        columns = ["page_id", "page_namespace", "page_title", "page_is_redirect"]
        for number, namespace, title, is_redirect in read_rows(path, columns, advance):
            if isinstance(number, int) and isinstance(namespace, int) and isinstance(title, bytes):
                ids.append(number)
                namespaces.append(namespace)
                flags.append(bool(is_redirect))
                titles += title
                starts.append(len(titles))
        if not ids:
            raise WikiprepError(f"{path}: holds no page", "fetch it again, or take page.sql.gz of a wiki")
        order = np.argsort(np.array(ids, np.int64), kind="stable")
        self.ids: Ids = np.array(ids, np.int64)[order]
        if len(duplicate_ids := self.ids[1:][self.ids[1:] == self.ids[:-1]]):
            raise WikiprepError(f"{path}: page id {duplicate_ids[0]} comes twice", "is it two tables in one file?")
        self._order, self._starts, self._titles = order, np.array(starts, np.int64), bytes(titles)
        self.namespaces = np.array(namespaces, np.int32)[order]
        self.is_redirect = np.array(flags, np.bool_)[order]
        build_trie((_key(int(self.namespaces[i]), self.title(i)) for i in range(len(self.ids))), out / TRIE)
        self.trie: marisa_trie.Trie = open_trie(out / TRIE)
        self.place_of = np.full(len(self.trie), -1, np.int64)
        for place in range(len(self.ids)):
            self.place_of[self.trie[_key(int(self.namespaces[place]), self.title(place))]] = place

    def title(self, place: int) -> str:
        """With spaces."""
        row = int(self._order[place])
        return self._titles[self._starts[row] : self._starts[row + 1]].decode("utf-8", "replace").replace("_", " ")

    def place_of_id(self, number: Value) -> int:
        """-1 where there is no such page."""
        if not isinstance(number, int):
            return -1
        place = int(self.ids.searchsorted(number))
        return place if place < len(self.ids) and self.ids[place] == number else -1

    def place_of_title(self, namespace: int, title: str) -> int:
        """-1 where there is no such page."""
        number = self.trie.get(_key(namespace, title.replace("_", " ")), -1)
        return -1 if number < 0 else int(self.place_of[number])

    def redirects(self, path: str, advance: Advance) -> npt.NDArray[np.int32]:
        """The place that each page redirects to, -1 for none."""
        direct = np.full(len(self.ids), -1, np.int32)
        for source, namespace, title in read_rows(path, ["rd_from", "rd_namespace", "rd_title"], advance):
            place = self.place_of_id(source)
            if place >= 0 and isinstance(namespace, int) and isinstance(title, bytes):
                direct[place] = self.place_of_title(namespace, title.decode("utf-8", "replace"))
        return direct

    def write(self, out: Path, own: Ids, final: Ids, advance: Advance) -> None:
        """ROWS and ARRAYS."""
        arrays = {"page_id": self.ids, "own": own, "final": final}
        size = max(len(self.ids), len(self.place_of))
        padded = {name: np.concatenate([a, np.full(size - len(a), a[-1])]) for name, a in arrays.items()}
        padded["place_of_title"] = np.concatenate([self.place_of, np.full(size - len(self.place_of), -1)])
        write_arrays(out / ARRAYS, padded)
        writer = RowGroupWriter(out / ROWS, page_item_schema())
        for start in range(0, len(self.ids), _PIECE):
            piece = slice(start, start + _PIECE)
            places = range(start, min(start + _PIECE, len(self.ids)))
            other = np.where(own[piece] == 0, final[piece], 0)
            columns = [
                pa.array(self.ids[piece]),
                pa.array(self.namespaces[piece]),
                pa.array([self.title(i) for i in places], pa.string()),
                pa.array(self.is_redirect[piece]),
                pa.array([f"Q{q}" if q else None for q in own[piece].tolist()], pa.string()),
                pa.array([f"Q{q}" if q else None for q in other.tolist()], pa.string()),
            ]
            writer.add(pa.Table.from_arrays(columns, schema=page_item_schema()))
            advance(len(places))
        writer.close()


def _iter_items(
    pages: _Pages,
    counts: dict[str, int],
    page_props: str | None,
    items_per_site: str | None,
    wiki: str | None,
    advance: Advance,
) -> Iterator[tuple[int, int]]:
    """(place, item) of every row that names both."""
    if page_props is not None:
        for number, name, value in read_rows(page_props, ["pp_page", "pp_propname", "pp_value"], advance):
            if name != b"wikibase_item":
                continue
            counts["read"] += 1
            match = _ITEM.fullmatch(value) if isinstance(value, bytes) else None
            place = pages.place_of_id(number)
            if match is None or place < 0:
                counts["not an item" if match is None else "unknown page"] += 1
            else:
                yield place, int(match[1])
        return
    assert items_per_site is not None and wiki
    site, places = wiki.encode(), _FullTitles(pages, wiki)
    for item, of_site, title in read_rows(items_per_site, ["ips_item_id", "ips_site_id", "ips_site_page"], advance):
        counts["read"] += 1
        if of_site != site:
            counts["of another wiki"] += 1
        elif not isinstance(item, int) or item <= 0 or not isinstance(title, bytes):
            counts["not an item"] += 1
        elif (place := places.place(title.decode("utf-8", "replace"))) < 0:
            counts["unknown page"] += 1
        else:
            yield place, item


class _FullTitles:
    """Titles with their namespace's name, as Wikidata has them, to places. Names are the language's own and English."""

    def __init__(self, pages: _Pages, wiki: str) -> None:
        self._pages = pages
        self._titles = Site.for_language(wiki.partition("wiki")[0].replace("_", "-")).titles

    def place(self, title: str) -> int:
        """-1 where there is no such page."""
        namespace = 0
        if ":" in title:
            target = self._titles.parse(title)
            namespace = target.namespace if target.kind == "page" else 0
        return self._pages.place_of_title(namespace, title.partition(":")[2] if namespace else title)


def _key(namespace: int, title: str) -> str:
    return f"{namespace}:{title}"
