"""Paths, addresses and states that no build can use: one message with a way out, exit code 1 or 2, no traceback."""

import os
from pathlib import Path

import pytest
from building import DATA, wikiprep

DUMP = DATA / "india.xml"


def refused(*words: object, says: str, code: int) -> None:
    done = wikiprep(*words)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("output", "says", "code"),
    [
        ("FILE", "a file stands where a folder is needed", 2),
        ("FILE/inside", "a file stands where a folder is needed", 2),
        ("x" * 300, "File name too long", 1),
        ("http://example.org/corpus", "nothing can be written there", 2),
        ("", "no output folder given", 2),
        (os.fsdecode(b"\xff\xfe"), "not UTF-8", 2),
    ],
)
def test_outputs_that_cannot_be(tmp_path: Path, output: str, says: str, code: int) -> None:
    (tmp_path / "FILE").write_text("x")
    there = output if "://" in output or not output else str(tmp_path / output)
    refused("extract", DUMP, "--output", there, says=says, code=code)


def test_what_is_no_corpus_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "FILE").write_text("x")
    refused("inspect", tmp_path / "missing", "--page", "A", says="no such folder", code=2)
    refused("verify", tmp_path / "missing", says="no such folder", code=2)
    refused("verify", tmp_path / "FILE", says="FILE/manifest.json", code=2)


def test_lost_and_damaged_files_between_runs_come_back(tmp_path: Path) -> None:
    """What the state says is lost or garbage is made again; the same command and verify then agree."""
    out = tmp_path / "out"
    build = ["extract", DUMP, "--output", out, "--workers", "1", "--quiet"]
    assert wikiprep(*build).returncode == 0
    for receipt in out.glob("_state/*/units/*.json"):
        receipt.write_bytes(b"garbage{")
    (out / "run.json").write_text("[]")
    (out / "README.md").unlink()
    again = wikiprep(*build)
    assert again.returncode == 0, again.stderr
    assert wikiprep("verify", out).returncode == 0
    refused("inspect", out, "--page", "9" * 30, says="no article", code=1)
