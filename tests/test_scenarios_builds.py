"""What went wrong for others while they built (the report's number is in each name)."""

import json
import re
import socket
import threading
import time
from pathlib import Path
from typing import Any

import marisa_trie
import orjson
import pytest
from building import DATA, TOKENIZER, built, hashes
from click.testing import CliRunner
from inline import build, job_of, mentions, rows, run_stages, vocabulary, write_dump, xml_page

from wikiprep.checks import check_corpus
from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.tables.entity_vocab import EntityVocab
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.tables.vocab_files import read_vocabulary
from wikiprep.units.stage import Commit

SMALL = ("--sample", "--range-mb", "0.05", "--workers", "2", "--quiet")


def test_t5_323_the_first_finished_unit_appears_early(tmp_path: Path) -> None:
    """Files of articles appear one by one while the build goes on, each of them whole."""
    seen: list[int] = []
    whole = threading.Event()

    def watch() -> None:
        while not whole.is_set():
            seen.append(len(list((tmp_path / "articles").glob("*.parquet"))))
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        built(tmp_path, *SMALL)
    finally:
        whole.set()
        watcher.join()
    assert any(0 < n < 7 for n in seen), sorted(set(seen))
    first = next(i for i, n in enumerate(seen) if n)
    assert first < len(seen) - 5


def own_text(folder: Path, pages: int = 50) -> tuple[Path, Path]:
    """Paragraphs on things with ids of one's own, of which no Wikipedia knows."""
    lines = []
    for i in range(pages):
        text = f"Valve {i} feeds pump {i % 7} of the plant, and pump {i % 7} is watched by sensor {i % 5}."
        links = [
            {"target": f"asset:pump/{i % 7}", "start": text.index("pump"), "end": text.index(" of the plant")},
            {"target": f"asset:sensor/{i % 5}", "start": text.index("sensor"), "end": len(text) - 1},
        ]
        lines.append({"title": f"asset:valve/{i}", "text": text, "links": links, "page_id": 10**12 + i})
    names = [
        "[PAD]",
        "[UNK]",
        "[MASK]",
        *(f"asset:pump/{i}" for i in range(7)),
        *(f"asset:sensor/{i}" for i in range(5)),
    ]
    ids = [0, 1, 2, *range(1000, 1007), *range(5000, 5005)]
    (folder / "own.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "own-vocab.jsonl").write_text(
        "\n".join(json.dumps({"id": i, "title": t}) for i, t in zip(ids, names, strict=True))
    )
    return folder / "own.jsonl", folder / "own-vocab.jsonl"


def test_ernie_87_own_text_and_own_ids_need_no_wikipedia_and_no_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    text, vocab = own_text(tmp_path)
    output = tmp_path / "out"
    job = job_of(output, annotated=str(text), vocab=str(vocab), sections={
        "input": {"language": "en"}, "tokenizer": {"tokenizer": "train:400"}, "records": {"text": True},
    })  # fmt: skip
    commits = run_stages(job)
    assert commits["records"].counts["links.entity"] == 100
    found = rows(output, "records")
    assert len(found) == 50
    for i, record in enumerate(found):
        assert record["page_id"] == 10**12 + i
        assert record["entity_ids"] == [1000 + i % 7, 5000 + i % 5]
        spans = zip(record["entity_char_starts"], record["entity_char_ends"], strict=True)
        assert [record["text"][a:b] for a, b in spans] == [f"pump {i % 7}", f"sensor {i % 5}"]
    store = Store(str(output))
    assert list(check_corpus(store, read_manifest(store))) == []
    assert vocabulary(output)["asset:pump/3"] == 1003
    card = (output / "README.md").read_text(encoding="utf-8")
    assert "own.jsonl" in card
    # Nobody's licence but their own holds for it.
    assert "cc-by-sa" not in card.lower()
    assert "CC BY-SA" not in card


def outcome(*words: object) -> str:
    """The one error of a command in this process."""
    result = CliRunner().invoke(cli, list(map(str, words)))
    assert isinstance(result.exception, WikiprepError), (result.output, result.exception)
    return result.exception.what


