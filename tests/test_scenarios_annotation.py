"""What went wrong for others with names and annotated text (the report's number is in each name)."""

import sqlite3
from pathlib import Path
from urllib.parse import unquote, urlsplit

import orjson
from building import wikiprep
from inline import build, write_dump, xml_page
from tiny_wiki import MENTIONS

from wikiprep.tables.mentions.mention_table import MentionTable


def test_bootleg_22_a_plain_title_is_found_and_a_word_like_of_is_not(tmp_path: Path) -> None:
    """'Apoptosis' is linked 4 times; 'of' is linked twice, of 10,000 times that it occurs."""
    pages = [xml_page(1, "Apoptosis", "Death of cells."), xml_page(2, "Of (song)", "A song of old.")]
    for i in range(250):
        text = "It is a part of all of this. " * 20
        text += "See [[apoptosis]]." if i < 4 else "See apoptosis of cells." if i < 8 else ""
        text += " The song [[Of (song)|of]] is old." if i < 2 else ""
        pages.append(xml_page(10 + i, f"Page {i}", text))
    build(tmp_path / "out", write_dump(tmp_path / "d.xml", *pages), sections=MENTIONS)
    table = MentionTable.open(tmp_path / "out")
    of = table.counts("of")
    assert of is not None
    assert (of.link_count, of.text_count > 10_000) == (2, True)
    found = table.detect("The role of apoptosis, and of others")
    assert [(one.text, one.best.title) for one in found] == [("apoptosis", "Apoptosis")]
    assert found[0].link_probability == 0.5
    assert of.link_probability == 2 / 252
    assert [one.text for one in table.detect("The role of it", min_link_probability=2 / 252)] == ["of"]


def test_rel_121_a_page_is_among_the_pages_of_its_own_title(tmp_path: Path) -> None:
    pages = [
        xml_page(1, "Ann Example", "She lived."),
        xml_page(2, "Example Institute", "Named for [[Example Institute|Ann Example]]."),
    ]
    for i in range(500):
        shown = "|Ann Example" if i < 3 else ""
        pages.append(xml_page(10 + i, f"Page {i}", f"See [[Example Institute{shown}]]."))
    pages += [xml_page(900 + i, f"Biography {i}", "See [[Ann Example|her]].") for i in range(2)]
    build(tmp_path / "out", write_dump(tmp_path / "d.xml", *pages), sections=MENTIONS)
    for found in MentionTable.open(tmp_path / "out").detect("Ann Example"):
        marked = {one.title: one.is_title for one in found.candidates}
        assert marked == {"Example Institute": False, "Ann Example": True}
    done = wikiprep("export-mentions", tmp_path / "out", "--format", "rel", "--output", tmp_path / "rel.db")
    assert done.returncode == 0, done.stderr
    db = sqlite3.connect(tmp_path / "rel.db")
    p_e_m = db.execute("SELECT p_e_m FROM wiki WHERE word = 'Ann Example'").fetchone()[0]
    assert dict(orjson.loads(p_e_m)) == {"Example_Institute": 1.0, "Ann_Example": 0.0}
    assert db.execute("SELECT entity FROM own_title WHERE word = 'Ann Example'").fetchall() == [("Ann_Example",)]
    db.close()


def test_rel_59_each_span_has_title_ids_and_an_address_that_opens(tiny_corpus: Path, tmp_path: Path) -> None:
    sentence = 'The band What? and AC/DC of 東京 made R&B "Hits" in Cairo, and mercury.'
    (tmp_path / "in.jsonl").write_bytes(orjson.dumps({"text": sentence}))
    done = wikiprep("annotate", tiny_corpus, "--input", tmp_path / "in.jsonl", "--output", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    spans = orjson.loads((tmp_path / "out.jsonl").read_bytes())["links"]
    assert [(s["text"], s["target"], s["page_id"], s["qid"]) for s in spans] == [
        ("band What?", "What? (band)", 12, "Q1012"),
        ("AC/DC", "AC/DC", 13, "Q1013"),
        ("東京", "Tokyo", 11, "Q1011"),
        ('R&B "Hits"', 'R&B "Hits"', 14, "Q1014"),
        ("Cairo", "Cairo", 9, "Q1009"),
        ("mercury", "Mercury (element)", 3, "Q1003"),
    ]
    for span in spans:
        parts = urlsplit(span["url"])
        assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("https", "en.wikipedia.org", "", "")
        assert span["url"].isascii()
        assert not set(' "<>`{}|\\^') & set(span["url"])
        assert unquote(parts.path).replace("_", " ") == f"/wiki/{span['target']}"
