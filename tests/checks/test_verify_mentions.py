"""`wikiprep verify` on the mention table: in order as built, and every kind of wrong row is found."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from inline import build
from test_verify import mend, problems, rewrite, with_value, without_row

from wikiprep.sample import dump_path
from wikiprep.storage.memory_maps import open_arrays, write_arrays
from wikiprep.tables.mentions.lookups import BY_NAME, CANDIDATE_COLUMNS, CANDIDATES, NAME_COLUMNS

TABLE = "tables/mentions.parquet"
Change = Callable[[pa.Table], pa.Table]


@pytest.fixture(scope="module")
def sample_mentions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("mentions") / "corpus"
    build(output, dump_path(), sections={"mentions": {"mentions": True}}, until="tables")
    return output


@pytest.fixture
def corpus(sample_mentions: Path, tmp_path: Path) -> Path:
    output = tmp_path / "corpus"
    shutil.copytree(sample_mentions, output, ignore=shutil.ignore_patterns("_state"))
    return output


def row_of(output: Path, name: str) -> int:
    """The first row of a name."""
    found: int = pq.read_table(output / TABLE)["name"].to_pylist().index(name)
    return found


def changed(output: Path, change: Change) -> list[str]:
    rewrite(output / TABLE, change)
    mend(output)
    return problems(output)


def set_at(output: Path, name: str, column: str, value: object) -> list[str]:
    row = row_of(output, name)
    return changed(output, lambda table: with_value(table, column, row, value))


def test_the_sample_is_in_order(sample_mentions: Path) -> None:
    assert problems(sample_mentions) == []


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("link_count", 1, "links do not add up to those of the name"),
        ("name_link_count", 7, "links do not add up to those of the name"),
        ("link_page_count", 10_000, "link_page_count is not within link_count"),
        ("name_link_page_count", 10_000, "name_link_page_count is not within text_page_count"),
        ("text_count", 0, "text_page_count is not within text_count"),
        ("text_page_count", -1, "text_page_count is not within text_count"),
        ("page_id", 3, "the target is no document"),
        ("page_id", 999_999, "the target is no document"),
        ("page_id", None, "the target is no document"),
        ("target", "Nowhere at all", "the target is no document"),
        ("is_title", False, "the row is another in tables/mentions"),
        ("name", "Jupiters", "the row is another in tables/mentions"),
    ],
)
def test_a_wrong_value_is_named(corpus: Path, column: str, value: object, problem: str) -> None:
    found = set_at(corpus, "Jupiter", column, value)
    assert any(line.startswith(f"{TABLE}: {problem}: ") and "such as of the name 'Jupiter" in line for line in found)


def test_counts_of_a_name_are_the_same_in_its_rows(corpus: Path) -> None:
    found = set_at(corpus, "Galileo", "text_count", 999)
    assert f"{TABLE}: text_count differs within a name: 1 rows, such as of the name 'Galileo'" in found


def test_rows_out_of_order(corpus: Path) -> None:
    found = changed(corpus, lambda table: table.take(pa.array([1, 0, *range(2, table.num_rows)])))
    assert any("not in order" in line for line in found)


def test_a_lost_row(corpus: Path) -> None:
    row, rows = row_of(corpus, "Galileo"), pq.read_metadata(corpus / TABLE).num_rows
    found = changed(corpus, lambda table: without_row(table, row))
    assert any(f"holds {rows - 1} mentions.rows, the manifest counts {rows}" in line for line in found)
    assert any("links do not add up" in line for line in found)


def test_a_target_that_the_dump_lacks(corpus: Path) -> None:
    """facebookresearch/GENRE#85, from the other side: the page is gone from the list of pages."""
    pages = corpus / "tables" / "pages.parquet"
    titles = pq.read_table(pages)["title"].to_pylist()
    rewrite(pages, lambda table: without_row(table, titles.index("Jupiter")))
    mend(corpus)
    found = problems(corpus)
    assert any(line.startswith(f"{TABLE}: the target is no document: ") for line in found)


@pytest.mark.parametrize("name", [BY_NAME, CANDIDATES])
def test_a_look_up_file_that_says_something_else(corpus: Path, name: str) -> None:
    path = corpus / "tables" / "mentions" / name
    columns = {BY_NAME: NAME_COLUMNS, CANDIDATES: CANDIDATE_COLUMNS}[name]
    arrays = dict(zip(columns, (np.array(a) for a in open_arrays(path, columns)), strict=True))
    arrays[columns[1]][5] += 1
    path.unlink()
    write_arrays(path, arrays)
    mend(corpus)
    assert any("the row is another in tables/mentions: " in line for line in problems(corpus))


def test_a_missing_look_up_file(corpus: Path) -> None:
    (corpus / "tables" / "mentions" / "folded.arrow").unlink()
    found = problems(corpus)
    assert "tables/mentions/folded.arrow: missing" in found
    assert any("cannot be counted again" in line and "folded.arrow" in line for line in found)


def test_titles_without_a_page_are_in_order_where_they_are_wanted(tmp_path: Path) -> None:
    sections = {"mentions": {"mentions": True}, "vocabulary": {"vocab_targets": "linked"}}
    build(tmp_path, dump_path(), sections=sections, until="tables")
    assert problems(tmp_path) == []
