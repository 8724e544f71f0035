"""A build with --wikidata: QIDs in articles, pages, redirects, vocabulary; disambiguation by class; what is wrong."""

import bz2
import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from building import built, hashes, wikiprep
from entity_dumps import array, compact, item, prop, statement
from inline import build, kinds, rows, write_dump, xml_page

from wikiprep.checks import check_corpus
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.units.stage import Commit
from wikiprep.wikidata.json_dump_files import Beginning, find_files, look_for
from wikiprep.wikidata.lookups import ItemTitles, Triples

TEXT = "This is a page of which [[Oslo]], [[R]], [[Mercury]] and [[Bergen]] are linked with some words."
PAGES = (
    xml_page(1, "Oslo", TEXT),
    xml_page(2, "Bergen", TEXT),
    xml_page(3, "R", "", redirect="Oslo#Section"),
    xml_page(4, "Mercury", TEXT),
    xml_page(5, "Norway", TEXT),
    xml_page(6, "S", "", redirect="Norway"),
    xml_page(7, "Category:Towns", "Nothing.", ns=14),
)
ENTITIES = [
    item(2, statement("P31", "Q515"), statement("P17", "Q20", "preferred"), title="Oslo"),
    item(1, statement("P361", "Q2"), title="R"),
    item(3, statement("P31", "Q4167410"), title="Mercury"),
    item(20, statement("P36", "Q2"), statement("P31", "Q99"), title="Norway"),
    item(515, title="Town"),
    item(14, title="Category:Towns"),
    item(30),
    prop(17, label="country"),
]
REDIRECT = """-- MySQL dump
CREATE TABLE `redirect` (
  `rd_from` int(10) unsigned NOT NULL,
  `rd_namespace` int(11) NOT NULL,
  `rd_title` varbinary(255) NOT NULL
);
INSERT INTO `redirect` VALUES (900,0,'Q515'),(901,0,'Main'),(902,120,'P17'),(903,0,'Q7');
-- Dump completed on 2026-01-01
"""
PAGE = """-- MySQL dump
CREATE TABLE `page` (
  `page_id` int(10) unsigned NOT NULL,
  `page_namespace` int(11) NOT NULL,
  `page_title` varbinary(255) NOT NULL,
  `page_is_redirect` tinyint(3) unsigned NOT NULL
);
INSERT INTO `page` VALUES (1,0,'Q2',0),(900,0,'Q99',1),(901,0,'Q98',1),(904,120,'P5',1);
-- Dump completed on 2026-01-01
"""


def dumps(folder: Path, content: bytes | None = None) -> tuple[Path, dict[str, Any]]:
    folder.mkdir(exist_ok=True)
    dump = write_dump(folder / "enwiki-20260101-pages-articles.xml", *PAGES)
    path = folder / "latest-all.json.bz2"
    path.write_bytes(bz2.compress(content if content is not None else array(ENTITIES)))
    return dump, {"wikidata": str(path)}


def with_wikidata(folder: Path, content: bytes | None = None, **more: Any) -> dict[str, Commit]:
    dump, options = dumps(folder, content)
    return build(folder / "out", dump, sections={"wikidata": options | more.pop("options", {}), **more})


def problems(output: Path) -> list[str]:
    store = Store(str(output))
    return list(check_corpus(store, read_manifest(store)))


def test_qids_reach_articles_pages_redirects_and_vocabulary(tmp_path: Path) -> None:
    commits = with_wikidata(tmp_path)
    out = tmp_path / "out"
    articles = {r["title"]: (r["kind"], r["qid"]) for r in rows(out, "articles")}
    assert articles == {
        "Oslo": ("article", "Q2"),
        "Bergen": ("article", None),
        "Mercury": ("disambiguation", "Q3"),
        "Norway": ("article", "Q20"),
    }
    pages = {r["title"]: r["qid"] for r in rows(out, "tables/pages.parquet")}
    assert (pages["R"], pages["S"], pages["Category:Towns"]) == ("Q1", None, "Q14")
    # R has an item of its own; links to R count for Oslo, whose item is Q2, and never for Q1.
    assert {r["title"]: r["qid"] for r in rows(out, "tables/redirects.parquet")} == {"R": "Q1", "S": None}
    entities = {r["title"]: r["qid"] for r in rows(out, "tables/entity_vocab.parquet")}
    specials = dict.fromkeys(("[PAD]", "[UNK]", "[MASK]", "[MASK2]"))
    assert entities == {"Oslo": "Q2", "Bergen": None} | specials
    assert {r["qid"] for r in rows(out, "records")} == {"Q2", "Q20", None}
    counts = commits["extract"].counts
    assert (counts["qids"], counts["also.qids.by_title"], counts["also.disambiguation.by_class"]) == (5, 5, 1)
    assert kinds(commits)["disambiguation"] == 1
    assert ItemTitles.open(out / "tables").qid("enwiki", "Town") == "Q515"
    assert len(Triples.open(out / "tables")) == 4
    assert problems(out) == []
    names = [equation.name for equation in read_manifest(Store(str(out))).equations]
    assert {"lines of Wikidata", "statements of items with a page", "triples between items"} <= set(names)
    assert "2 statements name items that the dump does not hold; --wikidata-redirect" in commits["wikidata"].warnings[1]


