"""Commands that are no build tell all of their work, in parts whose names they gave: what is shown ends at 100 %."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from wikiprep.cli.main import cli
from wikiprep.progress import BYTES, Advance
from wikiprep.terminal import command_progress

PAGES = """CREATE TABLE `page` (
  `page_id` int,
  `page_namespace` int,
  `page_title` varbinary(255),
  `page_is_redirect` tinyint
);
INSERT INTO `page` VALUES (1,0,'Io',0),(2,0,'Europa',0),(3,0,'Jupiter_I',1);
"""
ITEMS = """CREATE TABLE `page_props` (
  `pp_page` int,
  `pp_propname` varbinary(60),
  `pp_value` blob
);
INSERT INTO `page_props` VALUES (1,'wikibase_item','Q3123'),(2,'wikibase_item','Q3143');
"""
REDIRECTS = """CREATE TABLE `redirect` (
  `rd_from` int,
  `rd_namespace` int,
  `rd_title` varbinary(255)
);
INSERT INTO `redirect` VALUES (3,0,'Io');
"""


class Recorder:
    """A `Progress` that adds up."""

    made: "list[Recorder]" = []  # noqa: RUF012

    def __init__(self, observer: object, parts: Sequence[str]) -> None:
        self.parts = list(parts)
        self.told: dict[str, list[Any]] = {}  # total, done, measure
        self.said: list[str] = []
        self.made.append(self)

    @contextmanager
    def part(self, name: str, total: int | None, measure: str = BYTES) -> Iterator[Advance]:
        told = self.told[name] = [total, 0, measure]

        def advance(more: int) -> None:
            assert more >= 0
            told[1] += more

        yield advance

    def latest(self, text: str) -> None:
        self.said.append(text)

    def aside(self) -> None:
        """Nothing to leave."""


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[Recorder]:
    monkeypatch.setattr(command_progress, "DisplayedProgress", Recorder)
    monkeypatch.setattr(Recorder, "made", [])
    return Recorder.made


def merged(recorded: list[Recorder]) -> dict[str, list[Any]]:
    for recorder in recorded:
        assert not recorder.parts or set(recorder.told) <= set(recorder.parts)
    return {name: told for recorder in recorded for name, told in recorder.told.items()}


@pytest.mark.parametrize(
    ("words", "measures"),
    [
        (("export-mentions", "--format", "tsv", "-o", "m.tsv"), {"names": "row"}),
        (("export-mentions", "--format", "rel", "-o", "m.db"), {"names": "row"}),
        (("export-spacy", "--format", "patterns", "-o", "p.jsonl"), {"names": "row"}),
        (("export-links", "-o", "l.tsv"), {"links": "article"}),
        (("export-relations", "-o", "r.jsonl"), {"records": "record"}),
        (
            ("export-triples", "-o", "triples"),
            {"selection": "triple", "split": "triple", "triples": "triple", "entities": "item"},
        ),
        (
            ("export-dataset", "-o", "dataset"),
            dict.fromkeys(("articles", "records", "entities", "redirects", "mentions"), BYTES),
        ),
        (
            ("merge-vocabularies", "-o", "merged", "--min-languages", "1"),
            {"vocabularies": "title", "merged vocabulary": "step"},
        ),
    ],
    ids=lambda it: " ".join(it) if isinstance(it, tuple) else "",
)
def test_exports(
    words: tuple[str, ...],
    measures: dict[str, str],
    sample_related: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    recorded: list[Recorder],
) -> None:
    monkeypatch.chdir(tmp_path)
    cli.main([words[0], str(sample_related), *words[1:]], standalone_mode=False)
    told = merged(recorded)
    assert {name: measure for name, (_, _, measure) in told.items()} == measures
    for name, (total, done, measure) in told.items():
        if name in ("selection", "split"):
            continue  # numpy's steps, which tell nothing on their way
        assert total > 0
        if measure == BYTES and name == "records":  # headers of an Arrow file are no rows of it
            assert 0.5 * total < done <= total
        else:
            assert done == total, name


def test_qids(tmp_path: Path, recorded: list[Recorder]) -> None:
    for name, text in (("page", PAGES), ("page_props", ITEMS), ("redirect", REDIRECTS)):
        (tmp_path / f"rmwiki-20240301-{name}.sql").write_text(text)
    paths = [str(tmp_path / f"rmwiki-20240301-{name}.sql") for name in ("page", "page_props", "redirect")]
    words = ["qids", "--page", paths[0], "--page-props", paths[1], "--redirect", paths[2], "-o", str(tmp_path / "q")]
    cli.main(words, standalone_mode=False)
    sizes = [len(text) for text in (PAGES, ITEMS, REDIRECTS)]
    assert merged(recorded) == {
        "pages": [sizes[0], sizes[0], BYTES],
        "items": [sizes[1], sizes[1], BYTES],
        "redirects": [sizes[2], sizes[2], BYTES],
        "table": [3, 3, "page"],
    }


def test_annotate(sample_related: Path, tmp_path: Path, recorded: list[Recorder]) -> None:
    line = '{"text": "Mercury and the Sun", "title": "Solar System"}\n'
    (tmp_path / "in.jsonl").write_text(2 * line)
    words = ["annotate", str(sample_related), "-i", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out")]
    cli.main(words, standalone_mode=False)
    assert merged(recorded) == {"annotation": [None, 2, "line"]}
    assert recorded[0].said == ["4 spans"]


def test_verify(sample_related: Path, recorded: list[Recorder]) -> None:
    cli.main(["verify", str(sample_related)], standalone_mode=False)
    told = merged(recorded)
    assert list(told) == [part for part in recorded[0].parts if part != "pages left out"]
    for name, (total, done, _) in told.items():
        assert 0 < done == total, name