def test_luke_126_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "trwiki-20260101-pages-articles.xml.bz2"
    tail = ("--output", tmp_path / "out", "--tokenizer", TOKENIZER)
    for command in ("build-corpus", "extract", "tables", "records"):
        words = tail if command in ("build-corpus", "records") else tail[:2]
        assert str(missing) in outcome(command, missing, *words)
    dump = DATA / "genre56.xml"
    assert "nowhere" in outcome("build-corpus", dump, "--output", tmp_path / "out", "--tokenizer", tmp_path / "nowhere")
    assert "white.txt" in outcome("build-corpus", dump, *tail, "--white-list", tmp_path / "white.txt")
    assert "props.sql" in outcome("build-corpus", dump, *tail, "--page-props", tmp_path / "props.sql")
    assert "text.jsonl" in outcome(
        "records", "--from", tmp_path / "text.jsonl", "--vocab", dump, "--language", "tr", *tail
    )
    assert "config.toml" in outcome("build-corpus", "--config", tmp_path / "config.toml", *tail)


def test_luke_126_an_empty_folder_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    tail = ("--output", tmp_path / "out", "--tokenizer", TOKENIZER)
    assert str(empty) in outcome("build-corpus", empty, *tail)
    assert str(empty) in outcome("build-corpus", DATA / "genre56.xml", *tail[:2], "--tokenizer", empty)
    assert str(empty) in outcome("verify", empty)
    assert str(empty) in outcome("inspect", empty, "--page", "X")


def test_luke_126_a_corpus_of_another_language_is_not_mixed_in(tmp_path: Path) -> None:
    build(tmp_path, DATA / "portuguese.xml", until="extract")
    before = hashes(tmp_path)
    said = outcome("extract", DATA / "arabic.xml", "--output", tmp_path)
    assert '"portuguese.xml" before, "arabic.xml" now' in said
    said = outcome("extract", DATA / "portuguese.xml", "--language", "de", "--output", tmp_path)
    assert 'language: null before, "de" now' in said
    assert hashes(tmp_path) == before


def test_luke_126_a_vocabulary_of_another_language_is_refused(tmp_path: Path) -> None:
    text, _ = own_text(tmp_path, 2)
    vocab = tmp_path / "multi.jsonl"
    special = [{"id": i, "entities": [[t, "en"], [t, "ja"]]} for i, t in enumerate(("[PAD]", "[UNK]", "[MASK]"))]
    vocab.write_text("\n".join(map(json.dumps, [*special, {"id": 3, "entities": [["Japan", "en"], ["日本", "ja"]]}])))
    said = outcome(
        "records", "--from", text, "--vocab", vocab, "--language", "tr", "--tokenizer", TOKENIZER, "--workers", "1",
        "--quiet", "--output", tmp_path / "out",
    )  # fmt: skip
    assert "multi.jsonl" in said
    assert "'tr'" in said


def test_wikiextractor_112_words_and_links_of_templates_stay(tmp_path: Path) -> None:
    page = (
        "The capital {{w|Oslo|OSLO}} was visited by {{ill|Name of somebody|de}} from {{lang|fr|[[Paris]]}}, "
        "and by {{nowrap|[[A]] and [[B]]}} in one year."
    )
    commits = build(tmp_path / "out", write_dump(tmp_path / "d.xml", xml_page(1, "Visit", page)), until="extract")
    (article,) = rows(tmp_path / "out", "articles")
    text = "".join(p["text"] for p in article["paragraphs"])
    assert "Paris, and by A and B in one year." in text.replace("\xa0", " ")
    assert "Name of somebody" in text
    assert "OSLO" in text
    assert {("Paris", "Paris"), ("A", "A"), ("B", "B")} <= set(mentions(tmp_path / "out"))
    assert commits["extract"].counts["links.kept"] >= 3


ODD = ['"Hello, World!" program', "A < B", "AT&T", "C♯", "Q?", "C++", "O'Neill", "100% Pure New Zealand"]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Commit]]:
    output = tmp_path_factory.mktemp("odd") / "out"
    white = output.parent / "white list & more.txt"
    white.write_text("\n".join(t for t in ODD if t != "A < B"), encoding="utf-8")
    commits = build(output, DATA / "odd_titles.xml", sections={"vocabulary": {"white_list": str(white)}})
    return output, commits