def test_entities_without_a_page_get_the_item_of_their_title(tmp_path: Path) -> None:
    extra = item(40, title="Bergen (Norway)")
    dump, options = dumps(tmp_path, array([*ENTITIES, extra]))
    dump = write_dump(dump, *PAGES, xml_page(9, "X", "Some words about [[Bergen (Norway)]] and [[Nowhere]] here."))
    build(tmp_path / "out", dump, sections={"wikidata": options, "vocabulary": {"vocab_targets": "linked"}})
    entities = {r["title"]: r["qid"] for r in rows(tmp_path / "out", "tables/entity_vocab.parquet")}
    assert (entities["Bergen (Norway)"], entities["Nowhere"], entities["Oslo"]) == ("Q40", None, "Q2")


def test_merged_items_are_resolved_with_wikidatawikis_tables(tmp_path: Path) -> None:
    redirect, page = tmp_path / "redirect.sql.gz", tmp_path / "page.sql.gz"
    redirect.write_bytes(gzip.compress(REDIRECT.encode()))
    page.write_bytes(gzip.compress(PAGE.encode()))
    commits = with_wikidata(tmp_path, options={"wikidata_redirect": str(redirect), "wikidata_page": str(page)})
    found = commits["wikidata_merged"].counts
    assert found == {"merged.read": 4, "merged.kept": 1, "merged.no item": 2, "merged.no page": 1, "merged.loop": 0}
    counts = commits["wikidata"].counts
    assert (counts["also.triples.to a merged item"], counts["triples.dropped.dangling"]) == (1, 1)
    triples = {
        (r["head"], r["property"], r["tail"], r["rank"])
        for r in rows(tmp_path / "out", "tables/wikidata_triples.parquet")
    }
    assert triples == {(1, 361, 2, 0), (2, 17, 20, 1), (2, 31, 515, 0), (20, 31, 515, 0), (20, 36, 2, 0)}
    assert problems(tmp_path / "out") == []


def test_redirect_tables_of_another_wiki_are_named(tmp_path: Path) -> None:
    redirect, page = tmp_path / "redirect.sql", tmp_path / "page.sql"
    redirect.write_text(REDIRECT.replace("'Q", "'X"))
    page.write_text(PAGE)
    with pytest.raises(WikiprepError, match=r"redirect\.sql: none of its 4 rows"):
        with_wikidata(tmp_path, options={"wikidata_redirect": str(redirect), "wikidata_page": str(page)})


PROPS = """-- MySQL dump
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL,
  `pp_value` blob NOT NULL
) ENGINE=InnoDB;
INSERT INTO `page_props` VALUES (1,'wikibase_item','Q2'),(2,'wikibase_item','Q77'),(5,'wikibase_item','Q21');
-- Dump completed on 2026-01-01
"""


def test_page_props_and_wikidata_together(tmp_path: Path) -> None:
    path = tmp_path / "enwiki-20260101-page_props.sql"
    path.write_text(PROPS)
    commits = with_wikidata(tmp_path, input={"page_props": str(path)})
    articles = {r["title"]: r["qid"] for r in rows(tmp_path / "out", "articles")}
    assert articles == {"Oslo": "Q2", "Bergen": "Q77", "Mercury": "Q3", "Norway": "Q21"}
    counts = commits["extract"].counts
    assert (counts["also.qids.conflict"], counts["also.qids.not_in_page_props"]) == (1, 3)
    assert any("1 pages have one QID in page_props and another" in line for line in commits["extract"].warnings)


