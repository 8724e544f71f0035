"""The stages links, vocabulary, tokenizer, records and import, through small builds."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from building import DATA
from inline import build, job_of, rows, run_stages, vocabulary, write_dump, xml_page

from wikiprep.config import RunOptions
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.stages import tokenizer as tokenizer_stage
from wikiprep.stages.links import Links
from wikiprep.stages.tokenizer import Tokenizer
from wikiprep.units.stage import Commit
from wikiprep.units.unit import Report, Result, Unit

WORDS = "This is a sentence of some length with a link to [[{}]] in it."


# links and vocabulary


def test_links_that_were_lost_on_the_way_stop_the_build() -> None:
    kept = Commit((), {"links.kept": 3})
    read = [Result("a", counts={"links.read": 2, "links.article.direct": 2})]
    with pytest.raises(WikiprepError, match=r"2 links were read, but 3 were kept"):
        Links().commit(job_of(Path("x")), read, {"extract": kept})


def entities(output: Path) -> dict[str, int]:
    """title -> count of the entities, in order of id, special tokens left out."""
    found = rows(output, "tables/entity_vocab.parquet")
    assert [row["id"] for row in found] == list(range(len(found)))
    assert [row["title"] for row in found[:3]] == ["[PAD]", "[UNK]", "[MASK]"]
    assert found[-1]["title"] == "[MASK2]"
    return {row["title"]: row["count"] for row in found[3:-1]}


def linked(folder: Path, **options: Any) -> tuple[dict[str, int], dict[str, Commit]]:
    pages = [
        xml_page(1, "A", WORDS.format("B") + WORDS.format("C") + WORDS.format("Gone")),
        xml_page(2, "B", WORDS.format("C") + WORDS.format("R") + WORDS.format("Gone")),
        xml_page(3, "C", WORDS.format("B") + WORDS.format("Gone") + WORDS.format("D")),
        xml_page(4, "R", "", redirect="C"),
        xml_page(5, "D", "* [[A]]\n* [[A]]\n{{disambig}}"),
    ]
    dump = write_dump(folder / "d.xml", *pages)
    commits = build(folder / "out", dump, sections={"vocabulary": options}, until="vocabulary")
    return entities(folder / "out"), commits


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"C": 3, "B": 2}),
        ({"vocab_targets": "linked"}, {"C": 3, "Gone": 3, "B": 2}),
        ({"keep_disambiguation": True}, {"C": 3, "A": 2, "B": 2, "D": 1}),
        ({"min_count": 3}, {"C": 3}),
        ({"vocab_size": 4}, {"C": 3}),
        ({"vocab_size": 5, "vocab_targets": "linked"}, {"C": 3, "Gone": 3}),
    ],
)
def test_the_vocabulary_by_its_options(tmp_path: Path, options: dict[str, Any], expected: dict[str, int]) -> None:
    found, commits = linked(tmp_path, **options)
    assert found == expected
    assert list(found) == list(expected)
    counts = commits["vocabulary"].counts
    assert counts["vocabulary.links.covered"] == sum(expected.values())
    assert counts["vocabulary.size"] == len(expected) + 4
    assert vocabulary(tmp_path / "out")["[MASK2]"] == len(expected) + 3


def test_a_white_list_enters_and_unknown_titles_are_told(tmp_path: Path) -> None:
    (tmp_path / "white").write_text("a\nNobody knows\n")
    found, commits = linked(tmp_path, white_list=str(tmp_path / "white"))
    assert found == {"C": 3, "B": 2, "A": 0}
    assert "Nobody knows" in " ".join(commits["vocabulary"].warnings)


def test_a_build_that_loses_most_links_names_the_option(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "A", WORDS.format("X") + WORDS.format("Y") + WORDS.format("B")),
                      xml_page(2, "B", "Nothing."))  # fmt: skip
    commits = build(tmp_path / "out", dump, until="vocabulary")
    assert "--vocab-targets linked" in commits["vocabulary"].warnings[0]
    assert "2 of 3 links" in commits["vocabulary"].warnings[0]


def test_an_empty_vocabulary_stops_the_build(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "A", WORDS.format("X")))
    with pytest.raises(WikiprepError, match=r"vocabulary is empty.*\n.*--vocab-targets linked"):
        build(tmp_path / "out", dump, until="vocabulary")


# tokenizer


def trained(output: Path, size: str = "train:400", **options: Any) -> tuple[bytes, Commit]:
    tokenizer = {"tokenizer": size, "train_mb": options.pop("train_mb", 200.0)}
    commits = build(
        output, DATA / "genre56.xml", sections={"tokenizer": tokenizer, "input": options}, until="tokenizer"
    )
    return (output / "tokenizer" / "tokenizer.json").read_bytes(), commits["tokenizer"]


def test_training_does_not_depend_on_how_the_dump_is_cut(tmp_path: Path) -> None:
    one, commit = trained(tmp_path / "a")
    assert commit.counts["tokens"] == 400
    assert commit.warnings == ()
    assert trained(tmp_path / "b", range_mb=0.004)[0] == one


def test_training_on_a_part_chooses_the_same_articles_however_the_dump_is_cut(tmp_path: Path) -> None:
    whole, _ = trained(tmp_path / "w", "train:400")
    one, _ = trained(tmp_path / "a", "train:400", train_mb=0.001)
    assert trained(tmp_path / "b", "train:400", train_mb=0.001, range_mb=0.004)[0] == one
    assert one != whole


def test_a_text_too_small_for_the_size_is_warned_of(tmp_path: Path) -> None:
    _, commit = trained(tmp_path / "a", "train:50000")
    assert commit.counts["tokens"] < 2000
    assert commit.warnings == (f"the text gave a tokenizer of {commit.counts['tokens']} tokens, not 50000",)


def test_training_tells_how_much_of_its_text_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_stage, "_SECONDS", -1.0)
    told: list[tuple[int, str]] = []

    class Told:
        def progress(self, *, pages: int, bytes_done: int, rejects: int, at: str = "") -> None:
            told.append((bytes_done, at))

    def run(unit: Unit, store: Store, _: Report, options: RunOptions) -> Result:
        weights.append(unit.weight)
        return own(Tokenizer(), unit, store, Told(), options)

    own, weights = Tokenizer.run, list[int]()
    monkeypatch.setattr(Tokenizer, "run", lambda self, *rest: run(*rest))
    trained(tmp_path / "a")
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) > 3
    assert told[-1] == (int(0.7 * weights[0]), "learning merges")  # what the text is, as planned


@pytest.mark.parametrize("spec", ["train:", "train:many", "train:12", "train:-500", "train:1e4"])
def test_a_size_that_is_none_is_refused_before_any_work(tmp_path: Path, spec: str) -> None:
    with pytest.raises(UsageError, match="train:SIZE"):
        trained(tmp_path / "a", spec)
    assert not (tmp_path / "a").exists()


def test_no_tokenizer_is_refused_before_any_work(tmp_path: Path) -> None:
    from wikiprep.config import Config
    from wikiprep.units.job import Job

    with pytest.raises(UsageError, match="no tokenizer given"):
        run_stages(Job(output=str(tmp_path / "a"), config=Config(), dumps=(str(DATA / "genre56.xml"),)))
    assert not (tmp_path / "a").exists()


# records


def records(folder: Path, *pages: str, **sections: Any) -> tuple[list[dict[str, Any]], dict[str, Commit]]:
    commits = build(folder / "out", write_dump(folder / "d.xml", *pages), sections=sections)
    return rows(folder / "out", "records"), commits


A = xml_page(1, "A", WORDS.format("B"))
B = xml_page(2, "B", WORDS.format("A"))
LIST = xml_page(3, "List", "* " + WORDS.format("A") + "\n{{disambig}}")


def test_disambiguation_pages_make_records_only_where_kept(tmp_path: Path) -> None:
    found, commits = records(tmp_path, A, B, LIST)
    assert {r["title"] for r in found} == {"A", "B"}
    assert commits["records"].counts["pages.skipped.disambiguation"] == 1
    (tmp_path / "kept").mkdir()
    found, commits = records(tmp_path / "kept", A, B, LIST, vocabulary={"keep_disambiguation": True})
    assert {r["title"] for r in found} == {"A", "B", "List"}
    assert "pages.skipped.disambiguation" not in commits["records"].counts


def test_no_records_stop_the_build_and_name_the_way_out(tmp_path: Path) -> None:
    pages = [xml_page(1, "A", "Too [[B|short]]."), xml_page(2, "B", "No.")]
    with pytest.raises(WikiprepError) as caught:
        records(tmp_path, *pages, records={"min_sentence_length": 20})
    assert "no records came of 2 pages" in caught.value.what
    assert "--vocab-targets linked" in caught.value.hint


def test_text_comes_only_where_asked_for(tmp_path: Path) -> None:
    found, _ = records(tmp_path, A, B)
    assert "text" not in found[0]
    (tmp_path / "t").mkdir()
    found, _ = records(tmp_path / "t", A, B, records={"text": True})
    spans = zip(found[0]["entity_char_starts"], found[0]["entity_char_ends"], strict=True)
    assert [found[0]["text"][start:end] for start, end in spans] == ["B"]


def test_records_are_parts_like_articles(sample_corpus: Path) -> None:
    names = [[p.stem for p in sorted((sample_corpus / f).iterdir())] for f in ("articles", "records")]
    assert names[0] == names[1]
    assert len(names[0]) == 7


# import


def imported(folder: Path, *lines: object, **sections: Any) -> dict[str, Commit]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (folder / "text.jsonl").write_text(text)
    (folder / "vocab.jsonl").write_bytes(
        b"\n".join(orjson.dumps({"id": i, "title": t}) for i, t in enumerate(("[PAD]", "[UNK]", "[MASK]", "X:1", "Y")))
    )
    return build(
        folder / "out",
        annotated=str(folder / "text.jsonl"),
        vocab=str(folder / "vocab.jsonl"),
        sections={"input": {"language": "en"}, **sections},
    )


def line(title: str, target: str = "X:1", **more: Any) -> dict[str, Any]:
    text = "Somebody went to the market of the town."
    return {"title": title, "text": text, "links": [{"target": target, "start": 0, "end": 8}], **more}


def test_lines_are_accounted_for(tmp_path: Path) -> None:
    commits = imported(
        tmp_path,
        line("one"), line("one"), line("two"), "{half a li", {"title": "no text"}, [1, 2],
        {"redirects": [["Z", "Y"]]}, line("two", "Z"), line("three", links=[{"target": "X:1", "start": 5, "end": 99}]),
    )  # fmt: skip
    counts = commits["import"].counts
    assert {key: counts[f"lines.{key}"] for key in ("read", "used", "redirects", "reject")} == {
        "read": 9, "used": 4, "redirects": 1, "reject": 4,
    }  # fmt: skip
    assert (counts["pages.article"], counts["paragraphs"], counts["redirects.read"]) == (2, 4, 1)
    rejects = rows(tmp_path / "out", "rejects/import.parquet")
    assert [r["reason"] for r in rejects] == ["invalid JSON", "no text", "not an object", "link out of range"]
    assert [r["detail"].split(":")[1] for r in rejects] == ["4", "5", "6", "9"]
    assert {r["reason"]: counts[f"rejects.{r['reason']}"] for r in rejects}.keys() == {r["reason"] for r in rejects}
    # Ids are the vocabulary's own, the redirect is followed, and a title with a colon is a title.
    assert [r["entity_ids"] for r in rows(tmp_path / "out", "records")] == [[3, 3], [3, 4]]


def test_entities_outside_the_vocabulary(tmp_path: Path) -> None:
    commits = imported(tmp_path, line("a"), line("a", "Unknown"))
    assert commits["records"].counts["links.unk"] == 1
    (tmp_path / "n").mkdir()
    commits = imported(tmp_path / "n", line("a"), line("a", "Unknown"), records={"include_unk_entities": False})
    assert commits["records"].counts["links.dropped.outside_vocabulary"] == 1


def test_a_long_text_is_cut_into_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wikiprep.stages import import_text

    monkeypatch.setattr(import_text, "PART_CHARACTERS", 100)
    imported(tmp_path, *(line(f"page {i}") for i in range(7)))
    assert [p.name for p in sorted((tmp_path / "out" / "articles").iterdir())] == [
        "part-00000-of-00003.parquet", "part-00001-of-00003.parquet", "part-00002-of-00003.parquet",
    ]  # fmt: skip
    assert [r["title"] for r in rows(tmp_path / "out", "articles")] == [f"page {i}" for i in range(7)]
