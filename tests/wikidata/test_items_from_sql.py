"""Page id, redirect's page id and title to the item, from SQL tables of any year alone: all three agree."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from building import wikiprep

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.wikidata.items_from_sql import ROWS, PageItemTable, build_page_items

END = "-- Dump completed on 2026-01-01\n"


def sql(path: Path, table: str, columns: str, *rows: str) -> str:
    made = ",\n".join(f"  `{name}` int NOT NULL" for name in columns.split())
    insert = f"INSERT INTO `{table}` VALUES {','.join(rows)};\n"
    path.write_text(f"-- MySQL dump\nCREATE TABLE `{table}` (\n{made}\n);\n{insert}{END}")
    return str(path)


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Any]:
    old = "page_id page_namespace page_title page_restrictions page_counter page_is_redirect page_len"
    pages = [
        "(12,0,'A_\\'quoted\\'_(town),_with','',0,0,5)",
        "(7,0,'Alias','',0,1,5)",
        "(8,0,'Own_item','',0,1,5)",
        "(9,14,'Towns','',0,0,5)",
        "(10,0,'2001:_A_Space','',0,0,5)",
        "(11,0,'Loop','',0,1,5)",
        "(13,0,'Second','',0,1,5)",
        "(14,0,'Lonely','',0,0,5)",
    ]
    redirects = ["(7,0,'Own_item','')", "(8,0,'A_\\'quoted\\'_(town),_with','s')", "(11,0,'Loop','')"]
    redirects += ["(13,0,'Alias','')", "(99,0,'Lonely','')"]
    props = ["(12,'wikibase_item','Q1',NULL)", "(8,'wikibase_item','Q2',NULL)", "(9,'wikibase_item','Q3',NULL)"]
    props += ["(10,'wikibase_item','Q4',NULL)", "(10,'notoc','',NULL)", "(77,'wikibase_item','Q5',NULL)"]
    props += ["(14,'wikibase_item','P5',NULL)"]
    sites = [
        "(1,1,'enwiki','A \\'quoted\\' (town), with')",
        "(2,2,'enwiki','Own item')",
        "(3,3,'enwiki','Category:Towns')",
    ]
    sites += ["(4,4,'enwiki','2001: A Space')", "(5,5,'dewiki','Lonely')", "(6,6,'enwiki','Gone')"]
    return {
        "page": sql(tmp_path / "page.sql", "page", old, *pages),
        "redirect": sql(tmp_path / "redirect.sql", "redirect", "rd_from rd_namespace rd_title rd_fragment", *redirects),
        "page_props": sql(tmp_path / "props.sql", "page_props", "pp_page pp_propname pp_value pp_sortkey", *props),
        "items_per_site": sql(
            tmp_path / "sites.sql", "wb_items_per_site", "ips_row_id ips_item_id ips_site_id ips_site_page", *sites
        ),
    }


@pytest.mark.parametrize("source", ["page_props", "items_per_site"])
def test_three_ways_agree(tables: dict[str, Any], tmp_path: Path, source: str) -> None:
    given = {source: tables[source], "wiki": "enwiki" if source == "items_per_site" else None}
    counts = build_page_items(tables["page"], tmp_path / "out", redirect=tables["redirect"], **given)
    table = PageItemTable.open(tmp_path / "out")
    assert table.by_id(12) == table.by_title("A 'quoted' (town), with") == "Q1"
    assert table.by_id(8) == table.by_title("Own_item") == "Q2"  # a redirect with an item of its own keeps it
    # A chain ends at the last page: that of Alias is the quoted town, not the redirect on the way.
    assert table.by_id(7) == table.by_title("Alias") == table.by_id(13) == table.by_title("Second") == "Q1"
    assert table.by_id(7, own=True) is table.by_title("Alias", own=True) is None
    assert table.by_title("Towns", 14) == table.by_id(9) == "Q3"
    assert table.by_title("Towns") is None
    assert table.by_title("2001: A Space") == table.by_id(10) == "Q4"
    assert [table.by_id(n) for n in (11, 14, 1, 99)] == [None] * 4
    for kind in ("pages", "items"):
        parts = {key: n for key, n in counts.items() if key.startswith(f"{kind}.") and key != f"{kind}.read"}
        assert counts[f"{kind}.read"] == sum(parts.values())
    assert (counts["pages.own item"], counts["pages.by redirect"], counts["items.unknown page"]) == (4, 2, 1)
    rows = pq.read_table(tmp_path / "out" / ROWS).to_pylist()
    assert [(r["page_id"], r["qid"], r["via_redirect"]) for r in rows] == [
        (7, None, "Q1"),
        (8, "Q2", None),
        (9, "Q3", None),
        (10, "Q4", None),
        (11, None, None),
        (12, "Q1", None),
        (13, None, "Q1"),
        (14, None, None),
    ]
    assert rows[5]["title"] == "A 'quoted' (town), with"


def test_without_a_redirect_table_redirects_have_their_own_item_or_none(tables: dict[str, Any], tmp_path: Path) -> None:
    build_page_items(tables["page"], tmp_path / "out", page_props=tables["page_props"])
    table = PageItemTable.open(tmp_path / "out")
    assert [table.by_id(n) for n in (7, 8, 12)] == [None, "Q2", "Q1"]


def test_what_does_not_go_together(tables: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one of the two"):
        build_page_items(tables["page"], tmp_path)
    with pytest.raises(UsageError, match="name the wiki"):
        build_page_items(tables["page"], tmp_path, items_per_site=tables["items_per_site"])
    with pytest.raises(WikiprepError, match="none of its 6 rows gives an item"):
        build_page_items(tables["page"], tmp_path, items_per_site=tables["items_per_site"], wiki="frwiki")
    with pytest.raises(UsageError, match="is the table redirect, not page"):
        build_page_items(tables["redirect"], tmp_path, page_props=tables["page_props"])


def named(path: str, name: str, wiki: str = "") -> str:
    """A copy of a table under another name, with mysqldump's header where a wiki is given."""
    copy = Path(path).parent / name
    head = f"-- MySQL dump 10.19\n--\n-- Host: db1    Database: {wiki}\n-- ----\n" if wiki else ""
    copy.write_text(head + Path(path).read_text())
    return str(copy)


