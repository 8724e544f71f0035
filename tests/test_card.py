"""The dataset card: what it says for a dump, for a part of a build, and for text of one's own."""

from pathlib import Path

import pytest
from building import DATA
from inline import build, write_dump, xml_page

from wikiprep.dump.file_names import dump_date


def card(output: Path) -> str:
    return (output / "README.md").read_text(encoding="utf-8")


def test_a_dump_has_its_licence_and_an_address_for_each_row(tmp_path: Path) -> None:
    build(
        tmp_path / "out", write_dump(tmp_path / "d.xml", xml_page(1, "A", "Some [[words]] of text.")), until="extract"
    )
    text = card(tmp_path / "out")
    assert text.startswith("---\nlicense: cc-by-sa-4.0\nlanguage: en\n")
    assert "authors of Wikipedia, under CC BY-SA 4.0" in text
    assert "`https://en.wikipedia.org/w/index.php?oldid=REVISION_ID`" in text


def test_the_sample_is_of_no_wiki_of_wikimedia(sample_corpus: Path) -> None:
    text = card(sample_corpus)
    assert text.startswith("---\nlicense: other\nlanguage: en\n")
    assert "CC BY-SA" not in text
    assert "# samplewiki:" in text
    assert "Dump date: 2026-09-01." in text
    assert "| pages | 203 | article 115; disambiguation 4; other namespace 25; redirect 59 |" in text


def test_its_reading_example_runs(sample_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample_corpus)
    names: dict[str, object] = {}
    exec(card(sample_corpus).split("```python\n")[1].split("```")[0], names)
    assert names["articles"].num_rows > 0
    assert names["records"].num_rows > 0


def test_a_build_of_the_first_stages_shows_no_records(tmp_path: Path) -> None:
    build(tmp_path, DATA / "genre56.xml", until="extract")
    assert "records =" not in card(tmp_path)
    assert "articles =" in card(tmp_path)


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("enwiki-20260901-pages-articles-multistream.xml.bz2", "2026-09-01"),
        ("enwiki-20260901-pages-articles1.xml-p1p41242.bz2", "2026-09-01"),
        ("enwiki-2026-09-01-p1p41242.xml.bz2", "2026-09-01"),
        ("zh_yuewiki-20240301-page_props.sql.gz", "2024-03-01"),
        ("pages.xml", None),
        ("enwiki-latest-pages-articles.xml.bz2", None),
        ("my-123456789-dump.xml", None),
    ],
)
def test_the_date_of_a_dump_is_in_its_name(name: str, date: str | None) -> None:
    assert dump_date(name) == date
