"""`build-corpus --dry-run`: what would be done, in words, and nothing done."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError


def said(*words: object) -> str:
    """What `build-corpus --sample --dry-run` with these words prints. Raises what it raises."""
    arguments = ["build-corpus", "--sample", "--dry-run", *map(str, words)]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False).output


def states(text: str) -> dict[str, str]:
    """Stage -> what would be done."""
    lines = [line.strip().split("  ", 1)[1] for line in text.splitlines() if ": " in line and line.strip()[0].isdigit()]
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def test_a_new_build_is_told_and_not_begun(tmp_path: Path) -> None:
    text = said("--output", tmp_path / "out", "--workers", 3, "--vocab-size", 77)
    assert not (tmp_path / "out").exists()
    assert text.startswith("dump: samplewiki, language en, 1 file\n")
    assert "321.6 kB" in text and "samplewiki-20260901-pages-articles.xml" in text
    assert "(--wikidata of [wikidata])" in text
    assert states(text)["extract"] == states(text)["records"] == "to do"
    assert "mention_links" not in states(text) and "mention_links" in states(said("-o", tmp_path / "x", "--mentions"))
    assert "preset luke, 3 workers" in text and "[vocabulary] vocab_size = 77" in text and "are free" in text


def test_what_is_finished_goes_on_and_what_options_touch_is_done_anew(tmp_path: Path) -> None:
    begun = ["extract", "--sample", "-q", "--workers", "1", "-o", str(tmp_path / "out")]
    CliRunner().invoke(cli, begun, catch_exceptions=False)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    same = states(said("-o", tmp_path / "out"))
    assert same["extract"] == "goes on: 1 unit finished before" and same["vocabulary"] == "to do"
    other = said("-o", tmp_path / "out", "--range-mb", 0.1, "--update")
    assert states(other)["extract"] == "is done anew" and states(other)["inputs"].startswith("goes on")
    assert "extract: options.input.range_mb: 32.0 before, 0.1 now" in other
    assert states(said("-o", tmp_path / "out", "--overwrite"))["inputs"] == "is done anew"
    with pytest.raises(WikiprepError, match=r"was begun with other options.*"):
        said("-o", tmp_path / "out", "--range-mb", 0.1)
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}


def test_a_complete_corpus_is_told(sample_corpus: Path) -> None:
    assert "were begun" not in (text := said("-o", sample_corpus, "--range-mb", 0.05, "--text"))
    assert f"{sample_corpus}: is complete, nothing would be done" in text
    assert "room:" not in text


def test_what_the_build_would_refuse_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="no such"):
        said("-o", tmp_path / "out", "--tokenizer", tmp_path / "none")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "thesis.txt").write_text("all I have")
    with pytest.raises(WikiprepError, match=r"not of a wikiprep build \(thesis.txt"):
        said("-o", tmp_path / "theirs")
