"""Corpora of several wikis, their vocabularies merged, and each wiki built again with the shared ids."""

from itertools import permutations
from pathlib import Path
from typing import Any

import orjson
import pytest
from building import TOKENIZER, hashes, wikiprep
from entity_dumps import array, item
from inline import build, rows, vocabulary, write_dump, xml_page

from wikiprep.checks import check_corpus
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.tables.vocab_files import read_vocabulary

NAMES = {
    "en": {"Oslo": 585, "Norway": 20, "Tokyo": 1490, "Mars": 111, "Only here": 7},
    "ja": {"オスロ": 585, "ノルウェー": 20, "東京": 1490, "火星": 111},
    "ltg": {"Oslo": 585, "Norvegeja": 20, "Latgola": 39},
}
LINKS = {
    "en": ["Oslo", "Oslo", "Norway", "Tokyo", "Only here", "Only here", "Kristiania"],
    "ja": ["オスロ", "東京", "東京", "東京", "東京", "火星", "ノルウェー"],
    "ltg": ["Oslo", "Norvegeja", "Latgola"],
}


def entities() -> list[dict[str, Any]]:
    titles: dict[int, dict[str, str]] = {}
    for language, names in NAMES.items():
        for title, number in names.items():
            titles.setdefault(number, {})[f"{language}wiki"] = title
    return [
        item(number, sitelinks={wiki: {"site": wiki, "title": title, "badges": []} for wiki, title in names.items()})
        for number, names in titles.items()
    ]


def dump_of(folder: Path, language: str) -> Path:
    pages = [xml_page(n, title, f"{title}, words.") for n, title in enumerate(NAMES[language], 1)]
    text = ", ".join(f"of [[{title}]] words" for title in LINKS[language])
    pages.append(xml_page(50, "A page", f"Here are the links of this page: {text}."))
    if language == "en":
        pages.append(xml_page(60, "Kristiania", "", redirect="Oslo"))
    return write_dump(folder / f"{language}wiki.xml", *pages, language=language)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wikis")
    (folder / "all.json").write_bytes(array(entities()))
    for language in NAMES:
        sections = {"wikidata": {"wikidata": str(folder / "all.json")}}
        build(folder / language, dump_of(folder, language), sections=sections, until="tables")
    return folder


def merged(corpora: Path, target: Path, *words: object, languages: tuple[str, ...] = ("en", "ja", "ltg")) -> str:
    done = wikiprep("merge-vocabularies", *(corpora / name for name in languages), "--output", target, *words)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_entities_of_enough_languages_have_their_links_added_up(corpora: Path, tmp_path: Path) -> None:
    told = merged(corpora, tmp_path / "m", "--min-languages", 2)
    lines = [orjson.loads(line) for line in (tmp_path / "m" / "entity_vocab.jsonl").read_bytes().splitlines()]
    assert [(line["id"], line["qid"], line["count"], sorted(line["entities"])) for line in lines[3:-1]] == [
        (3, "Q585", 5, [["Oslo", "en"], ["Oslo", "ltg"], ["オスロ", "ja"]]),
        (4, "Q1490", 5, [["Tokyo", "en"], ["東京", "ja"]]),
        (5, "Q20", 3, [["Norvegeja", "ltg"], ["Norway", "en"], ["ノルウェー", "ja"]]),
    ]
    assert "3 entities with 8 titles in 3 languages" in told
    report = orjson.loads((tmp_path / "m" / "merge.json").read_bytes())
    assert [source["language"] for source in report["sources"]] == ["en", "ja", "ltg"]
    (equation,) = report["equations"]
    assert sum(equation["parts"].values()) == equation["total"] == report["counts"]["titles.read"]


def test_the_order_of_corpora_does_not_show(corpora: Path, tmp_path: Path) -> None:
    made = []
    for number, languages in enumerate(list(permutations(NAMES))[::2]):
        merged(corpora, tmp_path / str(number), "--min-languages", 1, languages=languages)
        made.append(hashes(tmp_path / str(number)))
    assert len(made[0]) == 6
    assert made[0] == made[1] == made[2]


