"""Builds of snapshots and folders, whole: pages of every kind, what is refused, and the same bytes whatever happens."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from building import built, hashes, wikiprep
from inline import build, kinds, mentions, rows, write_dump, xml_page

from wikiprep.errors import WikiprepError
from wikiprep.units.job import Job

from .made import document, lines, link, row, tar_gz

TITLES = ["Oslo", "Bergen", "Norway", "Sweden", "Stockholm"]
SMALL: dict[str, Any] = {"input": {"range_mb": 0.001}, "vocabulary": {"vocab_targets": "linked"}}


def text(i: int) -> str:
    """A body with prose, a list and a table; a kilobyte, so that a snapshot has several pieces."""
    here, there = TITLES[i % 5], TITLES[(i + 1) % 5]
    filler = " ".join(f"word{n * 37 % 1009} of {here}" for n in range(i * 40, i * 40 + 40))
    return (
        f"<section><p><b>{here}</b> is near {link(there)}, see {link('Christiania', 'the old name')}. {filler}</p>"
        f"<h2 id='x'>Places</h2><ul><li>{link(there, 'there')}</li></ul>"
        f"<table><tbody><tr><td>{link('Hidden')}</td></tr></tbody></table></section>"
    )


def snapshot_rows() -> list[dict[str, Any] | bytes]:
    made: list[dict[str, Any] | bytes] = [row(10 + i, title, text(i)) for i, title in enumerate(TITLES)]
    made[0] |= {"redirects": [{"name": "Christiania"}, {"name": "Kristiania"}]}  # type: ignore[operator]
    made.insert(2, b'{"name": "cut')
    made.insert(4, row(3, "Talk:Oslo", "<p>a</p>", namespace={"identifier": 1}))
    made.append(row(4, "Mercury", f"<ul><li>{link('Oslo')}</li></ul>", templates=[{"name": "Template:Disambiguation"}]))
    made.append(row(5, "Empty", "", article_body={"html": ""}))
    made.append(row(11, "Bergen", "<p>old</p>", version={"identifier": 1}, redirects=[{"name": "Old name"}]))
    return made


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, made = tmp_path_factory.mktemp("snapshot"), snapshot_rows()
    members = {"enwiki_0.ndjson": lines(made[:4]), "enwiki_1.ndjson": lines(made[4:])}
    return tar_gz(folder / "enwiki-NS0-20261101-ENTERPRISE-HTML.json.tar.gz", members)


@pytest.fixture(scope="module")
def corpus(snapshot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("html") / "corpus"
    commits = build(output, snapshot, sections=SMALL)
    assert kinds(commits) == {"article": 5, "disambiguation": 1, "redirect": 2, "other_namespace": 1, "reject": 3}
    assert len(commits["extract"].results) > 1
    return output


def test_pages_redirects_and_items_are_the_snapshots(corpus: Path) -> None:
    pages = [(p["page_id"], p["title"], p["kind"], p["qid"]) for p in rows(corpus, "tables/pages.parquet")]
    assert pages == [
        (3, "Talk:Oslo", "other_namespace", "Q3"),
        (4, "Mercury", "disambiguation", "Q4"),
        *((10 + i, title, "article", f"Q{10 + i}") for i, title in enumerate(TITLES)),
        (None, "Christiania", "redirect", None),
        (None, "Kristiania", "redirect", None),
    ]
    redirects = [(r["title"], r["final"], r["status"]) for r in rows(corpus, "tables/redirects.parquet")]
    assert redirects == [("Christiania", "Oslo", "resolved"), ("Kristiania", "Oslo", "resolved")]


def test_every_reject_has_its_file_and_line(corpus: Path) -> None:
    rejects = [(r["page_id"], r["reason"], r["detail"]) for r in rows(corpus, "rejects") if "line" in r["detail"]]
    assert [(number, reason) for number, reason, _ in rejects] == [
        (None, "malformed JSON"),
        (5, "no text"),
        (None, "older copy"),
    ]
    assert rejects[0][2].startswith("enwiki_0.ndjson, line 3: ")
    assert rejects[1][2] == "enwiki_1.ndjson, line 5: no text in `article_body.html`"
    assert rejects[2][2] == "enwiki_1.ndjson, line 6: the snapshot has page 11 again, newer"


def test_the_text_of_the_articles(corpus: Path) -> None:
    found = next(r for r in rows(corpus, "articles") if r["title"] == "Norway")
    assert (found["page_id"], found["revision_id"], found["timestamp"]) == (12, 1012, "2026-11-02T10:00:00Z")
    assert [(p["kind"], p["section"]) for p in found["paragraphs"]] == [("prose", []), ("list_item", ["Places"])]
    assert found["paragraphs"][0]["text"].startswith("Norway is near Sweden, see the old name. word")
    assert ("the old name", "Christiania") in mentions(corpus) and ("Hidden", "Hidden") not in mentions(corpus)


def test_a_corpus_of_a_snapshot_is_verified(corpus: Path) -> None:
    done = wikiprep("verify", corpus)
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_and_records_close_as_those_of_a_dump(corpus: Path, tmp_path: Path) -> None:
    """The same pages as wikitext: the same articles, links and records, but for links in tables and templates."""
    wikitext = [
        f"'''{here}''' is near [[{TITLES[(i + 1) % 5]}]], see [[Christiania|the old name]]. "
        + " ".join(f"word{n * 37 % 1009} of {here}" for n in range(i * 40, i * 40 + 40))
        + f"\n== Places ==\n* [[{TITLES[(i + 1) % 5]}|there]]\n{{|\n| [[Hidden]]\n|}}"
        for i, here in enumerate(TITLES)
    ]
    pages = [xml_page(10 + i, title, page) for i, (title, page) in enumerate(zip(TITLES, wikitext, strict=True))]
    pages += [xml_page(90 + i, title, "", redirect="Oslo") for i, title in enumerate(("Christiania", "Kristiania"))]
    build(tmp_path / "out", write_dump(tmp_path / "enwiki.xml", *pages), sections=SMALL)
    assert {r["title"]: r["paragraphs"] for r in rows(tmp_path / "out", "articles")} == {
        r["title"]: r["paragraphs"] for r in rows(corpus, "articles") if r["title"] != "Mercury"
    }
    columns = ("title", "word_ids", "entity_starts", "entity_ends", "sentence_starts")
    ours, theirs = (
        sorted([record[column] for column in columns] for record in rows(output, "records"))
        for output in (corpus, tmp_path / "out")
    )
    assert ours == theirs


COMMAND = ("--range-mb", "0.001", "--vocab-targets", "linked", "--tokenizer", "train:300")


def test_the_command_gives_the_same_bytes_with_any_number_of_workers_and_goes_on(
    snapshot: Path, tmp_path: Path
) -> None:
    built(tmp_path / "one", snapshot, *COMMAND)
    built(tmp_path / "two", snapshot, *COMMAND, "--workers", 2)
    assert hashes(tmp_path / "one") == hashes(tmp_path / "two")
    state, before = tmp_path / "two" / "_state", hashes(tmp_path / "two")
    for path in [*(tmp_path / "two" / "articles").iterdir()][:1]:
        path.unlink()  # as where the build was killed before that unit
    shutil.rmtree(state / "snapshot" / "pieces")  # and somebody wanted its room
    (tmp_path / "two" / "manifest.json").unlink()
    built(tmp_path / "two", snapshot, *COMMAND)
    assert hashes(tmp_path / "two") == before


def test_a_folder_of_html(tmp_path: Path) -> None:
    folder = tmp_path / "html"
    (folder / "deep").mkdir(parents=True)
    for i, title in enumerate(TITLES):
        (folder / "deep" / f"{title}.html").write_text(document(text(i), title, 10 + i), encoding="utf-8")
    moved = '<link rel="mw:PageProp/redirect" href="./Oslo"/>'
    (folder / "Christiania.html").write_text(document(moved, "Christiania", 90), encoding="utf-8")
    (folder / "titles.tsv").write_text("deep/Oslo.html\tOslo\t10\tQ585\n", encoding="utf-8")
    commits = build(tmp_path / "out", folder, sections=SMALL)
    assert kinds(commits) == {"article": 5, "redirect": 1}
    found = {p["title"]: (p["page_id"], p["qid"]) for p in rows(tmp_path / "out", "tables/pages.parquet")}
    assert found["Oslo"] == (10, "Q585") and found["Christiania"] == (90, None)
    assert {("the old name", "Christiania"), ("Oslo", "Oslo")} <= set(mentions(tmp_path / "out"))


def test_a_cut_snapshot_is_refused_or_kept_up_to_the_cut(snapshot: Path, tmp_path: Path) -> None:
    cut = tmp_path / snapshot.name
    cut.write_bytes(snapshot.read_bytes()[:-60])
    with pytest.raises(WikiprepError, match=r"damaged at byte .*") as caught:
        build(tmp_path / "out", cut, sections=SMALL)
    assert "--keep-damaged" in caught.value.hint
    sections = SMALL | {"input": SMALL["input"] | {"keep_damaged": True}}
    commits = build(tmp_path / "kept", cut, sections=sections)
    assert commits["extract"].counts["damaged.ranges"] == 1
    assert kinds(commits)["article"] >= 1
    assert any(r["reason"] == "damaged range" for r in rows(tmp_path / "kept", "rejects"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.ndjson", b"", "is empty"),
        ("x.ndjson", b"{}\n[]\n", "no line of it has the fields"),
        ("x.ndjson", b"text\n", "no line of it is a page as JSON"),
        ("x.tar.gz", b"\x1f\x8b\x08\x00garbage that is no gzip", "is no snapshot of Wikimedia Enterprise: damaged"),
    ],
)
def test_files_that_are_no_snapshot(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(WikiprepError, match=message):
        _ = Job(output="out", config=build_config(), dumps=(str(tmp_path / name),)).parts


def build_config() -> Any:
    from wikiprep.config import Config

    return Config()


def test_mixtures_are_refused(snapshot: Path, tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "enwiki.xml", xml_page(1, "A", "b"))
    with pytest.raises(WikiprepError, match=r"is HTML, .* is not"):
        _ = Job(output="out", config=build_config(), dumps=(str(dump), str(snapshot))).parts
    plain, german = tmp_path / "a.ndjson", tmp_path / "b.ndjson"
    plain.write_bytes(lines([row(1, "A", "")]))
    german.write_bytes(lines([row(1, "A", "", is_part_of={"identifier": "dewiki"})]))
    with pytest.raises(WikiprepError, match="an archive and what was in it"):
        _ = Job(output="out", config=build_config(), dumps=(str(plain), str(snapshot))).parts
    with pytest.raises(WikiprepError, match=r"is of enwiki, .* of dewiki"):
        _ = Job(output="out", config=build_config(), dumps=(str(plain), str(german))).parts


def test_a_table_of_templates_has_no_say(snapshot: Path, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("A = {1}\n")
    done = wikiprep("build-corpus", snapshot, "--output", tmp_path / "out", "--template-table", tmp_path / "t.txt")
    assert done.returncode == 2
    assert "--template-table has no say where pages are HTML" in done.stderr


def test_a_variant_has_no_say(snapshot: Path, tmp_path: Path) -> None:
    """It would be passed over without a word: the HTML is in the variant that its source asked for."""
    done = wikiprep("build-corpus", snapshot, "--output", tmp_path / "out", "--variant", "zh-tw")
    assert done.returncode == 2
    assert "--variant has no say where pages are HTML" in done.stderr
    assert not (tmp_path / "out" / "articles").exists()
