"""What went wrong for others with titles, redirects and vocabularies (the report's number is in each name)."""

import json
import shutil
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
from building import DATA, hashes
from click.testing import CliRunner
from inline import build, kinds, mentions, rows, vocabulary, write_dump, xml_page

from wikiprep.checks import check_corpus
from wikiprep.cli.main import cli
from wikiprep.files import Store, sha256_of
from wikiprep.manifest import read_manifest
from wikiprep.sample import dump_path
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.tables.resolver import open_resolver, open_titles


def problems(output: Path) -> list[str]:
    store = Store(str(output))
    return list(check_corpus(store, read_manifest(store)))


def entities(output: Path) -> dict[str, int]:
    """title -> count, special tokens left out."""
    found = rows(output, "tables/entity_vocab.parquet")
    return {row["title"]: row["count"] for row in found if not row["title"].startswith("[")}


def test_genre_85_every_entity_of_records_and_vocabulary_is_a_document(sample_corpus: Path, tmp_path: Path) -> None:
    documents = {row["page_id"]: row["title"] for row in rows(sample_corpus, "articles")}
    titles = {id_: title for title, id_ in vocabulary(sample_corpus).items()}
    for row in rows(sample_corpus, "tables/entity_vocab.parquet")[3:-1]:
        assert documents[row["page_id"]] == row["title"] == titles[row["id"]]
    for record in rows(sample_corpus, "records"):
        assert documents[record["page_id"]] == record["title"]
        assert all(entity == 1 or titles[entity] in documents.values() for entity in record["entity_ids"])
    resolver = open_resolver(Store(str(sample_corpus)))
    for _, target in mentions(sample_corpus):
        end = resolver.end(target)
        assert end is None or resolver.vocabulary.id(end) is None or end in documents.values()
    assert problems(sample_corpus) == []

    output = tmp_path / "copy"
    shutil.copytree(sample_corpus, output, ignore=shutil.ignore_patterns("_state"))
    part = sorted((output / "articles").iterdir())[3]
    table = pq.read_table(part)
    pq.write_table(table.slice(1), part)
    manifest = orjson.loads((output / "manifest.json").read_bytes())
    entry = next(f for f in manifest["files"] if f["path"] == f"articles/{part.name}")
    entry |= {"size": part.stat().st_size, "sha256": sha256_of(part)}
    (output / "manifest.json").write_bytes(orjson.dumps(manifest))
    lost = table["page_id"][0].as_py()
    assert f"tables/pages.parquet: documents without a row in articles/: 1, such as {lost}" in problems(output)


def test_wikipedia2vec_38_one_title_is_one_entity_however_it_is_written(tmp_path: Path) -> None:
    build(tmp_path, DATA / "india.xml", sections={"vocabulary": {"vocab_targets": "linked"}})
    assert entities(tmp_path) == {"India": 5, "New Delhi": 1}
    assert all(title == title.strip(" _") for title in vocabulary(tmp_path))
    assert [target for _, target in mentions(tmp_path)].count("India") == 5


def test_autophrase_41_portuguese_names_are_read_from_the_dump(tmp_path: Path) -> None:
    commits = build(tmp_path / "pt", DATA / "portuguese.xml")
    assert kinds(commits) == {"article": 9, "disambiguation": 2, "redirect": 3, "other_namespace": 3}
    assert commits["pages"].counts["redirects.one_hop"] == 3
    assert commits["extract"].counts["links.dropped.file"] > 0
    assert commits["extract"].counts["links.dropped.category"] > 0
    assert entities(tmp_path / "pt")["Portugal"] > 0
    assert len(entities(tmp_path / "pt")) == 9
    assert problems(tmp_path / "pt") == []