@pytest.mark.parametrize(
    ("table", "column", "value", "problem"),
    [
        ("wikidata_triples", "tail", 77, "heads or tails are no items"),
        ("wikidata_triples", "head", 20, "not in order of head"),
        ("wikidata_triples", "property", 5, "its triples are not those of"),
        ("wikidata_items", "qid", 1, "not in order of qid"),
    ],
)
def test_verify_finds_what_was_changed(tmp_path: Path, table: str, column: str, value: int, problem: str) -> None:
    with_wikidata(tmp_path)
    path = tmp_path / "out" / "tables" / f"{table}.parquet"
    found = pq.read_table(path)
    changed = found[column].to_pylist()
    changed[1] = value
    index = found.schema.get_field_index(column)
    pq.write_table(
        found.set_column(index, found.schema.field(index), pa.array(changed, found.schema.types[index])), path
    )
    told = problems(tmp_path / "out")
    assert any(problem in line for line in told), told
    assert any("sha256" in line or "bytes" in line for line in told)


def test_items_of_page_props_that_were_merged_are_put_right(tmp_path: Path) -> None:
    props, redirect, page = tmp_path / "page_props.sql", tmp_path / "redirect.sql", tmp_path / "page.sql"
    props.write_text(PROPS.replace("'Q77'", "'Q99'"))
    redirect.write_text(REDIRECT)
    page.write_text(PAGE)
    options = {"wikidata_redirect": str(redirect), "wikidata_page": str(page)}
    commits = with_wikidata(tmp_path, options=options, input={"page_props": str(props)})
    assert {r["title"]: r["qid"] for r in rows(tmp_path / "out", "articles")}["Bergen"] == "Q515"
    assert commits["extract"].counts["also.qids.of_merged_item"] == 1


def test_the_output_does_not_depend_on_ranges_or_compression(tmp_path: Path) -> None:
    many = [item(1000 + i, statement("P31", f"Q{1000 + i // 2}"), title=f"T{i}") for i in range(300)]
    expected = None
    for kind, size in (("bz2", 32.0), ("plain", 0.002), ("gz", 0.002)):
        folder = tmp_path / kind
        dump, options = dumps(folder)
        data = array([*ENTITIES, *many])
        path = Path(options["wikidata"])
        path.write_bytes({"bz2": bz2.compress, "gz": gzip.compress, "plain": bytes}[kind](data))
        build(folder / "out", dump, sections={"wikidata": options, "input": {"range_mb": size}}, until="wikidata")
        made = {n: h for n, h in hashes(folder / "out").items() if n.startswith(("tables/", "rejects/"))}
        assert len(made) == 7
        expected = expected or made
        assert made == expected


def test_rejects_have_lines_of_the_whole_file(tmp_path: Path) -> None:
    lines = [compact(e) for e in ENTITIES]
    filler = [compact(item(5000 + i, title=f"F{i}")) for i in range(200)]
    data = b"[\n" + b",\n".join([*filler, lines[0][:40], *lines, b'{"id":"Q9",}']) + b"\n]\n"
    dump, _ = dumps(tmp_path)
    path = tmp_path / "latest-all.json"
    path.write_bytes(data)
    sections = {"wikidata": {"wikidata": str(path)}, "input": {"range_mb": 0.003}}
    commits = build(tmp_path / "out", dump, sections=sections)
    assert len(commits["wikidata_read"].results) > 5
    found = [(r["reason"], r["detail"].split(":")[0]) for r in rows(tmp_path / "out", "rejects/wikidata.parquet")]
    places = [data.index(b"\n" + lines[0][:40] + b",\n") + 1, data.index(b'{"id":"Q9",}')]
    assert found == [
        ("cut line", f"latest-all.json, line 202, byte {places[0]:,}"),
        ("not JSON", f"latest-all.json, line 211, byte {places[1]:,}"),
    ]
    assert "2 lines or entities could not be used" in commits["wikidata_read"].warnings[0]
    assert problems(tmp_path / "out") == []


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"[\n]\n", "has an item of enwiki"),
        (array([item(1, title="A", wiki="dewiki")]), "none of its items has a page in enwiki, the wiki of"),
        (array([prop(1)]), "has an item of enwiki"),
        (b'[\n{"type":"item","id":\n', "without the array's closing"),
        (b'{"type":"item"}\n', "rejected: no id 1"),
        (b"<html><body>404</body></html>", "HTML page"),
        (b"", "damaged bz2|empty"),
    ],
)
def test_what_is_no_wikidata_stops_the_build_before_the_dump_is_read(tmp_path: Path, content: bytes, what: str) -> None:
    with pytest.raises(WikiprepError, match=what) as caught:
        with_wikidata(tmp_path, content)
    assert "latest-all.json.bz2" in caught.value.what
    assert not (tmp_path / "out" / "articles").exists()


