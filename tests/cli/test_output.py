"""Standard input and output that are closed, full, or gone: one line and the right exit code, never a traceback."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from building import command

COMMANDS = (
    ("wikitext", "PAGES"),
    ("wikitext", "PAGES", "--compare"),
    ("templates", "CORPUS"),
    ("templates", "CORPUS", "--tsv"),
    ("templates", "CORPUS", "--json"),
    ("mentions", "CORPUS", "NAME"),
    ("mentions", "CORPUS", "NAME", "--json"),
    ("coverage", "CORPUS"),
    ("changes", "CORPUS", "CORPUS"),
    ("inspect", "CORPUS", "--page", "NAME"),
    ("version",),
    ("--help",),
)


@pytest.fixture(params=COMMANDS, ids=" ".join)
def words(request: pytest.FixtureRequest, tiny_corpus: Path, tmp_path: Path) -> list[str]:
    (tmp_path / "p.jsonl").write_text('{"text": "some words of a page"}\n' * 20)
    meant = {"PAGES": str(tmp_path / "p.jsonl"), "CORPUS": str(tiny_corpus), "NAME": "Rome"}
    return command(*[meant.get(word, word) for word in request.param])


def test_a_full_disk_is_told_in_one_line(words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    first, hint = done.stderr.splitlines()
    assert (done.returncode, first) == (1, "wikiprep: standard output: No space left on device")
    assert "free some space" in hint


def test_a_reader_that_has_gone_gives_141(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("words", ["wikitext -", "wikitext", "wikitext --jsonl -"])
def test_closed_standard_input_is_told_in_one_line(words: str) -> None:
    line = shlex.join(command(*words.split())) + " <&-"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wikiprep: standard input is closed\n  give a file")