def test_autophrase_41_another_language_in_the_siteinfo_changes_the_counts(tmp_path: Path) -> None:
    """The same pages said to be German, with German namespaces: nothing Portuguese is known any more."""
    text = (DATA / "portuguese.xml").read_text(encoding="utf-8")
    german = text.replace('xml:lang="pt"', 'xml:lang="de"')
    for portuguese, name in (("Ficheiro", "Datei"), ("Categoria", "Kategorie"), ("Predefinição", "Vorlage")):
        german = german.replace(f">{portuguese}</namespace>", f">{name}</namespace>")
    # As before MediaWiki 1.26: where a redirect leads stands in the text alone.
    old = [t.replace("<redirect title", "<was title") for t in (text, german)]
    made = []
    for number, xml in enumerate(old):
        dump = tmp_path / f"{number}.xml"
        dump.write_text(xml, encoding="utf-8")
        # By the names alone: the dump's own page of the template says what it is in any language.
        tables = {"extract": {"templates": "render"}}
        made.append(build(tmp_path / str(number), dump, sections=tables, until="vocabulary"))
    portuguese_kinds, german_kinds = map(kinds, made)
    assert portuguese_kinds == {"article": 9, "disambiguation": 2, "redirect": 3, "other_namespace": 3}
    assert german_kinds.get("redirect", 0) < 3
    assert german_kinds["article"] > 9
    assert german_kinds.get("disambiguation", 0) < 2
    dropped = [commits["extract"].counts.get("links.dropped.file", 0) for commits in made]
    assert dropped[0] > dropped[1]


def test_wiki2vec_15_only_articles_are_entities_and_every_redirect_is_counted(tmp_path: Path) -> None:
    commits = build(tmp_path, DATA / "namespaces.xml", sections={"vocabulary": {"vocab_targets": "linked"}})
    assert kinds(commits) == {"article": 4, "redirect": 11, "other_namespace": 10}
    counts = commits["pages"].counts
    assert {k: n for k, n in counts.items() if k.startswith("redirects.") and n} == {
        "redirects.read": 11, "redirects.one_hop": 3, "redirects.more_hops": 3, "redirects.missing": 1,
        "redirects.rejected.redirect_loop": 2, "redirects.rejected.redirect_to_itself": 1,
        "redirects.rejected.redirect_to_another_namespace": 1,
    }  # fmt: skip
    assert counts["also.redirects.to_section"] == 2
    assert commits["links"].counts["links.other_namespace"] == 7
    assert commits["links"].counts["links.unresolved.loop"] == 2
    prefixes = ("Talk", "User", "Project", "File", "Template", "Category", "Portal", "Module")
    assert not [title for title in vocabulary(tmp_path) if title.startswith(prefixes)]
    assert entities(tmp_path).keys() >= {"Oslo", "Norway", "Bergen", "Edvard Grieg", "Inlet of the sea"}
    assert not entities(tmp_path).keys() & {"Christiania", "Kristiania", "Loop one", "Loop two", "About us", "Fjord"}
    rejects = {r["title"]: r["reason"] for r in rows(tmp_path, "rejects")}
    assert rejects["Loop one"] == rejects["Loop two"] == "redirect loop"