def test_each_wiki_is_built_with_the_shared_ids(corpora: Path, tmp_path: Path) -> None:
    merged(corpora, tmp_path / "m", "--min-languages", 2)
    last = set()
    for language, names in NAMES.items():
        output = tmp_path / language
        sections: dict[str, Any] = {
            "wikidata": {"wikidata": str(corpora / "all.json")},
            "vocabulary": {"entity_vocab": str(tmp_path / "m" / "entity_vocab.jsonl")},
            "records": {"text": True, "min_sentence_length": 1},
            "tokenizer": {"tokenizer": str(TOKENIZER)},
        }
        commits = build(output, corpora / f"{language}wiki.xml", sections=sections)
        ids = vocabulary(output)
        shared = {title: {585: 3, 1490: 4, 20: 5}[q] for title, q in names.items() if q in (585, 1490, 20)}
        specials = {"[PAD]": 0, "[UNK]": 1, "[MASK]": 2, "[MASK2]": 6}
        assert ids == shared | specials
        last.add(ids["[MASK2]"])
        found = {
            row["text"][start:end]: entity
            for row in rows(output, "records")
            for entity, start, end in zip(
                row["entity_ids"], row["entity_char_starts"], row["entity_char_ends"], strict=True
            )
        }
        assert {title: found[title] for title in shared} == shared
        assert {entity for title, entity in found.items() if title not in shared} <= {1, 3}  # [UNK]; Kristiania
        items = {row["title"]: row["qid"] for row in rows(output, "tables/entity_vocab.parquet") if row["qid"]}
        assert items == {title: f"Q{names[title]}" for title in shared}
        counts = commits["vocabulary"].counts
        assert counts["vocabulary.given"] == counts["vocabulary.given.exact"] == len(shared)
        store = Store(str(output))
        assert list(check_corpus(store, read_manifest(store))) == []
    assert last == {6}


GIVEN = (
    '{"id":0,"entities":[["[PAD]","en"]]}\n{"id":1,"entities":[["[UNK]","en"]]}\n{"id":2,"entities":[["[MASK]","en"]]}\n'
    '{"id":3,"entities":[["Kristiania","en"]],"count":9}\n{"id":4,"entities":[["Oslo","en"]]}\n'
    '{"id":7,"entities":[["Atlantis","en"],["アトランティス","ja"]]}\n{"id":9,"entities":[["tokyo","en"]]}\n'
    '{"id":12,"entities":[["Christiania","en"]]}\n{"id":13,"entities":[["Many","en"]]}\n'
)


def test_a_vocabulary_of_another_date_keeps_its_ids_and_says_what_became_of_each(tmp_path: Path) -> None:
    pages = [
        xml_page(1, "Oslo", "Oslo, [[Kristiania]] once, [[Tokyo]] too and [[Atlantis]], [[Lost|a lost]] one."),
        xml_page(2, "Tokyo", "Tokyo is far from [[Oslo]], and from [[Many]] others, and from [[Edo]]."),
        xml_page(3, "Many", "Many:\n* [[Oslo]]\n{{disambiguation}}"),
        xml_page(4, "Kristiania", "", redirect="Oslo"),
        xml_page(5, "Christiania", "", redirect="Kristiania"),
        xml_page(6, "Edo", "", redirect="Tokyo"),
    ]
    (tmp_path / "given.jsonl").write_text(GIVEN)
    sections = {"vocabulary": {"entity_vocab": str(tmp_path / "given.jsonl")}, "records": {"min_sentence_length": 1}}
    commits = build(tmp_path / "out", write_dump(tmp_path / "enwiki.xml", *pages), sections=sections)
    table = [
        (r["id"], r["title"], r["status"], r["now"], r["count"])
        for r in rows(tmp_path / "out", "tables/given_vocab.parquet")
    ]
    assert table == [
        (3, "Kristiania", "merged", "Kristiania", 0),
        (4, "Oslo", "exact", "Oslo", 2),
        (7, "Atlantis", "missing", "Atlantis", 1),
        (9, "tokyo", "exact", "Tokyo", 2),
        (12, "Christiania", "merged", "Christiania", 0),
        (13, "Many", "disambiguation", "Many", 1),
    ]
    counts = commits["vocabulary"].counts
    assert counts["vocabulary.links"] == 7
    assert (counts["vocabulary.links.covered"], counts["vocabulary.links.lost.missing"]) == (6, 1)
    assert "1 of 6 entities of given.jsonl have no page in this dump" in commits["vocabulary"].warnings[0]
    (record, _) = rows(tmp_path / "out", "records")
    assert record["entity_ids"] == [4, 9, 7, 1]
    store = Store(str(tmp_path / "out"))
    assert list(check_corpus(store, read_manifest(store))) == []


