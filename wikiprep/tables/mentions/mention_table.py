"""What a name can mean, by the raw counts of a build: memory-mapped, microseconds a look-up, no copy a process.

    table = MentionTable.open("corpus")
    for candidate in table.candidates("Washington", k=10):
        print(candidate.title, candidate.link_count, candidate.prior)

Names are looked up in their normal form (normalize.py), case kept; where there is none of that form, by those that
differ in quotes, hyphens and the like (normalize.py); with `folded` by these and whatever the case, all forms taken
together. Ratios are computed when asked for (link_probability.py): no threshold was applied before.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wikiprep.errors import UsageError, no_folder
from wikiprep.files import Store
from wikiprep.storage.memory_maps import open_arrays, open_trie
from wikiprep.tables.mentions import link_probability
from wikiprep.tables.mentions.lookups import (
    BY_NAME,
    CANDIDATE_COLUMNS,
    CANDIDATES,
    FOLDED,
    FOLDED_COLUMNS,
    MARK_BITS,
    MISSING,
    NAME_COLUMNS,
    folded_hash,
)
from wikiprep.tables.mentions.name_table import NameTable, name_files
from wikiprep.tables.mentions.normalize import (
    NO_LETTER_OR_DIGIT,
    loose_name,
    normal_name,
    plain_name,
    readings,
    refusal,
)
from wikiprep.tables.resolver import open_titles
from wikiprep.tables.title_lookup import TitleTable

if TYPE_CHECKING:
    from wikiprep.tables.mentions.detect import Detected, Detector

MIN_LINK_PROBABILITY = 0.01  # what annotation asks of a name by default: appendix C of the LUKE paper
FOLDER = "tables/mentions"
FILES = (*name_files(), BY_NAME, CANDIDATES, FOLDED, MISSING)


@dataclass(frozen=True, slots=True)
class NameCounts:
    """Raw counts of a name.

    Of several forms together, `name` is what they have in common and counts are their sums: a page with two of the
    forms counts twice, among the pages linked and among the pages of text alike.
    """

    name: str
    link_count: int = 0
    link_page_count: int = 0
    text_count: int = 0
    text_page_count: int = 0

    @property
    def link_probability(self) -> float:
        """Pages where the name is linked / pages where it occurs: link_probability.link_probability."""
        return link_probability.link_probability(self.link_page_count, self.text_page_count)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page that a name can mean. `page_id` is None where the dump has no such page (`--vocab-targets linked`).

    `prior` is link_count / the name's links (link_probability.prior). Marks: the name is the page's own title, the
    title of a redirect to it, or of a disambiguation page that lists it.
    """

    title: str
    page_id: int | None
    link_count: int
    link_page_count: int
    prior: float
    is_title: bool
    is_redirect_title: bool
    is_disambiguation_title: bool

    @property
    def commonness(self) -> float:
        """Another word for the prior."""
        return self.prior