def test_extraction_framework_425_a_chain_ends_at_a_page_of_the_dump(tmp_path: Path) -> None:
    """A was moved to B: an older table says A -> B, the dump says B -> A. Only the dump's own redirects count."""
    sql = tmp_path / "enwiki-20251201-page_props.sql"
    sql.write_text(
        "CREATE TABLE `page_props` (\n  `pp_page` int,\n  `pp_propname` varbinary(60),\n  `pp_value` blob\n);\n"
        "INSERT INTO `page_props` VALUES (1,'wikibase_item','Q1'),(2,'wikibase_item','Q2');\n"
        "-- Dump completed on 2025-12-01\n"
    )
    dump = write_dump(
        tmp_path / "enwiki-20260101-pages-articles.xml",
        xml_page(1, "A", "This page was once called [[B]], and is now the article itself."),
        xml_page(2, "B", "", redirect="A"),
        xml_page(3, "C", "Links to [[A]] and to [[B]] mean the one page that there is."),
    )
    build(tmp_path / "out", dump, sections={"input": {"page_props": str(sql), "allow_other_dates": True}})
    manifest = orjson.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest["facts"]["properties"]["dates"] == {"dump": "2026-01-01", "page_props": "2025-12-01"}
    assert [w for w in manifest["warnings"] if "2025-12-01" in w and "2026-01-01" in w]
    assert manifest["facts"]["extract"]["newest_revision"] == "2026-01-02T03:04:05Z"
    titles = open_titles(Store(str(tmp_path / "out")))
    assert (titles.resolve("B").title, titles.resolve("B").page_id) == ("A", 1)
    assert entities(tmp_path / "out") == {"A": 3}
    # A redirect's own item stays its own.
    assert [r["qid"] for r in rows(tmp_path / "out", "tables/redirects.parquet")] == ["Q2"]
    assert [r["qid"] for r in rows(tmp_path / "out", "articles")] == ["Q1", None]


@pytest.mark.parametrize(("keep", "documents"), [(False, 10), (True, 13)])
def test_genre_56_the_title_list_can_be_made_again(tmp_path: Path, keep: bool, documents: int) -> None:
    sections: dict[str, Any] = {"vocabulary": {"keep_disambiguation": keep}}
    commits = build(tmp_path / "one", DATA / "genre56.xml", sections=sections)
    build(tmp_path / "two", DATA / "genre56.xml", sections=sections)
    assert hashes(tmp_path / "one") == hashes(tmp_path / "two")
    assert kinds(commits, "pages") == {"article": 10, "disambiguation": 3, "redirect": 8, "other_namespace": 4}
    assert commits["pages"].counts["pages.read"] == 25
    assert commits["records"].counts["pages.used"] == documents
    articles = rows(tmp_path / "one", "articles")
    assert len(articles) == 13
    assert all(article["paragraphs"] for article in articles)
    wanted = {a["title"] for a in articles if keep or a["kind"] == "article"}
    assert entities(tmp_path / "one").keys() <= wanted
    assert {r["title"] for r in rows(tmp_path / "one", "records")} <= wanted


def test_entity_fishing_115_an_arabic_dump_needs_no_preparation(tmp_path: Path) -> None:
    sections = {"vocabulary": {"vocab_targets": "linked"}, "records": {"text": True}}
    commits = build(tmp_path, DATA / "arabic.xml", sections=sections)
    assert kinds(commits) == {"article": 8, "disambiguation": 1, "redirect": 3, "other_namespace": 3}
    source = (DATA / "arabic.xml").read_text(encoding="utf-8")
    # The labels that templates of languages show.
    made = {("باللاتينية", "اللغة اللاتينية"), ("باليونانية", "اللغة اليونانية")}
    for mention, target in mentions(tmp_path):
        assert f"[[{target}]]" in source or f"[[{target}|{mention}]]" in source or (mention, target) in made
        assert mention == mention.strip()
    text = "\n".join(p["text"] for a in rows(tmp_path, "articles") for p in a["paragraphs"])
    assert "سنة ٩٦٩ للميلاد" in text
    titles = {id_: title for title, id_ in vocabulary(tmp_path).items()}
    names = set()
    for record in rows(tmp_path, "records"):
        spans = zip(record["entity_char_starts"], record["entity_char_ends"], record["entity_ids"], strict=True)
        names |= {(record["text"][start:end], titles[entity]) for start, end, entity in spans}
    assert {("مصر", "مصر"), ("العربية", "اللغة العربية"), ("مكتبتها", "مكتبة الإسكندرية")} <= names


