"""`wikiprep export-relations`: each line says with QIDs, properties and characters what a record says with ids."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from building import wikiprep
from entity_dumps import array, item, prop, statement
from inline import build, rows, vocabulary, write_dump, xml_page

TEXT = (
    "𝒜 sentence about [[Oslo]], of [[Norway|the  kingdom, \t\"Norway\"]].\n\nOslo lies in Norway; [[Skien]] and "
    "[[Bergen, \"Bryggen\"|Bergen]] of [[Norway]] too. Nothing here. A [[Nowhere|place]] in [[Norway]]."
)  # fmt: skip
ENTITIES = [
    item(585, statement("P17", "Q20"), statement("P1376", "Q20", "preferred"), title="Oslo"),
    item(20, statement("P36", "Q585"), statement("P17", "Q20"), title="Norway"),
    item(26793, statement("P17", "Q20"), title='Bergen, "Bryggen"'),
    item(109065, statement("P999", "Q20"), title="Skien"),
    item(7, statement("P17", "Q20"), title="Nowhere"),
    prop(17, label='country, with "commas",\tand tabs'),
    prop(36, labels={}),
    prop(1376, label="首都"),
]


def corpus(folder: Path, **records: Any) -> Path:
    pages = [xml_page(1, "Page", TEXT), xml_page(2, "Other", "This one has no [[Oslo]] relation at all, does it now?")]
    titles = ("Oslo", "Norway", "Skien", 'Bergen, "Bryggen"')
    pages += [xml_page(10 + i, title, f"{title} is a place with some words.") for i, title in enumerate(titles)]
    dump = write_dump(folder / "enwiki.xml", *pages)
    (folder / "all.json").write_bytes(array(ENTITIES))
    sections = {"wikidata": {"wikidata": str(folder / "all.json")}, "records": records.pop("records", {"text": True})}
    build(folder / "out", dump, sections=sections | records)
    return folder / "out"


def exported(folder: Path, *words: object) -> list[dict[str, Any]]:
    done = wikiprep("export-relations", folder, "--output", folder.parent / "relations.jsonl", *words)
    assert done.returncode == 0, done.stderr
    return [orjson.loads(line) for line in (folder.parent / "relations.jsonl").read_bytes().splitlines()]


def test_a_line_is_its_record_in_other_words(tmp_path: Path) -> None:
    out = corpus(tmp_path, records={"text": True, "sentence_records": True})
    lines = exported(out)
    ids = vocabulary(out)
    qids = {row["id"]: row["qid"] for row in rows(out, "tables/entity_vocab.parquet")}
    records = [row for row in rows(out, "records") if row["relations"]]
    assert len(lines) == len(records) == 2
    for line, record in zip(lines, records, strict=True):
        assert (line["page_id"], line["revision_id"], line["ordinal"]) == (1, 1001, record["ordinal"])
        assert line["url"] == "https://en.wikipedia.org/wiki/Page"
        assert [ids[e["title"]] for e in line["entities"]] == record["entity_ids"]
        assert [e["qid"] for e in line["entities"]] == [qids[entity] for entity in record["entity_ids"]]
        for given, made in zip(record["relations"], line["relations"], strict=True):
            assert (made["head"], made["tail"], made["property"]) == (
                given["head"],
                given["tail"],
                f"P{given['property']}",
            )
            assert (made["rank"], made["source"]) == (["normal", "preferred"][given["rank"]], "link")
            assert made["head_qid"] == line["entities"][made["head"]]["qid"]
            assert made["tail_qid"] == line["entities"][made["tail"]]["qid"]
    spans = [[line["text"][e["start"] : e["end"]] for e in line["entities"]] for line in lines]
    assert spans == [["Oslo", 'the kingdom, "Norway"'], ["Skien", "Bergen", "Norway"]]
    told = [(r["head_qid"], r["property"], r["tail_qid"], r["label"], r["rank"]) for r in lines[0]["relations"]]
    assert told == [
        ("Q585", "P17", "Q20", 'country, with "commas",\tand tabs', "normal"),
        ("Q585", "P1376", "Q20", "首都", "preferred"),
        ("Q20", "P36", "Q585", None, "normal"),
    ]


def test_records_without_a_relation_are_there_when_asked_for(tmp_path: Path) -> None:
    out = corpus(tmp_path)
    few, all_ = exported(out), exported(out, "--unrelated")
    assert len(all_) == len(rows(out, "records")) > len(few) > 0
    assert [line for line in all_ if line["relations"]] == few


def test_mentions_outside_the_vocabulary_have_their_items(tmp_path: Path) -> None:
    (line,) = exported(corpus(tmp_path, relations={"unk_relations": True}))
    unknown = [e for e in line["entities"] if e["title"] == "[UNK]"]
    assert [(line["text"][e["start"] : e["end"]], e["qid"]) for e in unknown] == [("place", "Q7")]
    assert ("Q7", "P17", "Q20") in {(r["head_qid"], r["property"], r["tail_qid"]) for r in line["relations"]}


def test_without_that_they_have_none(tmp_path: Path) -> None:
    (line,) = exported(corpus(tmp_path))
    assert [e["qid"] for e in line["entities"] if e["title"] == "[UNK]"] == [None]


@pytest.mark.parametrize(
    ("options", "problem", "way_out"),
    [
        ({"records": {"text": False}}, "its records have no text", "--text --update"),
        ({"relations": {"relations": "none"}}, "its records have no relations", "--relations none"),
    ],
)
def test_what_is_missing_is_told(tmp_path: Path, options: dict[str, Any], problem: str, way_out: str) -> None:
    done = wikiprep("export-relations", corpus(tmp_path, **options), "-o", tmp_path / "x.jsonl")
    assert done.returncode == 2
    assert problem in done.stderr
    assert way_out in done.stderr
    assert not (tmp_path / "x.jsonl").exists()


def test_a_corpus_without_records_is_told(tmp_path: Path) -> None:
    done = wikiprep("export-relations", tmp_path / "nowhere", "-o", tmp_path / "x.jsonl")
    assert done.returncode == 2
    assert "no such folder" in done.stderr