class MentionTable:
    """Names by id (`names`), their counts and candidates. Open it once a process.

    For work on many names at once, read-only views: `first_of`, `rows_of`, `link_pages_of`, `text_count_of` and
    `text_pages_of` by name id; `target_at`, `links_at`, `pages_at` and `marks_at` by row, a name's rows being the
    `rows_of` ones from `first_of` on, in the order of mentions.parquet. A target is a title number, or from
    len(titles) on a title that the dump has no page for; `marks_at` has the bits of lookups.MARK_BITS.
    """

    def __init__(self, names: NameTable, titles: TitleTable, missing: Any, arrays: Sequence[npt.NDArray[Any]]) -> None:
        self.names, self.titles = names, titles
        self._missing = missing
        self.first_of, self.rows_of, self.link_pages_of, self.text_count_of, self.text_pages_of = arrays[:5]
        self.target_at, self.links_at, self.pages_at, self.marks_at, self._hash, self._names_by_hash = arrays[5:]
        self._detector: tuple[object, Detector] | None = None

    @classmethod
    def open(cls, corpus: str | Path | Store) -> "MentionTable":
        """Map the table of a build's output. Raises WikiprepError if it has none or it is not whole."""
        store = corpus if isinstance(corpus, Store) else Store(str(corpus))
        if store.size(f"{FOLDER}/{BY_NAME}") is None:
            if store.root is not None and not store.root.is_dir():
                raise no_folder(store.url)
            has_pages = store.size("tables/pages.parquet") is not None
            raise UsageError(
                f"{store.url}: no mention statistics",
                "give the build's command again with --mentions: it adds them and keeps the rest"
                if has_pages
                else "is this a folder that wikiprep made of a dump?",
            )
        local = [store.fetch(f"{FOLDER}/{name}") for name in FILES]
        folder = local[0].parent
        arrays = [
            *open_arrays(folder / BY_NAME, NAME_COLUMNS),
            *open_arrays(folder / CANDIDATES, CANDIDATE_COLUMNS),
            *open_arrays(folder / FOLDED, FOLDED_COLUMNS),
        ]
        return cls(NameTable.open(folder), open_titles(store), open_trie(folder / MISSING), arrays)

    def __len__(self) -> int:
        """How many names there are."""
        return len(self.names)

    def forms(self, name: str) -> list[NameCounts]:
        """Every name that differs in case, quotes, hyphens and the like (normalize.py).

        The most frequent in text comes first, then in order of name.
        """
        name_counts = [self.counts_of(i) for i in self._ids_of_same_form(name)]
        return sorted(name_counts, key=lambda counts: (-counts.text_count, counts.name))

    def _ids_of_same_form(self, name: str) -> list[int]:
        """The ids of the names of the same loose form."""
        for reading in readings(name):
            form, key = loose_name(reading), np.uint64(folded_hash(reading))
            low, high = (int(np.searchsorted(self._hash, key, side)) for side in ("left", "right"))
            ids = [i for i in self._names_by_hash[low:high].tolist() if loose_name(self.names.name(i)) == form]
            if ids:
                return ids
        return []

    def counts(self, name: str, *, folded: bool = False) -> NameCounts | None:
        """The raw counts of a name, with `folded` of all its forms together; None for an unknown name.

        Without, the answer's `name` says which one was found where the form asked for is none.
        """
        ids = self._ids(name, folded)
        if not folded and len(ids) == 1:
            return self.counts_of(ids[0])
        form_counts = [self.counts_of(i) for i in ids]
        sums = [
            sum(getattr(one, field) for one in form_counts)
            for field in ("link_count", "link_page_count", "text_count", "text_page_count")
        ]
        return NameCounts((loose_name if folded else plain_name)(name), *sums) if form_counts else None

    def counts_of(self, name_id: int) -> NameCounts:
        """The raw counts of a name id."""
        first, rows = int(self.first_of[name_id]), int(self.rows_of[name_id])
        links = int(self.links_at[first : first + rows].sum(dtype=np.int64))
        pages, texts, text_pages = (
            int(a[name_id]) for a in (self.link_pages_of, self.text_count_of, self.text_pages_of)
        )
        return NameCounts(self.names.name(name_id), links, pages, texts, text_pages)

    def candidates(self, name: str, k: int | None = None, *, folded: bool = False) -> list[Candidate]:
        """At most `k` pages that the name can mean, the most linked first, ties by title; none for an unknown name.

        The page whose own title the name is stays among them whatever its counts: where it is not among the `k` most
        linked it takes the last place (from k = 2 on). A title without a letter or digit is no name, but has its page.
        """
        ids = self._ids(name, folded)
        if not ids and refusal(normal_name(name)) == NO_LETTER_OR_DIGIT:
            return self._own_page(normal_name(name))
        columns = self._rows_of(ids)
        return self._candidates(columns, _choose_rows(columns, k))

    def candidates_of(self, name_id: int) -> list[Candidate]:
        """All candidates of a name id, in the same order."""
        columns = self._rows_of([name_id])
        return self._candidates(columns, range(len(columns.target)))

    def link_probability(self, name: str, *, folded: bool = False) -> float:
        """link_probability.link_probability of a name; 0 for an unknown one."""
        counts = self.counts(name, folded=folded)
        return counts.link_probability if counts else 0.0

    def prior(self, name: str, title: str, *, folded: bool = False) -> float:
        """link_probability.prior of the page `title` given the name; 0 where it is no candidate."""
        priors = (c.prior for c in self.candidates(name, folded=folded) if c.title == title)
        return next(priors, 0.0)

    commonness = prior

    def entropy(self, name: str, *, folded: bool = False) -> float:
        """link_probability.entropy of the name's links over its candidates, in [0, 1]."""
        return link_probability.entropy(self._rows_of(self._ids(name, folded)).links.tolist())

    def has_folded(self, hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """For each lookups.folded_hash, whether some name folds to a form of that hash."""
        place = np.searchsorted(self._hash, hashes)
        is_equal: npt.NDArray[np.bool_] = self._hash[np.minimum(place, len(self._hash) - 1)] == hashes
        return is_equal if len(self._hash) else np.zeros(len(hashes), np.bool_)

    def _ids(self, name: str, folded: bool) -> list[int]:
        if folded:
            return [i for form in self.forms(name) if (i := self.names.id(form.name)) is not None]
        name_id = self.names.id(normal_name(name))
        if name_id is not None:
            return [name_id]
        plain = set(map(plain_name, readings(name)))
        return [i for i in self._ids_of_same_form(name) if plain_name(self.names.name(i)) in plain]

    def _rows_of(self, ids: Sequence[int]) -> "_Found":
        """The rows of one name as they lie there; those of several names, added up by target."""
        columns = (self.target_at, self.links_at, self.pages_at, self.marks_at)
        parts = [[column[self.first_of[i] :][: self.rows_of[i]] for column in columns] for i in ids]
        if len(parts) == 1:
            return _Found(*parts[0])
        target, links, pages, marks = (
            (np.concatenate(part) for part in zip(*parts, strict=True)) if parts else [np.empty(0, np.int64)] * 4
        )
        targets, target_index = np.unique(target, return_inverse=True)
        sums = [np.zeros(len(targets), np.int64) for _ in range(3)]
        np.add.at(sums[0], target_index, links)
        np.add.at(sums[1], target_index, pages)
        np.bitwise_or.at(sums[2], target_index, marks)
        titles = [self._page(i)[0] for i in targets.tolist()]
        order = sorted(range(len(titles)), key=lambda row: (-sums[0][row], titles[row]))
        return _Found(*(column[order] for column in (targets, *sums)))

    def _candidates(self, columns: "_Found", rows: Iterable[int]) -> list[Candidate]:
        total = int(columns.links.sum(dtype=np.int64))
        candidates = []
        for row in rows:
            links, marks = int(columns.links[row]), int(columns.marks[row])
            marked = [bool(marks & bit) for bit in MARK_BITS.values()]
            share = link_probability.prior(links, total)
            candidates.append(
                Candidate(*self._page(int(columns.target[row])), links, int(columns.pages[row]), share, *marked)
            )
        return candidates

    def _own_page(self, title: str) -> list[Candidate]:
        """The page called so: for titles like "!!!", which are not counted as names (normalize.refusal)."""
        page = self.titles.resolve(title) if title.isprintable() else None  # a lone surrogate is in no table
        if page is None or page.status != "article":
            return []
        return [Candidate(page.title, page.page_id, 0, 0, 0.0, not page.via_redirect, page.via_redirect, False)]

    def detect(
        self,
        text: str,
        min_link_probability: float = MIN_LINK_PROBABILITY,
        *,
        min_prior: float = 0.0,
        k: int | None = 10,
        folded: bool = False,
        blocked: Sequence[tuple[int, int]] = (),
    ) -> "list[Detected]":
        """The names in a text with what they can mean: see detect.Detector, which does many texts at once."""
        from wikiprep.tables.mentions.detect import Detector

        settings = (min_link_probability, min_prior, k, folded)
        if self._detector is None or self._detector[0] != settings:
            self._detector = (settings, Detector(self, min_link_probability, min_prior=min_prior, k=k, folded=folded))
        return self._detector[1].detect([text], [blocked])[0]

    def links_to(self, name: str, target: int) -> bool:
        """Whether links on `name`, in normal form, lead to the target of that number."""
        name_id = self.names.id(name)
        if name_id is None:
            return False
        rows = slice(first := int(self.first_of[name_id]), first + int(self.rows_of[name_id]))
        return bool(np.any(self.links_at[rows][self.target_at[rows] == target]))

    def targets(self, titles: list[str]) -> npt.NDArray[np.int64]:
        """Targets of many titles, -1 for one that neither the title table nor any link to a missing page has."""
        numbers = self.titles.numbers(titles).astype(np.int64)
        for place in np.flatnonzero(numbers < 0).tolist():
            numbers[place] = self._missing.get(titles[place], -1 - len(self.titles)) + len(self.titles)
        return numbers

    def _page(self, target: int) -> tuple[str, int | None]:
        """Title and page id of a target."""
        if target >= len(self.titles):
            title: str = self._missing.restore_key(target - len(self.titles))
            return title, None
        return self.titles.title(target), self.page_id(target)

    def page_id(self, target: int) -> int | None:
        """The page id of a target; None where it has no page."""
        page = int(self.titles.page_id_of[target]) if target < len(self.titles) else -1
        return page if page >= 0 else None


@dataclass(frozen=True, slots=True)
class _Found:
    """Rows of candidates as columns, the most linked first."""

    target: npt.NDArray[Any]
    links: npt.NDArray[Any]
    pages: npt.NDArray[Any]
    marks: npt.NDArray[Any]


def _choose_rows(columns: _Found, k: int | None) -> list[int]:
    """The first `k` rows, the last of them giving way to rows of the name's own page."""
    size = len(columns.target)
    if k is None or size <= k:
        return list(range(size))
    titled = k + np.flatnonzero(columns.marks[k:] & MARK_BITS["is_title"])[: max(0, k - 1)]
    return [*range(k - len(titled)), *titled.tolist()]
