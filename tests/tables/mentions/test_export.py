"""Exports as the tools that they are for read them; a page is among the pages of its own title whatever the counts."""

import csv
import importlib.util
import json
import sqlite3
import sys
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from make_mentions import article, mentions_of, paragraph
from make_tables import page

from wikiprep.tables.mentions.export import TSV_COLUMNS, choose_rows, names_of, write_rel, write_tsv
from wikiprep.tables.mentions.mention_table import MentionTable


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """ "Ann" leads to 130 pages, most often to 1; the page called so is linked once."""
    out = tmp_path_factory.mktemp("export")
    pages = [page(i, f"Page {i}") for i in range(1, 131)] + [page(900, "Ann"), page(901, 'A "B"'), page(902, "東京")]
    rows = [
        article(i, f"Page {i}", paragraph(*[("Ann", f"Page {i}")] * (3 if i == 1 else 2), " and ", ("東京", "東京")))
        for i in range(1, 131)
    ]
    rows.append(article(900, "Ann", paragraph('"B" ', ('A "B"', 'A "B"'), " ", ("Ann", "Ann"), " ANN")))
    mentions_of(out, pages, rows)
    return out


def rel(db: sqlite3.Connection, word: str, column: str) -> Any:
    """What REL's look-up gives: REL/db/base.py, lookup_wik, said again for where REL is not installed."""
    if column == "lower":
        return (db.execute("SELECT word FROM wiki WHERE lower = ?", (word,)).fetchone() or [None])[0]
    row = db.execute(f"SELECT {column} FROM wiki WHERE word = ?", (word,)).fetchone()
    if row is None or column != "p_e_m":
        return row and row[0]
    return json.loads(row[0].decode())


@pytest.fixture
def generic_lookup(monkeypatch: pytest.MonkeyPatch) -> Any:
    """REL's own class. Its module wants two packages for what no look-up does: to read vectors, and to download."""
    if importlib.util.find_spec("REL") is None:
        pytest.skip('REL is not installed: pip install --no-deps "radboud-el==0.0.1"')
    for name, missing in (("gensim", "utils"), ("requests", "get")):
        if importlib.util.find_spec(name) is None:
            stand_in = ModuleType(name)
            setattr(stand_in, missing, None)
            monkeypatch.setitem(sys.modules, name, stand_in)
    return importlib.import_module("REL.db.generic").GenericLookup


def test_rel_reads_names_with_at_most_a_hundred_pages(corpus: Path, tmp_path: Path) -> None:
    table = MentionTable.open(corpus)
    path = tmp_path / "entity_word_embedding.db"
    names, candidates = write_rel(path, names_of(corpus / "tables" / "mentions.parquet", 100))
    db = sqlite3.connect(path)
    assert db.execute("SELECT count(*) FROM wiki").fetchone() == (names,) == (len(table),)
    columns = [(row[1], row[2].lower()) for row in db.execute("PRAGMA table_info(wiki)")]
    assert columns == [("word", "text"), ("p_e_m", "blob"), ("lower", "text"), ("freq", "integer")]
    pairs = rel(db, "Ann", "p_e_m")
    assert len(pairs) == 100
    assert pairs[0] == ["Page_1", 3 / 262]
    assert pairs[-1] == ["Ann", 1 / 262], "the page called so, though 130 others are linked more"
    assert [p for _, p in pairs] == sorted((p for _, p in pairs), reverse=True)
    assert rel(db, "Ann", "freq") == 262
    assert rel(db, "ann", "lower") == "Ann"
    assert rel(db, "nobody", "p_e_m") is None
    assert rel(db, "東京", "p_e_m") == [["東京", 1.0]]
    assert rel(db, 'A "B"', "p_e_m") == [['A_"B"', 1.0]]
    assert ("Ann", "Ann") in db.execute("SELECT * FROM own_title").fetchall()
    for word in ("Ann", "東京", "Page 7"):
        expected = [[c.title.replace(" ", "_"), c.prior] for c in table.candidates(word, 100)]
        assert rel(db, word, "p_e_m") == expected
    assert candidates == sum(len(rel(db, word, "p_e_m")) for (word,) in db.execute("SELECT word FROM wiki"))
    db.close()


def test_rels_own_class_reads_every_name(corpus: Path, tmp_path: Path, generic_lookup: Any) -> None:
    """What REL asks of the table (REL/mention_detection_base.py): candidates, frequency, the name in another case."""
    table = MentionTable.open(corpus)
    write_rel(tmp_path / "entity_word_embedding.db", names_of(corpus / "tables" / "mentions.parquet", 100))
    columns = {"p_e_m": "blob", "lower": "text", "freq": "INTEGER"}  # as REL opens it
    wiki = generic_lookup("entity_word_embedding", save_dir=str(tmp_path), table_name="wiki", columns=columns)
    names = [table.names.name(i) for i in range(len(table))]
    assert len(names) == 133
    for name in names:
        expected = [[c.title.replace(" ", "_"), c.prior] for c in table.candidates(name, 100)]
        assert wiki.wiki(name, "wiki") == expected
        counts = table.counts(name)
        assert counts is not None
        assert wiki.wiki(name, "wiki", "freq") == counts.link_count
        assert wiki.wiki(name.lower(), "wiki", "lower") in [form.name for form in table.forms(name)]
    assert wiki.wiki("nobody", "wiki") is None
    assert wiki.wiki("nobody", "wiki", "freq") is None
    assert wiki.wiki("nobody", "wiki", "lower") is None
    wiki.db.close()


def test_tsv_has_the_raw_counts(corpus: Path) -> None:
    out = BytesIO()
    write_tsv(out, names_of(corpus / "tables" / "mentions.parquet", None))
    lines = list(csv.DictReader(out.getvalue().decode().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert tuple(lines[0]) == TSV_COLUMNS
    ann = [line for line in lines if line["text"] == "Ann"]
    assert len(ann) == 131
    assert {(line["total_link_count"], line["doc_count"], line["link_doc_count"]) for line in ann} == {
        ("262", "131", "131")
    }
    (own,) = [line for line in ann if line["is_title"] == "1"]
    assert (own["title"], own["page_id"], own["link_count"]) == ("Ann", "900", "1")
    assert {line["title"] for line in lines if line["text"] == 'A "B"'} == {'A "B"'}


def test_names_under_the_threshold_are_left_out(corpus: Path) -> None:
    path = corpus / "tables" / "mentions.parquet"
    kept = {rows[0]["name"] for rows in names_of(path, 1, 0.5)}
    assert kept == {"Ann", 'A "B"', "東京"}
    assert len(list(names_of(path, 1))) == len(MentionTable.open(corpus))


@pytest.mark.parametrize(
    ("most", "expected"), [(1, [0]), (2, [0, 4]), (3, [0, 1, 4]), (5, [0, 1, 2, 3, 4]), (None, [0, 1, 2, 3, 4])]
)
def test_the_own_title_takes_the_last_place(most: int | None, expected: list[int]) -> None:
    rows = [{"n": n, "is_title": n == 4} for n in range(5)]
    assert [row["n"] for row in choose_rows(rows, most)] == expected