def test_wikiextractor_6_odd_titles_go_through_the_tables(odd: tuple[Path, dict[str, Any]]) -> None:
    output, _ = odd
    assert [a["title"] for a in rows(output, "articles")] == ODD
    assert [p["title"] for p in rows(output, "tables/pages.parquet")][:8] == ODD
    entities = {e["title"]: e["id"] for e in rows(output, "tables/entity_vocab.parquet")}
    assert set(ODD) - {"A < B"} <= entities.keys()
    assert vocabulary(output) == entities
    titles, look_up = TitleTable.open(output / "tables"), EntityVocab.open(output / "tables")
    trie = marisa_trie.Trie()
    trie.load(str(output / "tables" / "titles.marisa"))
    assert set(trie.keys()) >= {*ODD, "Hello World", "¿Qué?"}
    for title in ODD:
        assert titles.resolve(title).title == title
        assert titles.title(titles.number(title)) == title
    for title, entity in entities.items():
        assert look_up.title(entity) == title
    assert titles.resolve("Hello World").title == '"Hello, World!" program'
    assert titles.resolve("¿Qué?").title == "Q?"
    assert {r["title"] for r in rows(output, "records")} <= set(ODD)


def test_wikiextractor_6_odd_titles_are_what_links_mean(odd: tuple[Path, dict[str, Any]]) -> None:
    output, commits = odd
    found = set(mentions(output))
    assert {("the program", '"Hello, World!" program'), ("AT&T", "AT&T"), ("Q?", "Q?"), ("C++", "C++")} <= found
    targets = {target for _, target in found}
    assert {'"Hello, World!" program', "AT&T", "C++", "C♯", "Q?", "O'Neill", "100% Pure New Zealand"} <= targets
    assert not [t for t in targets if "&amp;" in t or "%2B" in t or "%26" in t or "&#39;" in t]
    assert commits["links"].counts["links.article.direct"] >= 14


def test_wikiextractor_6_the_json_export_comes_back(odd: tuple[Path, dict[str, Any]]) -> None:
    output, _ = odd
    exported = output / "tokenizer" / "entity_vocab.json"
    assert json.loads(exported.read_text(encoding="utf-8")) == vocabulary(output)
    again = {row.title: row.id for row in read_vocabulary(exported)}
    assert again == vocabulary(output)
    assert {row.title: row.id for row in read_vocabulary(output / "tables" / "entity_vocab.parquet")} == again


def test_wikiextractor_6_odd_names_do_not_break_the_card(tmp_path: Path) -> None:
    source = (DATA / "odd_titles.xml").read_text(encoding="utf-8")
    source = re.sub("<base>.*</base>", "<base>https://en.wikipedia.org/wiki/Main_Page</base>", source)
    start, end = source.index("<sitename>"), source.index("</sitename>")
    dump = tmp_path / "my {wiki} & <more>.xml"
    dump.write_text(source[:start] + "<sitename>R&amp;D | {x} `y`" + source[end:], encoding="utf-8")
    build(tmp_path / "out", dump)
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "R&D | {x} `y`" in card
    assert "my {wiki} & <more>.xml" in card
    assert card.startswith("---\nlicense: ")
    manifest = orjson.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest["inputs"]["site"]["sitename"] == "R&D | {x} `y`"
    config = (tmp_path / "out" / "config.toml").read_text(encoding="utf-8")
    assert 'tokenizer = "tokenizer"' in config


@pytest.mark.parametrize("title", [*ODD, "Hello World", "¿Qué?"])
def test_wikiextractor_6_odd_titles_can_be_inspected(odd: tuple[Path, dict[str, Any]], title: str) -> None:
    result = CliRunner().invoke(cli, ["inspect", str(odd[0]), "--page", title])
    assert result.exit_code == 0, result.exception
    expected = {"Hello World": ODD[0], "¿Qué?": "Q?"}.get(title, title)
    assert result.output.startswith(f"{expected}  (page ")
