"""`wikiprep changes`: two months' dumps beside each other (scenario facebookresearch/BLINK#56)."""

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner
from inline import build, write_dump, xml_page

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError

LINKS = "This page has words about [[Oslo]], [[{}]] and [[{}]] in one long sentence."


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("months")
    pages = [xml_page(1, "Oslo", LINKS.format("Kiev", "Gone")), xml_page(3, "Gone", LINKS.format("Kiev", "Oslo"))]
    old = write_dump(folder / "old.xml", *pages, xml_page(2, "Kiev", LINKS.format("Gone", "Gone")))
    many = " ".join(["Again: [[COVID-19]] here."] * 50)
    pages = [
        xml_page(1, "Oslo", LINKS.format("Kyiv", "COVID-19") + many),
        xml_page(2, "Kyiv", LINKS.format("Oslo", "Oslo")),
    ]
    new = write_dump(folder / "new.xml", *pages, xml_page(9, "COVID-19", LINKS.format("Kyiv", "Oslo")))
    build(folder / "old", old, until="vocabulary")
    build(folder / "new", new, until="vocabulary")
    return folder / "old", folder / "new"


def test_added_removed_and_renamed_entities(months: tuple[Path, Path]) -> None:
    done = CliRunner().invoke(cli, ["changes", *map(str, months), "--json"])
    assert done.exit_code == 0, done.output
    found = orjson.loads(done.output)
    assert found["added"] == [{"title": "COVID-19", "page_id": 9, "count": 51}]
    assert [entity["title"] for entity in found["removed"]] == ["Gone"]
    assert [[entity["title"] for entity in pair] for pair in found["renamed"]] == [["Kiev", "Kyiv"]]
    assert found["kept"] == 1


def test_the_same_on_a_terminal(months: tuple[Path, Path]) -> None:
    done = CliRunner().invoke(cli, ["changes", *map(str, months)])
    assert done.output.startswith("1 entities added, 1 removed, 1 renamed, 1 kept\n")
    assert "COVID-19" in done.output
    assert "Kiev -> Kyiv" in done.output
    same = CliRunner().invoke(cli, ["changes", str(months[0]), str(months[0])])
    assert same.output == "0 entities added, 0 removed, 0 renamed, 3 kept\n"


def test_a_build_without_a_vocabulary_is_named(months: tuple[Path, Path], tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["changes", str(months[0]), str(tmp_path)])
    assert isinstance(done.exception, WikiprepError)
    assert "entity_vocab.parquet: no such table" in done.exception.what


def test_a_build_that_is_not_there_is_named_itself(months: tuple[Path, Path], tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    for pair in ((months[0], nowhere), (nowhere, months[0])):
        done = CliRunner().invoke(cli, ["changes", *map(str, pair)])
        assert isinstance(done.exception, UsageError)
        assert done.exception.what == f"{nowhere}: no such folder"
    for words in (["mentions", nowhere, "Oslo"], ["merge-vocabularies", nowhere, months[0], "-o", tmp_path / "v"]):
        done = CliRunner().invoke(cli, [str(word) for word in words])
        assert isinstance(done.exception, UsageError), (done.output, done.exception)
        assert done.exception.what == f"{nowhere}: no such folder"


def test_two_wikis_are_refused(months: tuple[Path, Path], tmp_path: Path) -> None:
    page = xml_page(1, "Oslo", LINKS.format("Oslo", "Oslo"))
    build(tmp_path / "de", write_dump(tmp_path / "de.xml", page, language="de"), until="vocabulary")
    for pair in ((months[0], tmp_path / "de"), (tmp_path / "de", months[0])):
        done = CliRunner().invoke(cli, ["changes", *map(str, pair)])
        assert isinstance(done.exception, UsageError)
        assert "of enwiki" in done.exception.what
        assert "of dewiki" in done.exception.what
