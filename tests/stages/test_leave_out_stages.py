"""What a list names is in nothing that is counted or trained on: a build with it equals one of a dump without it."""

from pathlib import Path
from typing import Any

import pytest
from building import built, hashes, wikiprep
from entity_dumps import array, item, prop, statement
from inline import build, rows, vocabulary, write_dump, xml_page
from tiny_wiki import tiny_props

from wikiprep.checks import check_corpus
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.units.stage import Commit

OUT = "Ibsen was born in [[Skien]], a town of [[Norway]]. "
OSLO = "Oslo is the capital of [[Norway]] since long ago. {0}It has [[Henrik Ibsen|Ibsen]] buried in its soil, too."
TEXTS = {
    "Oslo": OSLO.format(OUT),
    "Norway": "The country Norway has [[Oslo]] as capital, and it has [[Skien]] and [[Bergen|the town of Bergen]].",
    "Skien": "Skien is a town of [[Norway]], and [[Henrik Ibsen|Ibsen]] was a child there. Skien is small.",
    "Henrik Ibsen": "Ibsen wrote plays in [[Oslo]] and [[Norway]]; he came from [[Skien]] once. Ibsen is read.",
    "Bergen": "Bergen is a rainy town of [[Norway]], larger than [[Skien]]. [[Oslo]] is larger than Bergen.",
    "Mercury": "Mercury may be:\n* [[Oslo]]\n* [[Bergen]]\n{{disambiguation}}",
}
ENTITIES = [
    item(585, statement("P1376", "Q20"), statement("P17", "Q20"), title="Oslo"),
    item(20, statement("P36", "Q585"), title="Norway"),
    item(109065, statement("P17", "Q20"), title="Skien"),
    item(36661, statement("P19", "Q109065"), title="Henrik Ibsen"),
    item(26793, statement("P17", "Q20"), title="Bergen"),
    *(prop(n) for n in (17, 19, 36, 1376)),
]
SECTIONS: dict[str, Any] = {
    "mentions": {"mentions": True},
    "records": {"text": True, "min_sentence_length": 1},
    "tokenizer": {"tokenizer": "train:400"},
    "input": {"range_mb": 0.001},
}
SAME = (
    "records",
    "tables/entity_vocab.parquet",
    "tables/mentions.parquet",
    "tokenizer",
    "tables/relation_vocab.parquet",
)


