"""Wikis of several scripts, built whole: links lead across them, one entity a page, text in one variant by option."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from building import DATA
from click.testing import CliRunner
from inline import build, mentions, rows, vocabulary

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError
from wikiprep.units.stage import Commit

ZH, SR = DATA / "chinese.xml", DATA / "serbian.xml"


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Commit]]:
    output = tmp_path_factory.mktemp("zh") / "out"
    sections: dict[str, Any] = {
        "mentions": {"mentions": True},
        "records": {"text": True, "min_sentence_length": 0},
    }
    return output, build(output, ZH, sections=sections)


def without_zeros(counts: dict[str, int], *prefixes: str) -> dict[str, int]:
    return {key: n for key, n in counts.items() if n and key.startswith(prefixes)}


def test_links_lead_across_scripts_and_are_counted(chinese: tuple[Path, dict[str, Commit]]) -> None:
    counts = chinese[1]["links"].counts
    assert without_zeros(counts, "links.") == {
        "links.read": 54,
        "links.article.direct": 21,
        "links.article.redirect": 3,
        "links.article.variant": 20,  # lost before
        "links.from_disambiguation": 4,
        "links.missing.direct": 6,
    }
    covered = chinese[1]["vocabulary"].counts["vocabulary.links.covered"]
    assert covered == 21 + 3 + 20
    assert "also.variant.pages" not in chinese[1]["extract"].counts


def test_the_vocabulary_has_one_entity_a_page(chinese: tuple[Path, dict[str, Commit]]) -> None:
    output = chinese[0]
    pages = [row["page_id"] for row in rows(output, "tables/entity_vocab.parquet") if row["page_id"] is not None]
    assert len(pages) == len(set(pages)) == 11
    assert {"計算機", "软件", "數據", "台灣"} <= vocabulary(output).keys()
    assert not {"计算机", "電腦", "軟體", "数据", "台湾", "臺灣"} & vocabulary(output).keys()


def test_records_and_names_have_the_page_that_a_variant_means(chinese: tuple[Path, dict[str, Commit]]) -> None:
    output = chinese[0]
    ids = vocabulary(output)
    used: Counter[int] = Counter()
    for record in rows(output, "records"):
        used.update(record["entity_ids"])
    linked = chinese[1]["links"].counts
    unknown = linked["links.missing.direct"]
    assert sum(used.values()) == 54 - 4  # all links but those of the disambiguation page
    assert used[ids["[UNK]"]] == unknown and used[ids["計算機"]] == 8
    names = {(row["name"], row["target"]): row["link_count"] for row in rows(output, "tables/mentions.parquet")}
    assert names["计算机", "計算機"] == 6 and names["軟體", "软件"] == 1 and ("臺灣", "臺灣") not in names
    assert not any(target == "计算机" for _, target in names)


def test_exported_links_say_where_they_lead(chinese: tuple[Path, dict[str, Commit]], tmp_path: Path) -> None:
    words = ["export-links", str(chinese[0]), "-o", str(tmp_path / "links.parquet")]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0 and "not the manifest" not in done.output
    found = pq.read_table(tmp_path / "links.parquet").to_pylist()
    led = Counter((row["target"], row["final_title"], row["leads_to"], row["by_redirect"]) for row in found)
    assert led["数据", "數據", "article", False] == 3
    assert led["臺灣", "臺灣", "missing", False] == 1
    assert all(row["entity_id"] is not None for row in found if row["target"] == "软件")


def test_serbian_in_both_scripts(tmp_path: Path) -> None:
    counts = build(tmp_path, SR, until="tables")["links"].counts
    assert without_zeros(counts, "links.") == {
        "links.read": 18,
        "links.article.direct": 3,
        "links.article.variant": 12,  # one of them to a redirect
        "links.from_disambiguation": 2,
        "links.missing.direct": 1,
    }


def test_the_text_in_one_variant(chinese: tuple[Path, dict[str, Commit]], tmp_path: Path) -> None:
    commits = build(tmp_path, ZH, sections={"extract": {"variant": "zh-TW"}}, until="tables")
    counts = commits["extract"].counts
    assert without_zeros(counts, "also.variant.") == {
        "also.variant.forms": 2,
        "also.variant.pages": 12,
        "also.variant.paragraphs": 13,
        "also.variant.rules": 1,
    }
    plain, made = rows(chinese[0], "articles"), rows(tmp_path, "articles")
    by_title = {row["title"]: row["paragraphs"][0]["text"] for row in made}
    assert by_title["硬件"] == "硬體是計算機的機器部分：鍵盤、滑鼠、印表機。軟體在硬體上運行。印表機也是硬體。"
    assert "軟體叫做軟體" in by_title["软件"]
    assert "（茶的茶菁）" in by_title["茶葉"]  # by a rule that a template brings
    assert [row["title"] for row in made] == [row["title"] for row in plain]
    assert [target for _, target in mentions(tmp_path)] == [target for _, target in mentions(chinese[0])]
    assert ("硬體", "硬件") in mentions(tmp_path) and ("軟體", "软件") in mentions(tmp_path)
    assert commits["links"].counts == chinese[1]["links"].counts
    assert rows(tmp_path, "tables/entity_vocab.parquet") == rows(chinese[0], "tables/entity_vocab.parquet")


@pytest.mark.parametrize(
    ("dump", "variant", "said"), [(ZH, "zh-xx", "no such variant"), (DATA / "arabic.xml", "zh-tw", "in one script")]
)
def test_a_variant_that_is_none_is_refused_before_any_work(dump: Path, variant: str, said: str, tmp_path: Path) -> None:
    words = ["extract", str(dump), "-o", str(tmp_path / "out"), "--variant", variant, "--quiet"]
    with pytest.raises(UsageError, match=said):
        CliRunner().invoke(cli, words, catch_exceptions=False)
    assert not list(tmp_path.glob("out/articles/*"))