def test_a_dump_that_names_no_wiki_is_told(tmp_path: Path) -> None:
    _, options = dumps(tmp_path)
    dump = tmp_path / "pages.xml"
    dump.write_text("<mediawiki xml:lang='en'>" + "".join(PAGES) + "</mediawiki>")
    with pytest.raises(UsageError, match="does not say which wiki it is of"):
        build(tmp_path / "out", dump, sections={"wikidata": options})


def test_the_command(tmp_path: Path) -> None:
    dump, options = dumps(tmp_path)
    words = [dump, "--wikidata", options["wikidata"], "--tokenizer", Path("wikiprep/sample/tokenizer").resolve()]
    one = built(tmp_path / "one", *words, "--workers", 1, "--range-mb", 0.001)
    built(tmp_path / "two", *words, "--workers", 3, "--range-mb", 0.001)
    assert hashes(tmp_path / "one") == hashes(tmp_path / "two")
    assert one["counts"]["wikidata"]["triples.kept"] == 4
    done = wikiprep("verify", tmp_path / "one")
    assert done.returncode == 0, done.stdout
    assert "[wikidata]" in (tmp_path / "one" / "config.toml").read_text()
    assert "of Wikidata (CC0): latest-all.json.bz2." in (tmp_path / "one" / "README.md").read_text()
    glob = [*words[:2], tmp_path / "latest-*.bz2", *words[3:]]
    built(tmp_path / "glob", *glob, "--range-mb", 0.001)
    assert str(tmp_path) not in (tmp_path / "glob" / "config.toml").read_text()
    same = {n: h for n, h in hashes(tmp_path / "glob").items() if n != "config.toml" and n != "manifest.json"}
    assert same == {n: h for n, h in hashes(tmp_path / "one").items() if n in same}
    again = wikiprep("build-corpus", *words, "--range-mb", 0.001, "--output", tmp_path / "one")
    assert "complete already" in " ".join(again.stdout.split())
    for options_, problem in (
        (["--wikidata-redirect", dump], "belong together"),
        (["--wikidata", tmp_path / "nowhere.json"], "no such file"),
        (["--wikidata", dump], "is XML, not a Wikidata dump"),
    ):
        done = wikiprep("build-corpus", dump, *options_, "--output", tmp_path / "x")
        assert done.returncode != 0
        assert problem in done.stderr
        assert "Traceback" not in done.stderr


def test_without_wikidata_nothing_is_different(tmp_path: Path) -> None:
    dump, _ = dumps(tmp_path)
    build(tmp_path / "out", dump)
    manifest = (tmp_path / "out" / "manifest.json").read_text()
    assert "ikidata" not in manifest
    assert "ikidata" not in (tmp_path / "out" / "config.toml").read_text().replace("QIDs", "")
    assert "qid" not in rows(tmp_path / "out", "tables/entity_vocab.parquet")[0]


