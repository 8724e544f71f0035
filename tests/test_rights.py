"""Whose files can be read is for the umask to say, whatever library writes them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.files import Store, apply_umask
from wikiprep.runtime.output_folder import output_lock


@pytest.fixture(params=[0o027, 0o002], ids=["027", "002"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    try:
        yield request.param
    finally:
        os.umask(before)


def other_rights(folder: Path, umask: int) -> dict[str, str]:
    """Of all that lies in a folder what has not the rights that the umask leaves, with the rights that it has."""
    found = {}
    for path in (folder, *folder.rglob("*")):
        rights = stat.S_IMODE(path.stat().st_mode)
        if rights != (0o777 if path.is_dir() else 0o666) & ~umask:
            found[str(path.relative_to(folder))] = oct(rights)
    return found


def call(*words: object) -> None:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == 0, (words, done.output, done.exception)


def test_a_build_and_what_is_written_from_it(umask: int, tmp_path: Path) -> None:
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    call("build-corpus", "--sample", "--mentions", "--output", corpus, "--quiet", "--workers", "1")
    assert len(list(corpus.rglob("*.arrow"))) > 1
    assert other_rights(corpus, umask) == {}
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"text": "The Moon", "title": "Moon"}\n')
    call("annotate", corpus, "--input", texts, "--output", out / "links.jsonl", "--quiet")
    call("export-triples", corpus, "--output", out / "triples")
    for form in ("rel", "tsv"):
        call("export-mentions", corpus, "--format", form, "--output", out / f"mentions.{form}")
    assert len(list(out.rglob("*"))) > 5
    assert other_rights(out, umask) == {}


def test_a_file_that_a_library_wrote_for_its_owner_alone(umask: int, tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.touch(0o600)
    apply_umask(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    assert [one.name for one in tmp_path.iterdir()] == ["weights"]


def test_the_lock_of_an_output(umask: int, tmp_path: Path) -> None:
    """Another of the group can take it: he needs to write to it."""
    with output_lock(Store(str(tmp_path))):
        pass
    assert other_rights(tmp_path / "_state", umask) == {}