def test_flan_47_text_with_other_field_names_is_refused_by_name(tmp_path: Path) -> None:
    from wikiprep.errors import WikiprepError

    (tmp_path / "t.jsonl").write_text('{"name": "A", "body": "Text", "anchors": []}\n' * 3)
    (tmp_path / "v.tsv").write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nB\t1\n")
    with pytest.raises(WikiprepError) as caught:
        build(
            tmp_path / "out", annotated=str(tmp_path / "t.jsonl"), vocab=str(tmp_path / "v.tsv"),
            sections={"input": {"language": "en"}},
        )  # fmt: skip
    assert "none of its 3 lines" in str(caught.value)
    assert "name, body, anchors" in str(caught.value)
    assert '"title", "text" and "links"' in str(caught.value)


def test_luke_72_the_card_holds_what_is_needed_to_make_it_again(sample_corpus: Path) -> None:
    card = (sample_corpus / "README.md").read_text(encoding="utf-8")
    manifest = orjson.loads((sample_corpus / "manifest.json").read_bytes())
    assert sha256_of(dump_path()) in card
    assert dump_path().name in card
    assert "preset `luke`" in card
    for name, version in manifest["versions"].items():
        assert f"{name} {version}" in card
    assert "config.toml" in card
    config = (sample_corpus / "config.toml").read_text(encoding="utf-8")
    assert "range_mb = 0.05" in config
    assert "text = true" in config
    assert manifest["options"]["records"]["records"]["text"] is True
    assert json.loads(json.dumps(manifest)) == manifest


MENTIONS: dict[str, Any] = {"mentions": {"mentions": True}}


def test_genre_85_every_target_of_the_mention_table_is_an_article(tmp_path: Path) -> None:
    build(tmp_path, dump_path(), sections=MENTIONS, until="tables")
    documents = {row["page_id"]: row["title"] for row in rows(tmp_path, "articles") if row["kind"] == "article"}
    redirects = {row["title"] for row in rows(tmp_path, "tables/redirects.parquet")}
    found = rows(tmp_path, "tables/mentions.parquet")
    assert found
    assert all(documents[row["page_id"]] == row["target"] for row in found)
    assert not {row["target"] for row in found} & redirects
    assert problems(tmp_path) == []

    part = sorted((tmp_path / "articles").iterdir())[0]
    table = pq.read_table(part)
    pq.write_table(table.slice(1), part)
    manifest = orjson.loads((tmp_path / "manifest.json").read_bytes())
    entry = next(f for f in manifest["files"] if f["path"] == f"articles/{part.name}")
    entry |= {"size": part.stat().st_size, "sha256": sha256_of(part)}
    (tmp_path / "manifest.json").write_bytes(orjson.dumps(manifest))
    lost = table["page_id"][0].as_py()
    assert f"tables/pages.parquet: documents without a row in articles/: 1, such as {lost}" in problems(tmp_path)


def test_rel_121_the_page_of_that_very_title_is_always_a_candidate(tmp_path: Path) -> None:
    words = "These are some words about nothing in particular and then "
    many = words + " ".join(["[[Example Institute]]"] * 497 + ["[[Example Institute|Ann Example]]"] * 3)
    dump = write_dump(
        tmp_path / "d.xml",
        xml_page(1, "Ann Example", words + "they end."),
        xml_page(2, "Example Institute", words + "they end with [[Ann Example|her]] and [[Ann Example|Ann]]."),
        xml_page(3, "Others", many),
    )
    build(tmp_path / "out", dump, sections=MENTIONS, until="tables")
    table = MentionTable.open(tmp_path / "out")
    institute, ann = table.candidates("Ann Example")
    assert (institute.title, institute.link_count, institute.prior, institute.is_title) == (
        "Example Institute", 3, 1.0, False,
    )  # fmt: skip
    assert (ann.title, ann.page_id, ann.link_count, ann.prior, ann.is_title) == ("Ann Example", 1, 0, 0.0, True)
    assert table.candidates("Example Institute")[0].link_count == 497
    assert {c.title for c in table.candidates("Ann Example", k=2)} == {"Ann Example", "Example Institute"}


