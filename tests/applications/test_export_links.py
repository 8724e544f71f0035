"""Links as a table: what stands in the text, where it leads, sums that are the manifest's, in each form."""

import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from inline import build

from wikiprep.cli.main import cli
from wikiprep.corpus.articles import article_rows, read_articles
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.sample import dump_path
from wikiprep.tables.resolver import open_resolver


def export(corpus: Path, target: Path, *words: str) -> Result:
    words = ("export-links", str(corpus), "-o", str(target), *words)
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def rows_of(corpus: Path, folder: Path, *words: str) -> list[dict]:
    assert export(corpus, folder / "links.parquet", *words).exit_code == 0
    return pq.read_table(folder / "links.parquet").to_pylist()


def counts_of(corpus: Path) -> dict[str, dict[str, int]]:
    return json.loads((corpus / "manifest.json").read_text())["counts"]


def test_every_link_stands_where_it_says(sample_corpus: Path, tmp_path: Path) -> None:
    found = iter(rows_of(sample_corpus, tmp_path))
    resolver = open_resolver(Store(str(sample_corpus)))
    for part in sorted((sample_corpus / "articles").iterdir()):
        for article in (row for batch in read_articles(part) for row in article_rows(batch)):
            for number, paragraph in enumerate(article.paragraphs):
                for link in paragraph.links:
                    row = next(found)
                    assert (row["page_id"], row["title"], row["page_kind"]) == (
                        article.page_id, article.title, article.kind
                    )  # fmt: skip
                    assert row["paragraph"] == number and row["section"] == list(paragraph.section)
                    assert row["text"] == paragraph.text[row["start"] : row["end"]]
                    assert (row["start"], row["target"], row["fragment"]) == (link.start, link.target, link.fragment)
                    assert row["entity_id"] == resolver.entity_id(link.target)
                    assert row["by_redirect"] or row["final_title"] in (None, link.target)
    assert next(found, None) is None


@pytest.mark.parametrize("corpus", ["sample_corpus", "sample_linked"])
def test_sums_are_those_of_the_manifest(corpus: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    folder: Path = request.getfixturevalue(corpus)
    rows, counts = rows_of(folder, tmp_path), counts_of(folder)
    lost = Counter(row["lost"] for row in rows)
    links, vocabulary = counts["links"], counts["vocabulary"]
    assert len(rows) == links["links.read"] == counts["extract"]["links.kept"]
    assert lost.pop(None) == vocabulary["vocabulary.links.covered"]
    assert lost.pop("from_disambiguation", 0) == links["links.from_disambiguation"]
    assert lost.pop("other_namespace", 0) == links["links.other_namespace"]
    prefix = "vocabulary.links.lost."
    told = {key.removeprefix(prefix): n for key, n in vocabulary.items() if key.startswith(prefix) and n}
    assert dict(lost) == told
    assert (corpus == "sample_linked") == (not links["links.from_disambiguation"])
    counted = [row for row in rows if row["lost"] != "from_disambiguation"]
    for kind in ("article", "disambiguation", "missing"):
        for way in (False, True):
            number = sum(row["leads_to"] == kind and row["by_redirect"] == way for row in counted)
            assert number == links[f"links.{kind}.{'redirect' if way else 'direct'}"]
    assert {row["qid"] for row in rows if row["leads_to"] == "article"} != {None}


def test_what_is_left_out_is_no_row(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("Jupiter\n")
    build(tmp_path / "corpus", dump_path(), sections={"leave_out": {"leave_out": [str(tmp_path / "list.txt")]}})
    rows, counts = rows_of(tmp_path / "corpus", tmp_path), counts_of(tmp_path / "corpus")
    assert len(rows) == counts["used_articles"]["links.used"] < counts["extract"]["links.kept"]
    assert "Jupiter" not in {row["title"] for row in rows}
    for path in (tmp_path / "corpus/_state/used_articles/articles").iterdir():
        path.unlink()
    with pytest.raises(WikiprepError, match="which links --leave-out took away is not known"):
        export(tmp_path / "corpus", tmp_path / "again.parquet")


def test_all_forms_hold_the_same(sample_corpus: Path, tmp_path: Path) -> None:
    rows = rows_of(sample_corpus, tmp_path)
    said = export(sample_corpus, tmp_path / "links.jsonl").stderr
    assert f"{len(rows):,} links; covered by an entity" in said and "counts otherwise" not in said
    assert list(map(json.loads, (tmp_path / "links.jsonl").read_text().splitlines())) == rows
    export(sample_corpus, tmp_path / "links.tsv")
    head, *lines = (line.split("\t") for line in (tmp_path / "links.tsv").read_text().splitlines())
    assert head == list(rows[0]) and len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        found = dict(zip(head, line, strict=True))
        assert found["text"] == " ".join(row["text"].split()) and found["final_title"] == (row["final_title"] or "")
        assert found["section"] == " / ".join(row["section"]) and found["by_redirect"] == str(int(row["by_redirect"]))
    lost = rows_of(sample_corpus, tmp_path, "--lost")
    assert lost == [row for row in rows if row["lost"]] and 0 < len(lost) < len(rows)


def test_what_cannot_be_is_told(sample_corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"links\.csv: links are written as \.parquet, \.jsonl, \.tsv"):
        export(sample_corpus, tmp_path / "links.csv")
    with pytest.raises(UsageError, match="is in the corpus"):
        export(sample_corpus, sample_corpus / "tables" / "links.parquet")
    with pytest.raises(WikiprepError):
        export(tmp_path, tmp_path / "links.parquet")
    assert not list(tmp_path.iterdir())