def test_what_cannot_be_is_told(corpora: Path, tmp_path: Path) -> None:
    build(tmp_path / "without", corpora / "enwiki.xml", until="tables")
    for words, problem in (
        ((corpora / "en", corpora / "en"), "two corpora are of the language 'en'"),
        ((corpora / "en",), "--min-languages 3 of 1 corpora"),
        ((corpora / "en", tmp_path / "none"), "none: no such folder"),
        ((tmp_path / "without", "--min-languages", 1), "none of its entities has a Wikidata item"),
        ((corpora / "en", corpora / "ja", "--min-languages", 2, "--size", 3), "Invalid value"),
    ):
        done = wikiprep("merge-vocabularies", *words, "--output", tmp_path / "m")
        assert done.returncode != 0
        assert problem in done.stderr
        assert "Traceback" not in done.stderr
    merged(corpora, tmp_path / "m", "--min-languages", 1, languages=("ja", "ltg"))
    given: dict[str, Any] = {"vocabulary": {"entity_vocab": str(tmp_path / "m" / "entity_vocab.jsonl")}}
    with pytest.raises(UsageError, match="has no entity in language 'en'"):
        build(tmp_path / "out", corpora / "enwiki.xml", sections=given)
    (tmp_path / "other.tsv").write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nNowhere\t1\n")
    other: dict[str, Any] = {"vocabulary": {"entity_vocab": str(tmp_path / "other.tsv")}}
    with pytest.raises(WikiprepError, match="none of its 1 entities is an article of this dump"):
        build(tmp_path / "out", corpora / "enwiki.xml", sections=other)


def test_real_wikis(shared_data: Path, tmp_path: Path) -> None:
    """Latgalian and English pages, of which Wikidata's hundred real items know countries and regions."""
    items = shared_data / "wikidata" / "items-100-enwiki.json.bz2"
    dumps = {"ltg": "ltgwiki-whole-2004pages.xml.bz2", "en": "enwiki-27pages-longarticles.xml.bz2"}
    for language, name in dumps.items():
        sections: dict[str, Any] = {"wikidata": {"wikidata": str(items)}, "vocabulary": {"vocab_targets": "linked"}}
        build(tmp_path / language, shared_data / "dumps" / name, sections=sections, until="vocabulary")
    merged(tmp_path, tmp_path / "m", "--min-languages", 2, languages=("ltg", "en"))
    own = {
        language: {r["title"]: (r["qid"], r["count"]) for r in rows(tmp_path / language, "tables/entity_vocab.parquet")}
        for language in dumps
    }
    lines = [orjson.loads(line) for line in (tmp_path / "m" / "entity_vocab.jsonl").read_bytes().splitlines()][3:-1]
    assert len(lines) >= 3
    for line in lines:
        found = [own[language][title] for title, language in line["entities"]]
        assert {qid for qid, _ in found} == {line["qid"]}
        assert sum(n for _, n in found) == line["count"]
    both = {q for q, _ in own["ltg"].values() if q} & {q for q, _ in own["en"].values() if q}
    assert {line["qid"] for line in lines} == both
    assert len(read_vocabulary(tmp_path / "m" / "entity_vocab.jsonl", "ltg")) == len(lines) + 4


def test_a_published_vocabulary_on_real_pages(shared_data: Path, tmp_path: Path) -> None:
    """The commonest entities of the published LUKE vocabulary, on 24 long articles that link to them."""
    given = shared_data / "luke" / "enwiki_20181220_entvocab_100.tsv"
    dump = shared_data / "dumps" / "enwiki-27pages-longarticles.xml.bz2"
    sections: dict[str, Any] = {"vocabulary": {"entity_vocab": str(given)}}
    commits = build(tmp_path / "out", dump, sections=sections, until="vocabulary")
    published = {row.title: row.id for row in read_vocabulary(given)}
    table = {r["title"]: r for r in rows(tmp_path / "out", "tables/given_vocab.parquet")}
    assert {title: r["id"] for title, r in table.items()} == {t: i for t, i in published.items() if t[:1] != "["}
    linked = {title for title, r in table.items() if r["count"]}
    assert "United States" in linked
    assert len(linked) > 10
    counts = commits["vocabulary"].counts
    assert (
        counts["vocabulary.given"]
        == len(table)
        == counts["vocabulary.given.missing"]
        + sum(r["page_id"] is not None or r["status"] == "merged" for r in table.values())
    )
    store = Store(str(tmp_path / "out"))
    assert list(check_corpus(store, read_manifest(store))) == []
