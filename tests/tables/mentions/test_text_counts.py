"""Occurrences in text: a link is one occurrence of its own name, all else is the longest match between links."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from make_mentions import Piece, article, mentions_of, paragraph
from make_tables import page

from wikiprep.errors import WikiprepError
from wikiprep.tables.mentions.text_counts import TextCounts

TITLES = ["New York", "New York City", "York", "apple", "Apple", "東京", "東京都", "كتاب", "C++", "AT&T", "St. John's"]
PAGES = [page(number, title) for number, title in enumerate(TITLES, 1)]


def texts(out: Path, *pieces: Piece) -> dict[str, int]:
    """text_count of the names that occur in one paragraph."""
    mentions_of(out, PAGES, [article(1, "New York", paragraph(*pieces))])
    rows = pq.read_table(out / "tables" / "mentions.parquet").to_pylist()
    return {row["name"]: row["text_count"] for row in rows if row["text_count"]}


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["In New York City, not in New York."], {"New York City": 1, "New York": 1}),  # the longest, once
        (["New York and York"], {"New York": 1, "York": 1}),
        (["New Yorker, Yorkshire, apples"], {}),  # whole tokens
        (["(New York)-York/York"], {"New York": 1, "York": 2}),  # punctuation ends a token
        (["apple Apple APPLE"], {"apple": 1, "Apple": 1}),  # case is kept
        (["東京都庁は東京にある"], {"東京都": 1, "東京": 1}),  # no spaces needed
        (["كتاب الكتاب وكتاب كتاب."], {"كتاب": 2}),  # a prefix makes another word
        (["C++ is not C+, AT&T is not AT"], {"C++": 1, "AT&T": 1}),
        (["St. John's and St. John"], {"St. John's": 1}),
        (["New\u00a0\u00a0York"], {"New York": 1}),
        # A link is its own name and nothing inside it; no name goes across its edge.
        ([("New York City", "York"), " and York"], {"New York City": 1, "York": 1}),
        (["New ", ("York", "York"), " City"], {"York": 1}),
        ([("New York", "New York"), " City"], {"New York": 1}),
        ([("in New York City", "Red"), " York"], {"York": 1}),  # the text of a link that is no name is none
        ([("York", "Red"), " ", ("York", "York")], {"York": 2}),  # a red link is text, whatever it leads to
        ([("New", "New York"), ("York", "York")], {"New": 1, "York": 1}),  # links side by side
        (["York York", ("York", "York")], {"York": 2}),  # a token that a link cuts is none
    ],
)
def test_occurrences_by_hand(tmp_path: Path, pieces: list[Piece], expected: dict[str, int]) -> None:
    assert texts(tmp_path, *pieces) == expected


def test_pages_are_counted_once(tmp_path: Path) -> None:
    one = article(1, "New York", paragraph("York York ", ("York", "York")), paragraph("York"))
    two = article(2, "New York City", paragraph("York"))
    listed = article(12, "Y", paragraph("York"), kind="disambiguation")
    counts = mentions_of(tmp_path, [*PAGES, page(12, "Y", "disambiguation")], [one, two, listed], parts=2)
    (row,) = [r for r in pq.read_table(tmp_path / "tables" / "mentions.parquet").to_pylist() if r["name"] == "York"]
    assert (row["text_count"], row["text_page_count"], row["name_link_page_count"]) == (5, 2, 1)
    assert counts["mentions.occurrences"] == 5
    assert (counts["mentions.spans.read"], counts["mentions.occurrences.linked"]) == (1, 1)


def test_files_of_text_counts_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="are gone"):
        TextCounts([tmp_path / "x"]).of(0, 5)
    (tmp_path / "x").write_bytes(b"nothing")
    with pytest.raises(WikiprepError, match="not a whole file"):
        TextCounts([tmp_path / "x"]).of(0, 5)
    with pa.OSFile(str(tmp_path / "y"), "wb") as sink, pa.ipc.new_file(sink, pa.schema([("a", pa.int8())])):
        pass
    with pytest.raises(WikiprepError, match="not a file of counts of text"):
        TextCounts([tmp_path / "y"]).of(0, 5)
    assert [column.tolist() for column in TextCounts([]).of(3, 5)] == [[0, 0], [0, 0]]
    assert np.array(TextCounts([]).of(0, 0)).size == 0
