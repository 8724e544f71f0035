"""Pages of the documentation that messages name are there, in a checkout and in a wheel, by one command."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli import docs
from wikiprep.cli.docs import file_of, pages
from wikiprep.cli.main import cli
from wikiprep.errors import UsageError

ROOT = Path(__file__).parent.parent
NAMED = re.compile(r"wikiprep docs ([a-z0-9-]+)")


def test_every_page_that_a_message_names_is_there() -> None:
    named = {
        name
        for folder in ("wikiprep", "pipelines")
        for file in (ROOT / folder).rglob("*.py")
        for name in NAMED.findall(file.read_text(encoding="utf-8"))
    }
    assert len(named) > 12
    assert named <= set(pages())


def test_no_message_names_a_file_that_a_wheel_lacks() -> None:
    """Help is what most people read: none of it says docs/…"""
    for name in cli.commands or ():
        assert "docs/" not in name
    runner = CliRunner()
    for name in ("build-corpus", "templates", "export-links", "qids", "merge-vocabularies", "kg-neighbours"):
        shown = runner.invoke(cli, [name, "--help"]).output
        assert "docs/" not in shown, name
        assert "wikiprep docs" in " ".join(shown.split()), name


def test_the_command_lists_and_shows_pages() -> None:
    runner = CliRunner()
    listed = runner.invoke(cli, ["docs"]).output.splitlines()
    assert len(listed) == len(pages()) > 30
    assert any(re.fullmatch(r"templates +\S.+", line) for line in listed)
    for name in ("templates", "templates.md", "docs/templates.md"):
        assert runner.invoke(cli, ["docs", name]).output == (ROOT / "docs" / "templates.md").read_text(encoding="utf-8")
    (path,) = runner.invoke(cli, ["docs", "templates", "--path"]).output.splitlines()  # of the package that is imported
    assert Path(path).read_bytes() == (ROOT / "docs" / "templates.md").read_bytes()


def test_a_page_that_is_none_is_answered_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no page 'template'\n.*did you mean 'templates'"):
        file_of("template")


def test_a_wheel_has_its_own_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.md").write_text("# All\n")
    monkeypatch.setattr(docs, "_PLACES", (tmp_path, ROOT / "docs"))
    assert pages() == {"index": tmp_path / "index.md"}
    monkeypatch.setattr(docs, "_PLACES", (tmp_path / "none",))
    with pytest.raises(UsageError):
        file_of("index")
