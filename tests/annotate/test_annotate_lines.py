"""JSON lines in and out: all that was there stays, bad lines are told, and records can be made of the output."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from inline import build, rows

from wikiprep.annotate.annotator import Annotator, TargetVocabulary
from wikiprep.annotate.lines import LineAnnotator, batches
from wikiprep.annotate.to_vocabulary import ToVocabulary
from wikiprep.cli.annotate import target_of
from wikiprep.errors import UsageError, WikiprepError


@pytest.fixture
def lines(tiny_corpus: Path) -> LineAnnotator:
    return LineAnnotator(Annotator(str(tiny_corpus)), "text.jsonl", "title")


def made(lines: LineAnnotator, *given: object) -> list[dict[str, Any]]:
    raw = [(n, line if isinstance(line, bytes) else orjson.dumps(line)) for n, line in enumerate(given, 1)]
    return [orjson.loads(line) for line in lines.annotate(raw)]


def test_spans_stand_between_the_links_and_all_else_stays(lines: LineAnnotator) -> None:
    given = {
        "id": 7,
        "text": "Mercury, 東京, the Sun 😀 Mercury",
        "title": "Solar System",
        "links": [{"start": 9, "end": 11, "target": "Tokyo", "mine": [1]}],
        "none": None,
    }
    (found,) = made(lines, given)
    assert {**found, "links": given["links"]} == given
    assert list(found) == list(given)
    assert [(link["start"], link["target"]) for link in found["links"]] == [
        (0, "Mercury (planet)"),
        (9, "Tokyo"),
        (17, "Sun"),
        (23, "Mercury (planet)"),
    ]
    assert found["links"][1] == given["links"][0]
    assert lines.counts == {
        "lines.read": 1, "lines.by_page": 1, "links.kept": 1, "spans.page_link": 3,
    }  # fmt: skip


def test_lines_stay_in_order_whatever_their_page(lines: LineAnnotator) -> None:
    titles = ["Cairo", "Gold", "Cairo", None, "Nowhere", "Gold", "Gold"]
    given = [{"text": f"{i} Cairo gold AC/DC", "title": title} for i, title in enumerate(titles)]
    found = made(lines, *given)
    assert [line["text"] for line in found] == [line["text"] for line in given]
    assert found == [line for one in given for line in made(lines, one)]
    assert lines.counts["also.lines.page_unknown"] == 2
    assert lines.counts["lines.by_prior"] == 4


@pytest.mark.parametrize(
    ("line", "reason", "told"),
    [
        (b"{", "invalid JSON", "invalid JSON"),
        (b"[1]", "not an object", "a JSON list, not an object"),
        ({"title": "A"}, "no text", '"text" is missing'),
        ({"text": 3}, "bad field", '"text"'),
        ({"text": "A", "title": [1]}, "bad field", '"title" is neither a title nor a page id'),
        ({"text": "A", "title": True}, "bad field", '"title" is neither'),
        ({"text": "A", "links": [{"start": 0, "end": 5, "target": "A"}]}, "link out of range", "[0, 5)"),
        ({"text": "AB", "links": [{"start": 0, "end": 2, "target": "A"}, {"start": 1, "end": 2, "target": "A"}]},
         "overlapping links", "overlap"),
        (b'{"text": "\\ud800"}', "invalid JSON", "invalid JSON"),
        (b'{"text": "\xff"}', "invalid JSON", "invalid JSON"),
    ],
)  # fmt: skip
def test_a_bad_line_is_left_out_or_stops(tiny_corpus: Path, line: object, reason: str, told: str) -> None:
    annotator = Annotator(str(tiny_corpus))
    lines = LineAnnotator(annotator, "text.jsonl", "title")
    assert [one["text"] for one in made(lines, {"text": "one"}, line, {"text": "three"})] == ["one", "three"]
    (problem,) = lines.problems
    assert problem.startswith("text.jsonl:2: ")
    assert told in problem
    assert lines.counts[f"lines.reject.{reason}"] == 1
    parts = ("lines.by_page", "lines.by_prior", "lines.redirects")
    rejects = sum(n for key, n in lines.counts.items() if key.startswith("lines.reject."))
    assert sum(lines.counts[part] for part in parts) + rejects == lines.counts["lines.read"] == 3
    with pytest.raises(WikiprepError, match=r"text\.jsonl:2: "):
        made(LineAnnotator(annotator, "text.jsonl", "title", strict=True), {"text": "one"}, line)


def test_another_field_names_the_page(tiny_corpus: Path) -> None:
    lines = LineAnnotator(Annotator(str(tiny_corpus)), "x", "page")
    found = made(lines, {"text": "mercury", "page": "Gold"}, {"text": "mercury", "page": 8, "title": "Venus"})
    assert [line["links"][0]["target"] for line in found] == ["Mercury (element)"] * 2
    assert lines.counts["lines.by_page"] == 2


def test_batches_hold_whole_lines() -> None:
    given = [(n, b"x" * n) for n in range(1, 40)]
    cut = list(batches(given, 50))
    assert [line for batch in cut for line in batch] == given
    assert len(cut) > 5
    assert list(batches([])) == []


def test_records_are_made_of_the_output(lines: LineAnnotator, tmp_path: Path) -> None:
    given = [
        {"title": "Solar System", "text": "The planet Mercury is quite near the Sun, as all know.", "links": []},
        {"title": "Gold", "text": "In Cairo gold is what mercury and others are not.",
         "links": [{"start": 9, "end": 13, "target": "Gold"}]},
        {"redirects": [["AU", "Gold"]]},
    ]  # fmt: skip
    source, vocab = tmp_path / "out.jsonl", tmp_path / "vocab.tsv"
    raw = [(n, orjson.dumps(line)) for n, line in enumerate(given, 1)]
    source.write_bytes(b"".join(lines.annotate(raw)))
    titles = ["[PAD]", "[UNK]", "[MASK]", "Mercury (planet)", "Sun", "Gold", "Cairo", "Mercury (element)"]
    vocab.write_text("".join(f"{title}\t1\n" for title in titles))
    build(
        tmp_path / "corpus", annotated=str(source), vocab=str(vocab),
        sections={"input": {"language": "en"}, "records": {"text": True}},
    )  # fmt: skip
    found = [
        (row["text"][start:end], titles[entity])
        for row in rows(tmp_path / "corpus", "records")
        for start, end, entity in zip(
            row["entity_char_starts"], row["entity_char_ends"], row["entity_ids"], strict=True
        )
    ]
    assert found == [
        ("Mercury", "Mercury (planet)"), ("Sun", "Sun"), ("Cairo", "Cairo"), ("gold", "Gold"),
        ("mercury", "Mercury (element)"),
    ]  # fmt: skip
    assert rows(tmp_path / "corpus", "rejects") == []


def test_spans_and_links_can_name_the_entities_of_another_vocabulary(tiny_corpus: Path, tmp_path: Path) -> None:
    entities = {"[PAD]": 0, "[UNK]": 1, "[MASK]": 2, "Mercury (planet)": 3, "Tokio": 4}
    (tmp_path / "entity_vocab.json").write_bytes(orjson.dumps(entities))
    (tmp_path / "entity_qids.json").write_bytes(orjson.dumps({"Tokio": "Q1490"}))
    (tmp_path / "qids.json").write_bytes(orjson.dumps({"Tokyo": "Q1490"}))
    target = TargetVocabulary(str(tmp_path / "entity_vocab.json"), titles_from=str(tmp_path / "qids.json"))
    to = ToVocabulary(str(tiny_corpus), target)
    lines = LineAnnotator(Annotator(str(tiny_corpus)), "text.jsonl", "title", to_vocabulary=to)
    text = {"text": "Mercury, 東京, the Sun, Ur", "title": "Solar System"}
    links = [{"start": 9, "end": 11, "target": "Tokyo"}, {"start": 22, "end": 24, "target": "Ur"}]
    (found,) = made(lines, {**text, "links": links})
    assert [(link["start"], link["target"], link["carried"]) for link in found["links"]] == [
        (0, "Mercury (planet)", "title"),
        (9, "Tokio", "qid"),
    ]
    assert to.counts == {"carried.links": 4, "carried.title": 1, "carried.qid": 1, "carried.lost": 2}
    assert lines.counts["links.kept"] == 1 and lines.counts["spans.page_link"] == 1


def test_titles_of_another_dump_need_a_vocabulary() -> None:
    with pytest.raises(UsageError, match="need --vocab"):
        target_of(None, None, "corpus")
    assert target_of(None, None) is None and target_of("v", "en") == TargetVocabulary("v", "en")
