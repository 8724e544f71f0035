"""A vocabulary made elsewhere, put to use for a dump: its ids stay, its titles become those of this dump.

A table of embeddings hangs on the ids, so none is lost: what the dump has not, keeps its id and gets no mention.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.counts import Count, Equation, declare_counts
from wikiprep.errors import WikiprepError
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.storage.tables import TableResult
from wikiprep.tables.choose_entities import (
    COVERED,
    ENTITIES,
    LINKS,
    LOST,
    SIZE,
    SPECIAL_TOKENS,
    WITH_QID,
    check_links,
    mentions_in,
)
from wikiprep.tables.count_files import PARTITIONS, CountFiles
from wikiprep.tables.entity_vocab import SPECIALS, Row, write_vocabulary
from wikiprep.tables.link_counts import TO_DISAMBIGUATION, UNRESOLVED
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.tables.vocab_files import VocabRow, read_vocabulary

GIVEN = "given_vocab.parquet"
GIVEN_ENTITIES = Count("vocabulary.given", "Entities of --entity-vocab.")
BY_STATUS = declare_counts(
    "vocabulary.given.",
    exact="Entities whose title is an article's.",
    redirect="Entities whose title leads to an article through redirects.",
    variant="Entities whose title is an article's in another script of the wiki.",
    merged="Entities whose page another of them has.",
    disambiguation="Entities whose title is a disambiguation page's.",
    missing="Entities without a page in the dump.",
)
BY_ENTITY = Equation("entities of a given vocabulary", GIVEN_ENTITIES, tuple(BY_STATUS.values()))


def given_vocabulary_schema() -> pa.Schema:
    """tables/given_vocab.parquet: a row an entity of the given vocabulary, by id. `title` as given, `now` in the dump.

    `status`: exact; redirect (renamed: the id is that of the page it leads to); variant (as the page's title is written
    in another script of the wiki, title_variants.py); merged (it leads to a page that another
    id has); disambiguation; missing.
    """
    return pa.schema(
        [
            *(("id", pa.int32()), ("title", pa.string()), ("status", pa.string()), ("now", pa.string())),
            *(("page_id", pa.int64()), ("count", pa.int64())),
        ],
        metadata={b"wikiprep.schema": b"given-vocab/1"},
    )


def build_given_vocabulary(
    partials: Sequence[str | Path],
    titles_folder: str | Path,
    out_dir: Path,
    path: str,
    language: str,
    *,
    normalise: Callable[[str], str],
    qids: Callable[[Sequence[Row]], dict[int, str]] | None = None,
) -> TableResult:
    """Write the vocabulary of the file `path` (tables.vocab_files), its titles in `language`, and GIVEN into `out_dir`.

    Counts of links are this dump's. Counts close by BY_ENTITY, the others as in `build_vocabulary`.
    Raises WikiprepError where nothing of it is in the dump.
    """
    titles, files = TitleTable.open(titles_folder), CountFiles(partials)
    vocab_rows = read_vocabulary(path, language)
    specials = [row for row in vocab_rows if row.title in SPECIALS]
    entries = [row for row in vocab_rows if row.title not in SPECIALS]
    matches = _match_entities(entries, titles, normalise)
    title_counts = files.numbered(len(titles))
    unknown, unknown_counts = _count_unknown(files, {title for _, title, status, *_ in matches if status == "missing"})
    check_links(files.counters(), int(title_counts.sum()) + unknown)
    rows: list[Row] = [(row.id, row.title, None, 0) for row in specials]
    status_rows = []
    for row, title, status, number, page in matches:
        count = int(title_counts[number]) if number >= 0 else unknown_counts.get(title, 0)
        rows.append((row.id, title, page, count))
        status_rows.append((row.id, row.title, status, title, page, count))
    if not any(status in ("exact", "redirect", "variant") or count for _, _, status, _, _, count in status_rows):
        raise WikiprepError(
            f"{path}: none of its {len(entries):,} entities is an article of this dump, or linked in it",
            "is it the vocabulary of another wiki? A file of several languages needs one of the dump's language",
        )
    counters = files.counters()
    links = mentions_in(counters)
    items = qids(rows) if qids else None
    size = write_vocabulary(rows, out_dir, links=links, qids=items)
    _write(status_rows, out_dir / GIVEN)
    covered_links = sum(count for *_, count in rows)
    on_disambiguations = sum(count for _, _, status, *_, count in status_rows if status == "disambiguation")
    lost_links = {
        "missing": unknown - sum(unknown_counts.values()),
        "disambiguation": TO_DISAMBIGUATION.total(counters) - on_disambiguations,
        "unresolved_redirect": UNRESOLVED.total(counters),
    }
    lost_links["outside"] = links - covered_links - sum(lost_links.values())
    counts = {LOST.of(reason): n for reason, n in lost_links.items()}
    statuses = [status for status in BY_STATUS if status != "variant" or titles.has_variants]
    counts |= {BY_STATUS[status]: sum(t[2] == status for t in status_rows) for status in statuses}
    entities = len({row.id for row in entries})
    counts |= {
        LINKS: links,
        COVERED: covered_links,
        GIVEN_ENTITIES: len(status_rows),
        SIZE: size,
        ENTITIES: entities,
        SPECIAL_TOKENS: size - entities,
    }
    if items is not None:
        counts[WITH_QID] = len(items)
    warnings = []
    if missing := counts[BY_STATUS["missing"]]:
        warnings.append(
            f"{missing:,} of {len(status_rows):,} entities of {Path(path).name} have no page in this dump "
            f"(tables/{GIVEN})"
        )
    return TableResult(dict(sorted(counts.items())), tuple(warnings))


_EntityMatch = tuple[
    VocabRow, str, str, int, int | None
]  # the row; its title, status, title number (-1) and page id now


def _match_entities(
    rows: Sequence[VocabRow], titles: TitleTable, normalise: Callable[[str], str]
) -> list[_EntityMatch]:
    """What each entity is in the dump.

    A page has one id: that of its own title, else of that title in another script, else the smallest that leads to it
    by redirect.
    """
    resolved = [(row, titles.resolve(normalise(row.title))) for row in rows]
    owners: dict[str, int] = {}  # title of a page -> the place of the entity that has it
    for way in ((False, False), (False, True), (True, False), (True, True)):
        for place, (_, end) in enumerate(resolved):
            if end.page_id is not None and (end.via_redirect, end.via_variant) == way:
                owners.setdefault(end.title, place)
    matches: list[_EntityMatch] = []
    for place, (row, end) in enumerate(resolved):
        if end.page_id is None:
            matches.append((row, row.title, "missing", -1, None))
        elif owners[end.title] != place:
            matches.append((row, row.title, "merged", -1, None))
        else:
            way_there = "variant" if end.via_variant else "redirect" if end.via_redirect else "exact"
            status = end.status if end.status == "disambiguation" else way_there
            matches.append((row, end.title, status, titles.number(end.title), end.page_id))
    return matches


def _count_unknown(files: CountFiles, wanted_titles: set[str]) -> tuple[int, Mapping[str, int]]:
    """All links to titles that the dump has no page of, and those to each of `wanted_titles`."""
    total, counts = 0, dict[str, int]()
    titles = pa.array(sorted(wanted_titles), pa.string())
    for index in range(PARTITIONS):
        part = files.partition(index)
        total += int(pc.sum(part["count"]).as_py() or 0)
        part = part.filter(pc.is_in(part["title"], value_set=titles))
        counts |= dict(zip(part["title"].to_pylist(), part["count"].to_pylist(), strict=True))
    return total, counts


def _write(rows: Sequence[tuple[int, str, str, str, int | None, int]], path: Path) -> None:
    writer = RowGroupWriter(path, given_vocabulary_schema(), dictionary=("status",))
    columns = list(zip(*rows, strict=True)) or [()] * len(given_vocabulary_schema())
    arrays = [pa.array(values, field.type) for values, field in zip(columns, given_vocabulary_schema(), strict=True)]
    writer.add(pa.Table.from_arrays(arrays, schema=given_vocabulary_schema()))
    writer.close()