def test_bootleg_22_a_plain_word_stays_and_the_threshold_that_drops_another_is_shown(tmp_path: Path) -> None:
    filler = "All of it is of use " * 625  # "of" 1,250 times a page
    pages = [
        xml_page(number, f"Page {number}", f"{filler} and [[{'of' if number < 12 else 'apoptosis'}]] ends it.")
        for number in range(10, 18)
    ]
    dump = write_dump(
        tmp_path / "d.xml", xml_page(1, "Apoptosis", "A word of some use."), xml_page(2, "Of", "A word of use."),
        *pages, *[xml_page(number, f"Page {number}", "The use of words, of all.") for number in range(100, 400)],
    )  # fmt: skip
    build(tmp_path / "out", dump, sections=MENTIONS, until="tables")
    table = MentionTable.open(tmp_path / "out")
    apoptosis, of = table.counts("apoptosis"), table.counts("of")
    assert apoptosis is not None
    assert of is not None
    # Linked 2 times among 10,000 occurrences and more.
    assert (of.link_count, of.link_page_count, of.text_count, of.text_page_count) == (2, 2, 10_604, 310)
    assert (apoptosis.link_count, apoptosis.text_count, apoptosis.link_probability) == (6, 6, 1.0)
    assert of.link_probability == 2 / 310 < 0.01 < apoptosis.link_probability
    for name, line in (
        ("apoptosis", "link probability 1.000000 = 6 / 6 pages: kept at the usual threshold of 0.01"),
        ("of", "link probability 0.006452 = 2 / 310 pages: dropped at the usual threshold of 0.01, kept by one up to"),
    ):
        done = CliRunner().invoke(cli, ["mentions", str(tmp_path / "out"), name])
        assert done.exit_code == 0
        assert line in done.output
    assert table.candidates("Apoptosis")[0].is_title


def test_wikipedia2vec_38_counts_of_one_title_are_in_one_row(tmp_path: Path) -> None:
    build(tmp_path, DATA / "india.xml", sections=MENTIONS | {"vocabulary": {"vocab_targets": "linked"}}, until="tables")
    found = rows(tmp_path, "tables/mentions.parquet")
    assert sum(row["link_count"] for row in found if row["target"] == "India") == 5
    for row in found:
        assert row["target"] == row["target"].strip(" _")
        assert row["name"] == " ".join(row["name"].split())
    assert len({(row["name"], row["target"]) for row in found}) == len(found)


def test_wiki2vec_15_names_lead_to_pages_of_namespace_0_alone(tmp_path: Path) -> None:
    sections = MENTIONS | {"vocabulary": {"vocab_targets": "linked"}}
    commits = build(tmp_path, DATA / "namespaces.xml", sections=sections, until="tables")
    found = rows(tmp_path, "tables/mentions.parquet")
    prefixes = ("Talk:", "User:", "Project:", "File:", "Template:", "Category:", "Portal:", "Module:")
    assert not [row for row in found if row["target"].startswith(prefixes)]
    assert not {row["target"] for row in found} & {"Christiania", "Kristiania", "Loop one", "Loop two", "Fjord"}
    counts = commits["mention_links"].counts
    assert counts["mentions.links.dropped.other_namespace"] == 7
    assert counts["mentions.links.dropped.unresolved_loop"] == 2
    assert counts["mentions.titles.dropped.unresolved_loop"] == 2


def test_entity_fishing_115_right_to_left_names_have_counts(tmp_path: Path) -> None:
    sections = MENTIONS | {"vocabulary": {"vocab_targets": "linked"}}
    build(tmp_path, DATA / "arabic.xml", sections=sections, until="tables")
    table = MentionTable.open(tmp_path)
    assert [c.title for c in table.candidates("العربية")] == ["اللغة العربية"]
    assert [c.title for c in table.candidates("مكتبتها")] == ["مكتبة الإسكندرية"]
    egypt = table.counts("مصر")
    assert egypt is not None and egypt.link_count > 0
    assert problems(tmp_path) == []
