"""The entity vocabulary from link counts: most frequent first, ties by title in code point order.

Merged in pieces: known titles as one array, unknown ones (for `--vocab-targets linked`) a hash partition at a time, of
which only the candidates that can still enter are kept. The peak is that of the vocabulary itself.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.config import VocabularyConfig
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.storage.tables import TableResult
from wikiprep.tables.count_files import PARTITIONS, CountFiles
from wikiprep.tables.entity_vocab import SPECIALS, Row, write_vocabulary
from wikiprep.tables.link_counts import READ, TO_ARTICLE, TO_DISAMBIGUATION, TO_MISSING, UNRESOLVED
from wikiprep.tables.schema import ARTICLE, DISAMBIGUATION
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.textlines import read_lines

FIRST_ENTITY = 3
_CANDIDATES = pa.schema([("title", pa.string()), ("count", pa.int64()), ("number", pa.int32()), ("forced", pa.bool_())])
LINKS = Count("vocabulary.links", "Links to articles, also to those that the dump lacks: what a vocabulary can cover.")
COVERED = Count("vocabulary.links.covered", "Links to an entity.")
LOST = Reasons(
    "vocabulary.links.lost.",
    "Links to what is no entity.",
    missing="The dump lacks the page; --vocab-targets linked takes its title.",
    disambiguation="A disambiguation page, without --keep-disambiguation.",
    unresolved_redirect="A redirect that ends nowhere.",
    outside="Linked less often than --min-count, or beyond --vocab-size.",
)
COVERAGE = Equation("links that entities can cover", LINKS, (COVERED, LOST))
SIZE = Count("vocabulary.size", "Ids of the vocabulary.")
ENTITIES = Count("vocabulary.entities", "Entities: ids that are no special tokens.")
SPECIAL_TOKENS = Count("vocabulary.special_tokens", "[PAD], [UNK], [MASK] and [MASK2].")
IDS = Equation("vocabulary", SIZE, (ENTITIES, SPECIAL_TOKENS))
LISTED = Count("also.vocabulary.white_list.entered", "Titles of --white-list that are entities for that.")
LISTED_UNKNOWN = Count("also.vocabulary.white_list.unknown", "Titles of --white-list of which nothing is known.")
WITH_QID = Count("also.vocabulary.with_qid", "Entities with a Wikidata item, with --wikidata.")
# Links to namespace 0 that text shows as mentions
_MENTIONS = (TO_ARTICLE, TO_DISAMBIGUATION, TO_MISSING, UNRESOLVED)


def build_vocabulary(
    partials: Sequence[str | Path],
    titles_folder: str | Path,
    out_dir: str | Path,
    config: VocabularyConfig,
    *,
    normalise: Callable[[str], str] | None = None,
    qids: Callable[[Sequence[Row]], dict[int, str]] | None = None,
) -> TableResult:
    """Write the vocabulary (entity_vocab.py) of the counts files `partials` into `out_dir`.

    `qids` finds the Wikidata items of entities, for a column of their own.

    White-listed titles (`normalise`d, redirects followed) take their places first and then stand in order of count.
    Counts close by COVERAGE and IDS; counters of the parts are checked to close and are not repeated.

    Raises UsageError for options that cannot be, WikiprepError if the vocabulary is empty though links were read.
    """
    places = config.vocab_size - FIRST_ENTITY
    _check(config, places)
    titles = TitleTable.open(titles_folder)
    files = CountFiles(partials)
    listed_titles = _white_list(config.white_list, titles, normalise)
    table, unknown_titles, unknown = _candidates(files, titles, config, places, listed_titles)
    forced = len(listed_titles) - len(unknown_titles)
    if forced > places:
        raise UsageError(
            f"the white list has {forced} known titles, --vocab-size {config.vocab_size} leaves room for {places}",
            "raise --vocab-size",
        )
    counters = files.counters()
    if not table.num_rows and counters[READ]:
        raise WikiprepError(
            f"the entity vocabulary is empty: {_why_empty(config, counters[READ], unknown)}",
            "use --vocab-targets linked for a part of a dump, or lower --min-count",
        )
    links = mentions_in(counters)
    rows = _rows(table, titles)
    items = qids(rows) if qids else None
    size = write_vocabulary(rows, out_dir, links=links, qids=items)
    counts = _account(counters, config, links, int(pc.sum(table["count"]).as_py() or 0), unknown)
    counts |= {
        SIZE: size,
        ENTITIES: table.num_rows,
        SPECIAL_TOKENS: size - table.num_rows,
        LISTED: forced,
        LISTED_UNKNOWN: len(unknown_titles),
    }
    if items is not None:
        counts[WITH_QID] = len(items)
    return TableResult(dict(sorted(counts.items())), tuple(_warnings(config, unknown_titles)))


def _check(config: VocabularyConfig, places: int) -> None:
    if places < 1:
        raise UsageError(
            f"--vocab-size {config.vocab_size} leaves no room for an entity", "[PAD], [UNK], [MASK] count: 4 at least"
        )
    if config.vocab_targets not in ("existing", "linked"):
        raise UsageError(f"--vocab-targets {config.vocab_targets!r} is unknown", "it is existing or linked")


def _white_list(path: str | None, titles: TitleTable, normalise: Callable[[str], str] | None) -> set[str]:
    """The titles asked for, redirects followed."""
    if path is None:
        return set()
    try:
        lines = [line.decode() for _, line in read_lines(path)]
    except (OSError, UnicodeDecodeError, WikiprepError) as error:
        reason = error.what if isinstance(error, WikiprepError) else error
        raise UsageError(f"{path}: cannot read the white list ({reason})", "a UTF-8 file, one title a line") from error
    names = [normalise(line) if normalise else " ".join(line.replace("_", " ").split()) for line in lines]
    return {titles.resolve(title).title for title in names if title}


def _candidates(
    files: CountFiles, titles: TitleTable, config: VocabularyConfig, places: int, listed_titles: set[str]
) -> tuple[pa.Table, set[str], int]:
    """The entities in order, what of the white list nothing is known of, and the links to titles without a page."""
    counts = files.numbered(len(titles))
    eligible = titles.kind_of == ARTICLE
    if config.keep_disambiguation:
        eligible |= titles.kind_of == DISAMBIGUATION
    table, listed_titles = _known_candidates(counts, eligible, titles, config.min_count, places, listed_titles)
    unknown = 0
    for index in range(PARTITIONS):
        part = files.partition(index)
        unknown += int(pc.sum(part["count"]).as_py() or 0)
        if config.vocab_targets == "linked":
            more, listed_titles = _unknown_candidates(part, config.min_count, listed_titles)
            table = _best_candidates(pa.concat_tables([table, more]), places)
    check_links(files.counters(), int(counts.sum()) + unknown)
    return table.sort_by([("count", "descending"), ("title", "ascending")]), listed_titles, unknown


def _known_candidates(
    counts: npt.NDArray[np.int64],
    eligible: npt.NDArray[np.bool_],
    titles: TitleTable,
    min_count: int,
    places: int,
    listed_titles: set[str],
) -> tuple[pa.Table, set[str]]:
    """The candidates that can enter among numbered titles, and what of the white list is not among them."""
    frequent = np.flatnonzero(eligible & (counts >= max(min_count, 1)))
    if len(frequent) > places:
        # Everything at least as frequent as the last place's; titles decide ties, later.
        floor = np.partition(counts[frequent], len(frequent) - places)[len(frequent) - places]
        frequent = frequent[counts[frequent] >= floor]
    listed_by_number = {
        number: title for title in sorted(listed_titles) if (number := titles.number(title)) >= 0 and eligible[number]
    }
    numbers = np.union1d(frequent, np.array(sorted(listed_by_number), np.int64)).astype(np.int32)
    columns = [
        pa.array([titles.title(number) for number in numbers.tolist()], pa.string()),
        pa.array(counts[numbers], pa.int64()),
        pa.array(numbers, pa.int32()),
        pa.array(np.isin(numbers, np.array(sorted(listed_by_number), np.int64)), pa.bool_()),
    ]
    table = pa.Table.from_arrays(columns, schema=_CANDIDATES)
    return _best_candidates(table, places), listed_titles - set(listed_by_number.values())


def _unknown_candidates(part: pa.Table, min_count: int, listed_titles: set[str]) -> tuple[pa.Table, set[str]]:
    """The candidates of one partition of unknown titles, and what of the white list is not among them."""
    forced = pc.is_in(part["title"], value_set=pa.array(sorted(listed_titles), pa.string()))
    selected = pc.or_(forced, pc.greater_equal(part["count"], max(min_count, 1)))
    selected = pc.and_(selected, pc.invert(pc.is_in(part["title"], value_set=pa.array(SPECIALS))))
    no_numbers = pa.nulls(part.num_rows, pa.int32())
    table = pa.Table.from_arrays([part["title"], part["count"], no_numbers, forced], schema=_CANDIDATES).filter(
        selected
    )
    return table, listed_titles - set(table["title"].filter(table["forced"]).to_pylist())


def _best_candidates(table: pa.Table, places: int) -> pa.Table:
    """The candidates that get a place: the white list first, then by count, ties by title."""
    if table.num_rows <= places:
        return table
    ranked = table.set_column(3, "forced", table["forced"].cast(pa.int8()))
    order = pc.sort_indices(ranked, [("forced", "descending"), ("count", "descending"), ("title", "ascending")])
    return table.take(order[:places]).combine_chunks()


def _rows(table: pa.Table, titles: TitleTable) -> list[Row]:
    numbers = table["number"].to_pylist()
    rows: list[Row] = []
    for place, (title, count, number) in enumerate(
        zip(table["title"].to_pylist(), table["count"].to_pylist(), numbers, strict=True)
    ):
        page = None if number is None else int(titles.page_id_of[number])
        rows.append((place + FIRST_ENTITY, title, page, count))
    return rows


def mentions_in(counters: Mapping[Count, int]) -> int:
    """The links that a vocabulary can cover, by the counters of the parts."""
    return sum(reasons.total(counters) for reasons in _MENTIONS)


def check_links(counters: Mapping[Count, int], counted: int) -> None:
    """The equation of design rule 4: what the files hold is what the counters say. Raises WikiprepError."""
    countable = mentions_in(counters) - UNRESOLVED.total(counters)
    parts = sum(n for key, n in counters.items() if key != READ)
    if countable != counted or parts != counters[READ]:
        raise WikiprepError(
            f"links do not close: {counters[READ]} read, {parts} in parts, {countable} to count, {counted} counted",
            "this is a fault in wikiprep: please report it",
        )


def _account(
    counters: Mapping[Count, int], config: VocabularyConfig, links: int, covered_links: int, unknown: int
) -> dict[Count, int]:
    """Which links the vocabulary covers, and why not the others; "outside" is too rare or beyond the size."""
    lost_links = {
        "missing": 0 if config.vocab_targets == "linked" else unknown,
        "disambiguation": 0 if config.keep_disambiguation else TO_DISAMBIGUATION.total(counters),
        "unresolved_redirect": UNRESOLVED.total(counters),
    }
    lost_links["outside"] = links - covered_links - sum(lost_links.values())
    counts = {LOST.of(reason): n for reason, n in lost_links.items()}
    return counts | {LINKS: links, COVERED: covered_links}


def _why_empty(config: VocabularyConfig, links: int, missing: int) -> str:
    if config.vocab_targets == "existing" and missing:
        return f"{missing} of {links} links lead to pages that are not in the dump, the others to none that can enter"
    return f"none of {links} links leads to a page of namespace 0 that is linked {config.min_count} times or more"


def _warnings(config: VocabularyConfig, unknown: set[str]) -> list[str]:
    if not unknown:
        return []
    examples, name = ", ".join(sorted(unknown)[:5]), Path(config.white_list or "").name
    return [f"{len(unknown)} titles of the white list {name} are unknown, such as: {examples}"]