def dump_of(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    pages = [xml_page(n, title, text) for n, (title, text) in enumerate(texts.items(), 1)]
    pages += [xml_page(90, "Ibsen", "", redirect="Henrik Ibsen"), xml_page(91, "Kristiania", "", redirect="Oslo")]
    return write_dump(folder / "enwiki-20260101-pages-articles.xml", *pages)


def listed(folder: Path, content: str) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    (folder / "list.txt").write_text(content, encoding="utf-8")
    (folder / "all.json").write_bytes(array(ENTITIES))
    return {"leave_out": {"leave_out": (str(folder / "list.txt"),)}} if content else {}


def made(folder: Path, texts: dict[str, str], content: str = "", **sections: Any) -> dict[str, Commit]:
    more = listed(folder, content) | {"wikidata": {"wikidata": str(folder / "all.json")}}
    return build(folder / "out", dump_of(folder, texts), sections=SECTIONS | more | sections)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus without a list."""
    folder = tmp_path_factory.mktemp("plain")
    made(folder, TEXTS)
    return folder / "out"


def used(output: Path) -> dict[str, Any]:
    """What is counted and trained on, as rows or bytes."""
    tables = {name: rows(output, name) for name in SAME if name != "tokenizer"}
    return tables | {"tokenizer": (output / "tokenizer" / "tokenizer.json").read_bytes()}


def problems(output: Path) -> list[str]:
    store = Store(str(output))
    return list(check_corpus(store, read_manifest(store)))


@pytest.mark.parametrize(
    ("content", "blank", "texts"),
    [
        ("ibsen\n", ["Henrik Ibsen"], {}),  # a redirect leads to it, a first letter is any
        ('{"page_id": 90}\n{"title": "Kristiania"}\n', ["Henrik Ibsen", "Oslo"], {}),
        ('{"qid": "Q36661"}\nMercury\n{"page_id": "5"}', ["Henrik Ibsen", "Mercury", "Bergen"], {}),
        ('{"sentence": "IBSEN was born in Skien - a town of Norway"}\nBergen', ["Bergen"], {"Oslo": OSLO.format("")}),
    ],
)
def test_a_build_equals_that_of_a_dump_without_it(
    plain: Path, tmp_path: Path, content: str, blank: list[str], texts: dict[str, str]
) -> None:
    commits = made(tmp_path / "with", TEXTS, content)
    made(tmp_path / "without", TEXTS | texts | dict.fromkeys(blank, " "))
    expected = used(tmp_path / "without" / "out")
    if "Mercury" in blank:  # a blank page is no disambiguation, so its title is a name in that build
        for built_ in (found := used(tmp_path / "with" / "out"), expected):
            built_["tables/mentions.parquet"] = [r for r in built_["tables/mentions.parquet"] if r["name"] != "Mercury"]
    else:
        found = used(tmp_path / "with" / "out")
    assert found == expected
    assert used(plain) != found
    assert problems(tmp_path / "with" / "out") == []
    # The articles are whole.
    assert rows(tmp_path / "with" / "out", "articles") == rows(plain, "articles")
    counts = commits["used_articles"].counts
    assert counts.get("pages.left_out", 0) == len(blank)
    assert counts.get("sentences.left_out", 0) == len(texts)
    equations = {equation.name for equation in read_manifest(Store(str(tmp_path / "with" / "out"))).equations}
    assert {"listed", "listed titles", "articles left out", "links left out"} <= equations


def test_the_tables_say_what_was_left_out_and_why(tmp_path: Path) -> None:
    content = (
        'Ibsen\n{"qid": "Q26793", "page_id": 77}\n{"sentence": "was born in Skien"}\n{"sentence": "never said"}\nQ585\n'
    )
    commits = made(tmp_path, TEXTS, content)
    out = tmp_path / "out"
    table = [(r["line"], r["kind"], r["value"], r["page_id"], r["title"]) for r in rows(out, "tables/left_out.parquet")]
    assert table == [
        (1, "title", "Ibsen", 4, "Henrik Ibsen"),
        (2, "page_id", "77", None, None),
        (2, "qid", "Q26793", 5, "Bergen"),
        (5, "title", "Q585", None, None),
    ]
    rejects = [
        (r["page_id"], r["title"], r["reason"], r["detail"]) for r in rows(out, "rejects") if "left" in r["reason"]
    ]
    assert sorted(rejects) == [
        (1, "Oslo", "left out sentence", "list.txt, line 3: Ibsen was born in Skien, a town of Norway."),
        (4, "Henrik Ibsen", "left out page", "list.txt, line 1"),
        (5, "Bergen", "left out page", "list.txt, line 2"),
    ]
    counts = commits["listed"].counts
    assert counts["listed.read"] == 6
    assert (counts["listed.title.matched"], counts["listed.title.unmatched"]) == (1, 1)
    (warning,) = commits["listed"].warnings
    assert "2 of 4 pages that --leave-out lists are not in this dump" in warning
    assert "'Q585' (list.txt, line 5) (an item is written" in warning
    assert commits["used_articles"].warnings == ("1 of 2 sentences that --leave-out lists are not in this dump",)
    assert commits["used_articles"].counts["also.listed.sentence.matched"] == 1
    assert "2 pages and 1 sentences" in (out / "README.md").read_text()
    # Only parts with something left out are copied.
    copies = [f.path for f in commits["used_articles"].files("_state/")]
    assert 0 < len(copies) < len(commits["used_articles"].results)


def relations(output: Path) -> set[tuple[str, int, str]]:
    titles = {number: title for title, number in vocabulary(output).items()}
    return {
        (titles[row["entity_ids"][r["head"]]], r["property"], titles[row["entity_ids"][r["tail"]]])
        for row in rows(output, "records")
        for r in row["relations"]
    }


def test_facts_are_in_no_relation_and_no_pair_without_one(plain: Path, tmp_path: Path) -> None:
    every = relations(plain)
    content = '{"pair": ["Q20", "Q109065"]}\n{"triple": ["Q585", "P17", "Q20"]}\n{"triple": ["Q20", "P36", "Q585"]}\n'
    commits = made(tmp_path / "facts", TEXTS, content)
    left = relations(tmp_path / "facts" / "out")
    assert every - left == {("Skien", 17, "Norway"), ("Oslo", 17, "Norway"), ("Norway", 36, "Oslo")}
    assert ("Oslo", 1376, "Norway") in left
    before, after = read_manifest(Store(str(plain))).counts["records"], commits["records"].counts
    assert after["pairs.dropped.left_out"] > 0
    # Of the pair, both directions; of a pair whose only triple is left out, that direction.
    assert after["pairs.unrelated"] < before["pairs.unrelated"]
    assert after["pairs.related"] + after["pairs.unrelated"] + after["pairs.dropped.left_out"] == (
        before["pairs.related"] + before["pairs.unrelated"]
    )
    assert problems(tmp_path / "facts" / "out") == []
    # Exports take them from the corpus; a list of the export's own joins them.
    (tmp_path / "more.jsonl").write_text('{"pair": ["Q26793", "Q20"]}\n')
    done = wikiprep(
        *("export-triples", tmp_path / "facts" / "out", "-o", tmp_path / "kg", "--valid", 0, "--test", 0),
        *("--leave-out", tmp_path / "more.jsonl"),
    )
    assert done.returncode == 0, done.stderr
    kept = {tuple(line.split("\t")) for line in (tmp_path / "kg" / "train.tsv").read_text().splitlines()}
    assert kept == {("Q585", "P1376", "Q20"), ("Q36661", "P19", "Q109065")}
    assert "left out: 4 left out" in done.stderr


def sql(path: Path, table: str, columns: str, values: str) -> str:
    lines = ",\n".join(f"  `{name}` int" for name in columns.split())
    path.write_text(f"CREATE TABLE `{table}` (\n{lines}\n);\nINSERT INTO `{table}` VALUES {values};\n")
    return str(path)


def test_items_that_were_merged_since_are_left_out_as_what_they_are_now(plain: Path, tmp_path: Path) -> None:
    # Q7 became Skien, Q8 Bergen; Q9 is none here.
    redirect = sql(tmp_path / "r.sql", "redirect", "rd_from rd_namespace rd_title", "(1,0,'Q109065'),(2,0,'Q26793')")
    columns = "page_id page_namespace page_title page_is_redirect"
    page = sql(tmp_path / "p.sql", "page", columns, "(1,0,'Q7',1),(2,0,'Q8',1)")
    content = '{"pair": ["Q20", "Q7"]}\n{"triple": ["Q36661", "P19", "Q7"]}\n{"qid": "Q8"}\n{"pair": ["Q20", "Q9"]}\n'
    options = {"wikidata": str(tmp_path / "all.json"), "wikidata_redirect": redirect, "wikidata_page": page}
    commits = made(tmp_path, TEXTS, content, wikidata=options)
    out = tmp_path / "out"
    table = [(r["value"], r["now"], r["title"]) for r in rows(out, "tables/left_out.parquet")]
    assert table == [
        ("Q20 Q7", "Q20 Q109065", None),
        ("Q36661 P19 Q7", "Q36661 P19 Q109065", None),
        ("Q8", "Q26793", "Bergen"),
        ("Q20 Q9", "Q20 Q9", None),
    ]
    assert {r["title"] for r in rows(out, "records")} == {"Oslo", "Norway", "Skien", "Henrik Ibsen"}
    assert {fact for fact in relations(plain) if "Skien" in fact} == {("Skien", 17, "Norway")}
    assert not any("Skien" in fact for fact in relations(out))
    # A fact that can be in no record is told: nobody should think that it was kept out.
    assert commits["listed"].counts["also.listed.facts.without page"] == 1
    (warning,) = commits["listed"].warnings
    assert warning == (
        "1 of 3 facts that --leave-out lists name an item without a page in this wiki, "
        "such as: Q20 Q9 (list.txt, line 4)"
    )
    only_pairs = made(
        tmp_path / "pairs", TEXTS, '{"pair": ["Q20", "Q9"]}\n', wikidata={"wikidata": options["wikidata"]}
    )
    assert "1 of 1 facts" in only_pairs["listed"].warnings[0]
    # A list of the export's own is read in the same way.
    (tmp_path / "more.jsonl").write_text('{"pair": ["Q8", "Q20"]}\n')
    done = wikiprep(
        *("export-triples", out, "-o", tmp_path / "kg", "--valid", 0, "--test", 0),
        *("--leave-out", tmp_path / "more.jsonl"),
    )
    assert done.returncode == 0, done.stderr
    assert not {"Q109065", "Q26793"} & set((tmp_path / "kg" / "train.tsv").read_text().split())


def test_another_list_redoes_no_extraction(tmp_path: Path) -> None:
    made(tmp_path, TEXTS, "Bergen\n")
    receipts = {p: p.stat().st_mtime_ns for p in (tmp_path / "out" / "_state").glob("*/units/*.json")}
    dump, tokenizer = tmp_path / "enwiki-20260101-pages-articles.xml", "train:400"
    (tmp_path / "list.txt").write_text("Skien\n")
    words = [dump, "--wikidata", tmp_path / "all.json", "--mentions", "--text", "--min-sentence-length", 1]
    words += ["--tokenizer", tokenizer, "--range-mb", 0.001, "--leave-out", tmp_path / "list.txt", "--workers", 1]
    done = wikiprep("build-corpus", *words, "--output", tmp_path / "out")
    assert done.returncode == 2
    assert "listed: options.leave_out[0]" in done.stderr
    done = wikiprep("build-corpus", *words, "--update", "--output", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    again = {p.parts[-3] for p, time in receipts.items() if p.exists() and p.stat().st_mtime_ns == time}
    read = {"inputs", "wikidata_read", "wikidata", "template_pages", "definitions", "extract", "pages"}
    assert read == again
    # Without a list nothing of it is left.
    done = wikiprep("build-corpus", *words[:-4], "--workers", 1, "--update", "--output", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "out" / "tables" / "left_out.parquet").exists()
    assert not list((tmp_path / "out" / "rejects").glob("left-out-*"))
    assert wikiprep("verify", tmp_path / "out").returncode == 0


def test_the_command_with_several_lists(tmp_path: Path) -> None:
    listed(tmp_path, "Bergen\n")
    (tmp_path / "more.jsonl").write_text('{"title": "Mercury"}\n')
    dump = dump_of(tmp_path, TEXTS)
    words = [dump, "--page-props", tiny_props(tmp_path), "--tokenizer", "train:400", "--min-sentence-length", 1]
    lists = ["--leave-out", tmp_path / "list.txt", "--leave-out", tmp_path / "more.jsonl"]
    manifest = built(tmp_path / "a", *words, *lists, "--workers", 1, "--range-mb", 0.001)
    assert manifest["counts"]["used_articles"]["pages.left_out"] == 2
    assert str(tmp_path) not in (tmp_path / "a" / "config.toml").read_text()
    assert '# leave_out = ["list.txt", "more.jsonl"]' in (tmp_path / "a" / "config.toml").read_text()
    toml = tmp_path / "wikiprep.toml"
    toml.write_text(f'[leave_out]\nleave_out = ["{tmp_path}/list.txt", "{tmp_path}/more.jsonl"]\n')
    built(tmp_path / "b", *words, "--config", toml, "--workers", 2, "--range-mb", 0.001)
    assert hashes(tmp_path / "a") == hashes(tmp_path / "b")
    for content, problem in (('{"qid": "X"}', "list.txt:1: qid is 'X'"), ('{"pair": ["Q1", "Q2"]}', "give --wikidata")):
        (tmp_path / "list.txt").write_text(content)
        done = wikiprep("build-corpus", *words, *lists, "--output", tmp_path / "c")
        assert done.returncode == 2
        assert problem in done.stderr
        assert "Traceback" not in done.stderr
        assert not (tmp_path / "c" / "articles").exists()


def test_items_need_a_source_and_something_must_be_left(tmp_path: Path) -> None:
    listed(tmp_path, '{"qid": "Q1"}')
    words = [dump_of(tmp_path, TEXTS), "--tokenizer", "train:400", "--leave-out", tmp_path / "list.txt"]
    done = wikiprep("build-corpus", *words, "--output", tmp_path / "out")
    assert done.returncode == 2
    assert "list.txt, line 1: names an item" in done.stderr
    with pytest.raises(WikiprepError, match="leaves none of 6 articles"):
        made(tmp_path / "all", TEXTS, "\n".join(TEXTS))
    (tmp_path / "own.jsonl").write_text('{"title": "A", "text": "B"}\n')
    (tmp_path / "vocab.tsv").write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nB\t1\n")
    own = ("records", "--from", tmp_path / "own.jsonl", "--vocab", tmp_path / "vocab.tsv", "--language", "en")
    done = wikiprep(*own, *words[1:], "--output", tmp_path / "own")
    assert done.returncode == 2
    assert "--from and --leave-out exclude each other" in done.stderr


def test_verify_finds_records_of_a_page_that_is_left_out(tmp_path: Path) -> None:
    made(tmp_path, TEXTS, "Bergen\n")
    import pyarrow.parquet as pq

    path = tmp_path / "out" / "tables" / "left_out.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(table.schema.get_field_index("page_id"), "page_id", [[1]]), path)
    assert any("records of pages that are left out: 1, such as 1" in line for line in problems(tmp_path / "out"))


def test_a_list_of_the_wrong_type_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="it takes a list of file names"):
        build(tmp_path / "out", dump_of(tmp_path, TEXTS), sections={"leave_out": {"leave_out": "list.txt"}})