def test_redirect_lines_of_the_dump_reach_triples_pages_and_lists(tmp_path: Path) -> None:
    """With page_props of before the merge, and a list of an evaluation set that names the old item."""
    lines = [{"entity": "Q99", "redirect": "Q515"}, {"entity": "Q77", "redirect": "Q2"}]
    dump, options = dumps(tmp_path, array([*ENTITIES, *lines]))
    props = tmp_path / "enwiki-20260101-page_props.sql"
    rows_of = "(1,'wikibase_item','Q77',NULL),(2,'wikibase_item','Q8',NULL)"
    props.write_text(
        "CREATE TABLE `page_props` (\n  `pp_page` int,\n  `pp_propname` blob,\n  `pp_value` blob,\n"
        f"  `pp_sortkey` float\n);\nINSERT INTO `page_props` VALUES {rows_of};\n"
    )
    listed = tmp_path / "set.jsonl"
    listed.write_text('{"qid": "Q77"}\n')
    sections = {
        "wikidata": options,
        "input": {"page_props": str(props)},
        "leave_out": {"leave_out": [str(listed)]},
    }
    commits = build(tmp_path / "out", dump, sections=sections)
    assert {r["title"]: r["qid"] for r in rows(tmp_path / "out", "articles")}["Oslo"] == "Q2"
    assert commits["extract"].counts["also.qids.of_merged_item"] == 1
    assert commits["wikidata_read"].counts["entities.redirects"] == 2
    assert commits["wikidata"].counts["also.triples.to a merged item"] == 1
    triples = {(r["head"], r["property"], r["tail"]) for r in rows(tmp_path / "out", "tables/wikidata_triples.parquet")}
    assert (20, 31, 515) in triples
    assert commits["listed"].counts["listed.qid.matched"] == 1
    assert [r["title"] for r in rows(tmp_path / "out", "tables/left_out.parquet")] == ["Oslo"]
    names = [equation.name for equation in read_manifest(Store(str(tmp_path / "out"))).equations]
    assert "redirects in Wikidata's dump" in names
    assert problems(tmp_path / "out") == []


@pytest.mark.parametrize(
    ("redirect", "page", "what"),
    [
        ("enwiki-20260101-redirect.sql", "wikidatawiki-20260101-page.sql", "is of enwiki; Wikidata is of wikidatawiki"),
        ("wikidatawiki-20260101-redirect.sql", "enwiki-20260101-page.sql", "is of enwiki; Wikidata is of wikidatawiki"),
        ("wikidatawiki-20260101-redirect.sql", "wikidatawiki-20260120-page.sql", "is of 2026-01-20"),
    ],
)
def test_tables_of_another_wiki_or_of_two_dates_are_refused(
    tmp_path: Path, redirect: str, page: str, what: str
) -> None:
    (tmp_path / redirect).write_text(REDIRECT)
    (tmp_path / page).write_text(PAGE)
    options = {"wikidata_redirect": str(tmp_path / redirect), "wikidata_page": str(tmp_path / page)}
    with pytest.raises(UsageError) as caught:
        with_wikidata(tmp_path, options=options)
    assert what in caught.value.what
    assert not (tmp_path / "out").exists()
    if what == "is of 2026-01-20":
        dump, given = dumps(tmp_path)
        sections = {"wikidata": given | options, "input": {"allow_other_dates": True}}
        assert build(tmp_path / "out", dump, sections=sections)["wikidata_merged"].counts["merged.kept"] == 1


def test_tables_given_for_one_another_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(PAGE)
    (tmp_path / "b.sql").write_text(REDIRECT)
    options = {"wikidata_redirect": str(tmp_path / "a.sql"), "wikidata_page": str(tmp_path / "b.sql")}
    with pytest.raises(UsageError, match=r"a\.sql: is the table page, not redirect"):
        with_wikidata(tmp_path, options=options)


@pytest.mark.parametrize("packer", [bytes, bz2.compress, gzip.compress])
def test_items_of_other_wikis_alone_are_refused_before_any_stage(tmp_path: Path, packer: Any) -> None:
    dump, options = dumps(tmp_path)
    others = [item(i, wiki=("dewiki", "frwiki")[i % 3 == 0], title=f"T{i}") for i in range(1, 10)]
    Path(options["wikidata"]).write_bytes(packer(array(others)))
    with pytest.raises(UsageError) as caught:
        build(tmp_path / "out", dump, sections={"wikidata": options})
    assert (
        "none of its items has a page in enwiki, the wiki of enwiki-20260101-pages-articles.xml; " in caught.value.what
    )
    assert caught.value.what.endswith("its items have pages in dewiki, frwiki")
    assert not (tmp_path / "out").exists()


def test_a_beginning_without_the_wiki_refuses_only_what_wikidata_cannot_know(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    late = [item(i, wiki="dewiki", title=f"T{i}") for i in range(1, 1500)] + [item(9000, title="Late")]
    path.write_bytes(array(late))  # more than a chunk
    files = find_files(str(path))
    assert look_for("enwiki", files) == Beginning(True, False, ())
    assert look_for("enwiki", files, sample=1000) == Beginning(False, False, ("dewiki",))
    assert look_for("ltgwiki", files) == Beginning(False, True, ("dewiki", "enwiki"))
    path.write_bytes(gzip.compress(array(late))[:-40])
    assert not look_for("ltgwiki", find_files(str(path))).whole
