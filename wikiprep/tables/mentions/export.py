"""The mention table in the forms of other people's tools: REL's SQLite table, and tab-separated lines.

Read from tables/mentions.parquet as a stream: the rows of one name are held at a time.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import pyarrow.parquet as pq

from wikiprep.progress import Advance, advance_over, ignore_progress
from wikiprep.tables.mentions import link_probability

REL_CANDIDATES = 100  # a name has at most so many in REL
# text, title, link_count, total_link_count and doc_count are called so in wikipedia2vec's mention table too.
TSV_COLUMNS = (
    *("text", "title", "page_id", "link_count", "link_page_count"),
    *("total_link_count", "link_doc_count", "text_count", "doc_count"),
    *("is_title", "is_redirect_title", "is_disambiguation_title"),
)
_OF_TABLE = {
    "text": "name",
    "title": "target",
    "total_link_count": "name_link_count",
    "link_doc_count": "name_link_page_count",
    "doc_count": "text_page_count",
}
_BATCH = 10_000

Row = dict[str, Any]


def names_of(
    mentions: Path, most: int | None, min_link_probability: float = 0.0, advance: Advance = ignore_progress
) -> Iterator[list[Row]]:
    """By name, its rows of mentions.parquet: the `most` that are linked most, and the page of that title in any case.

    Names under the link probability are left out (a name that no text has, has 0). `advance` is told of rows.
    """
    with pq.ParquetFile(mentions) as file:
        batches = advance_over(file.iter_batches(batch_size=1 << 14), advance, lambda batch: int(batch.num_rows))
        rows = (row for batch in batches for row in batch.to_pylist())
        for _, group in groupby(rows, key=itemgetter("name")):
            name_rows = list(group)
            pages, texts = name_rows[0]["name_link_page_count"], name_rows[0]["text_page_count"]
            if link_probability.link_probability(pages, texts) >= min_link_probability:
                yield choose_rows(name_rows, most)


def choose_rows(rows: Sequence[Row], most: int | None) -> list[Row]:
    """The first `most` rows.

    The page that is called so takes the last place where it would be left out, from two on.
    """
    if most is None or len(rows) <= most:
        return list(rows)
    titled = [row for row in rows[most:] if row["is_title"]][: most - 1]
    return [*rows[: most - len(titled)], *titled]


def write_tsv(out: IO[bytes], names: Iterator[list[Row]]) -> tuple[int, int]:
    """Header and one line a name and page; how many names, and lines. Names and titles have no tab and no line end."""
    out.write(("\t".join(TSV_COLUMNS) + "\n").encode())
    count = lines = 0
    for rows in names:
        count += 1
        lines += len(rows)
        out.write("".join(map(_tsv_line, rows)).encode())
    return count, lines


def _tsv_line(row: Row) -> str:
    cells = (row[_OF_TABLE.get(column, column)] for column in TSV_COLUMNS)
    return "\t".join(map(_cell, cells)) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def write_rel(path: Path, names: Iterator[list[Row]]) -> tuple[int, int]:
    """An SQLite file with the table `wiki` that REL looks names up in; how many names, and candidates.

    `GenericLookup.wiki` of REL reads it (radboud-el 0.0.1, REL/db/base.py): word, p_e_m, lower, freq, where p_e_m is a
    blob, the JSON list of [title with underscores, p(e|m)] in bytes. (REL of 2020 had binary digits there.)
    p(e|m) is link_probability.prior. A table `own_title` beside it has (word, entity) where a page is
    called like the name.
    """
    count = candidates = 0
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("CREATE TABLE wiki (word text primary key, p_e_m blob, lower text, freq INTEGER)")
        db.execute("CREATE TABLE own_title (word text, entity text)")
        db.execute("BEGIN")
        while group := list(islice(names, _BATCH)):
            db.executemany("INSERT INTO wiki VALUES (?, ?, ?, ?)", map(_rel_row, group))
            own_titles = [(row["name"], _entity(row)) for rows in group for row in rows if row["is_title"]]
            db.executemany("INSERT INTO own_title VALUES (?, ?)", own_titles)
            count += len(group)
            candidates += sum(map(len, group))
        db.execute("COMMIT")
        db.execute("CREATE INDEX idx_lower ON wiki (lower)")
        db.execute("CREATE INDEX idx_own_title ON own_title (word)")
    return count, candidates


def _rel_row(rows: Sequence[Row]) -> tuple[str, bytes, str, int]:
    name, links = rows[0]["name"], rows[0]["name_link_count"]
    pairs = [[_entity(row), link_probability.prior(row["link_count"], links)] for row in rows]
    return name, json.dumps(pairs).encode(), name.lower(), links


def _entity(row: Row) -> str:
    title: str = row["target"]
    return title.replace(" ", "_")