@pytest.mark.parametrize(
    ("option", "name", "wiki", "what"),
    [
        ("page_props", "dewiki-20260101-page_props.sql", "", "is of dewiki; the table enwiki-20260101-page.sql"),
        ("page_props", "p.sql", "dewiki", "is of dewiki; the table enwiki-20260101-page.sql is of enwiki"),
        ("page_props", "enwiki-20251201-page_props.sql", "enwiki", "is of 2025-12-01; enwiki-20260101-page.sql is of"),
        ("redirect", "enwiktionary-20260101-redirect.sql", "", "is of enwiktionary; the table"),
        ("redirect", "enwiki-20260120-redirect.sql", "", "is of 2026-01-20"),
        ("items_per_site", "sites.sql", "enwiki", "is of enwiki; Wikidata is of wikidatawiki"),
        ("items_per_site", "wikidatawiki-20260120-wb_items_per_site.sql", "", "is of 2026-01-20"),
    ],
)
def test_tables_of_several_wikis_or_dates_are_refused(
    tables: dict[str, Any], tmp_path: Path, option: str, name: str, wiki: str, what: str
) -> None:
    page = named(tables["page"], "enwiki-20260101-page.sql")
    given = {"page_props": tables["page_props"]} if option == "redirect" else {}
    given |= {option: named(tables[option], name, wiki)}
    with pytest.raises(UsageError) as caught:
        build_page_items(page, tmp_path / "out", **given)
    assert what in caught.value.what
    assert name in caught.value.what
    assert not (tmp_path / "out").exists()
    if "is of 20" in what:
        assert "--allow-other-dates" in caught.value.hint
        assert build_page_items(page, tmp_path / "out", **given, allow_other_dates=True)["items.used"] >= 4


def test_the_wiki_is_that_of_the_page_table(tables: dict[str, Any], tmp_path: Path) -> None:
    page = named(tables["page"], "page2.sql", "enwiki")
    made = build_page_items(page, tmp_path / "out", items_per_site=tables["items_per_site"])
    assert made == build_page_items(
        tables["page"], tmp_path / "two", items_per_site=tables["items_per_site"], wiki="enwiki"
    )
    with pytest.raises(UsageError, match="is of enwiki; --wiki is of dewiki"):
        build_page_items(page, tmp_path / "x", items_per_site=tables["items_per_site"], wiki="dewiki")


@pytest.mark.parametrize(
    ("page", "other", "option", "what"),
    [
        ("rmwiki-20240301", "itwikibooks-20240301-page_props", "--page-props", "is of itwikibooks; the table rmwiki"),
        ("mtwiki-20160111", "rmwiki-20240301-page_props", "--page-props", "is of rmwiki; the table mtwiki"),
        ("rmwiki-20240301", "rmwiki-20240301-pagelinks", "--page-props", "is the table pagelinks, not page_props"),
        ("rmwiki-20240301", "itwikibooks-20240301-linktarget", "--page-props", "is the table linktarget"),
        ("mtwiki-20160111", "ngwiki-20160111-redirect", "--redirect", "is of ngwiki; the table mtwiki"),
        ("rmwiki-20240301", "wikidatawiki-20240401-page", "--items-per-site", "is the table page, not wb_items"),
    ],
)
def test_real_tables_that_do_not_belong_together(
    shared_data: Path, tmp_path: Path, page: str, other: str, option: str, what: str
) -> None:
    folder = shared_data / "sql"
    words = ["--page", folder / f"{page}-page.sql.gz", option, folder / f"{other}.sql.gz", "--output", tmp_path / "out"]
    if option == "--redirect":
        words += ["--page-props", folder / "rmwiki-20240301-page_props.sql.gz"]
        words[1] = folder / f"{page}-page.sql.gz"
        what = "is of rmwiki; the table mtwiki"  # the first that does not fit is named
    done = wikiprep("qids", *words)
    assert done.returncode == 2
    assert what in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_command_on_real_tables_of_2024(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "sql"
    words = [
        "--page",
        folder / "rmwiki-20240301-page.sql.gz",
        "--page-props",
        folder / "rmwiki-20240301-page_props.sql.gz",
    ]
    done = wikiprep(
        "qids", *words, "--redirect", folder / "rmwiki-20240301-redirect.sql.gz", "--output", tmp_path / "out"
    )
    assert done.returncode == 0, done.stderr
    table = PageItemTable.open(tmp_path / "out")
    assert [table.by_id(n) for n in (1, 799, 3824)] == ["Q5296", "Q72", "Q662541"]
    titles = {r["page_id"]: r["title"] for r in pq.read_table(tmp_path / "out" / ROWS).to_pylist()}
    assert table.by_title(titles[799]) == "Q72"
    done = wikiprep("qids", "--page", tmp_path / "nowhere.sql", "--page-props", words[3], "--output", tmp_path / "x")
    assert done.returncode == 2
    assert "nowhere.sql: no such file" in done.stderr
    assert "Traceback" not in done.stderr
