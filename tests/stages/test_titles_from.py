"""Own text whose titles are of another dump than the vocabulary: each link is carried, and counted by its way."""

import json
from pathlib import Path

import pytest
from inline import build, job_of, rows, run_stages, write_dump, xml_page

from wikiprep.cli.building import build_from
from wikiprep.errors import UsageError

SPECIALS = [{"id": n, "title": title} for n, title in enumerate(("[PAD]", "[UNK]", "[MASK]"))]
NAMES = ("Mumbai", "Oslo", "Christiania", "Tokyo", "Nowhere")


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of a later dump, where Bombay was moved to Mumbai."""
    folder = tmp_path_factory.mktemp("newer")
    dump = write_dump(
        folder / "enwiki-20260901-pages-articles.xml",
        xml_page(1, "Mumbai", "[[Oslo]] is not [[Bombay]] and not [[Tokyo]] at all, as everybody knows who saw them."),
        xml_page(2, "Bombay", "", redirect="Mumbai"),
        xml_page(3, "Oslo", "Oslo is a town, and [[Mumbai]] is another one, far away from it, in the south."),
        xml_page(4, "Christiania", "", redirect="Oslo"),
        xml_page(5, "Tokyo", "Tokyo is a town that is neither [[Oslo]] nor [[Mumbai]] but lies in the far east."),
    )
    build(folder / "corpus", dump)
    return folder / "corpus"


def text_and_vocabulary(folder: Path) -> tuple[str, str]:
    text = " and ".join(NAMES) + " are names of towns that people know."
    links = [{"target": name, "start": text.index(name), "end": text.index(name) + len(name)} for name in NAMES]
    links[3] |= {"target": "The capital", "qid": "Q1490"}
    lines = [{"title": "Towns", "text": text, "links": links}, {"redirects": [["Nowhere land", "Nowhere"]]}]
    (folder / "text.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    beside = folder / "vocabulary"
    beside.mkdir()
    entities = [{"id": n, "title": title} for n, title in enumerate(("Bombay", "Oslo", "Tokyo"), 3)]
    (beside / "vocab.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (*SPECIALS, *entities)))
    (beside / "entity_qids.json").write_text(json.dumps({"Tokyo": "Q1490"}))
    return str(folder / "text.jsonl"), str(beside / "vocab.jsonl")


def test_links_are_carried_by_item_title_and_redirect(newer: Path, tmp_path: Path) -> None:
    annotated, vocab = text_and_vocabulary(tmp_path)
    job = job_of(tmp_path / "out", annotated=annotated, vocab=vocab, titles_from=str(newer),
                 sections={"input": {"language": "en"}})  # fmt: skip
    counts = run_stages(job)["import"].counts
    assert {key: n for key, n in counts.items() if key.startswith("carried.")} == {
        "carried.links": 5, "carried.qid": 1, "carried.title": 1, "carried.redirect": 2, "carried.lost": 1,
    }  # fmt: skip
    (record,) = rows(tmp_path / "out", "records")
    assert record["entity_ids"] == [3, 4, 4, 5, 1]  # Bombay, Oslo, Oslo of Christiania, Tokyo, [UNK]
    table = {
        row["target"]: (row["way"], row["entity"]) for row in rows(tmp_path / "out", "tables/carried_links.parquet")
    }
    assert table == {
        "Mumbai": ("redirect", "Bombay"), "Oslo": ("title", "Oslo"), "Christiania": ("redirect", "Oslo"),
        "The capital": ("qid", "Tokyo"), "Nowhere": ("lost", None),
    }  # fmt: skip


def test_without_the_option_titles_are_taken_as_they_stand(tmp_path: Path) -> None:
    annotated, vocab = text_and_vocabulary(tmp_path)
    job = job_of(tmp_path / "out", annotated=annotated, vocab=vocab, sections={"input": {"language": "en"}})
    run_stages(job)
    assert rows(tmp_path / "out", "records")[0]["entity_ids"] == [1, 4, 1, 1, 1]


def test_the_option_needs_a_text_and_a_source_of_titles(tmp_path: Path) -> None:
    common = {"preset": None, "update": False, "overwrite": False, "output": str(tmp_path / "out")}
    with pytest.raises(UsageError, match="--titles-from without --from"):
        build_from({**common, "dumps": ("x.xml",), "titles_from": "y"})
    annotated, vocab = text_and_vocabulary(tmp_path)
    given = {"annotated": annotated, "vocab": vocab, "titles_from": str(tmp_path / "none"), "input__language": "en"}
    with pytest.raises(UsageError, match="no such file or folder"):
        build_from({**common, **given})
