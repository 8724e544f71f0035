"""A build goes on with a wikiprep that has changed: what that touches is redone, and never mixed with what was."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from building import hashes, manifest
from processes import ROOT

LINKS, BUILDER = "wikitext/links.py", "corpus/builder.py"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of wikiprep, to be changed."""
    there = tmp_path / "there"
    shutil.copytree(ROOT / "wikiprep", there / "wikiprep", ignore=shutil.ignore_patterns("pretrain"))
    return there


def run(package: Path, *words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "wikiprep", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(package)},
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )


def build(package: Path, output: Path, *words: object) -> "subprocess.CompletedProcess[str]":
    sample = ("--sample", "--range-mb", "0.1", "--workers", "1")
    return run(package, "build-corpus", *sample, "--output", output, *words)


def change(package: Path, path: str) -> None:
    with (package / "wikiprep" / path).open("a") as file:
        file.write("\n# another rule\n")


def commit_version(package: Path, version: str) -> None:
    """As a package built of another commit says it."""
    (package / "wikiprep" / "_version.py").write_text(f"version = {version!r}\n")


def receipts(output: Path) -> dict[str, bytes]:
    return {
        path.relative_to(output / "_state").as_posix(): path.read_bytes()
        for path in output.glob("_state/*/units/*.json")
    }


def test_a_resume_redoes_what_a_change_touches_and_says_which(package: Path, tmp_path: Path) -> None:
    output = tmp_path / "corpus"
    commit_version(package, "0.1.dev1+gaaaaaaaaa")
    assert (first := build(package, output)).returncode == 0, first.stderr
    made = manifest(output)
    assert made["versions"]["wikiprep"] == "0.1.dev1+gaaaaaaaaa"
    assert f"Made by wikiprep {made['versions']['wikiprep']} with" in (output / "README.md").read_text()
    assert set(made["rules"]) == set(made["fingerprints"])
    bytes_before, receipts_before = hashes(output), receipts(output)

    # Another commit that touches no rule: all is as it was, whoever made it.
    commit_version(package, "0.1.dev2+gbbbbbbbbb")
    change(package, "cli/build_corpus.py")
    done = build(package, output)
    assert done.returncode == 0 and "was complete already" in " ".join(done.stdout.split()), done.stdout + done.stderr
    assert hashes(output) == bytes_before
    environments = [it["environment"] for it in orjson.loads((output / "run.json").read_bytes())["runs"]]
    assert [it["wikiprep"] for it in environments] == ["0.1.dev1+gaaaaaaaaa", "0.1.dev2+gbbbbbbbbb"]
    assert environments[0]["rules"] == environments[1]["rules"]

    # A rule of records.
    change(package, BUILDER)
    refused = build(package, output)
    assert refused.returncode == 2
    assert (
        f"  records: rules changed: {BUILDER} (wikiprep 0.1.dev1+gaaaaaaaaa before, 0.1.dev2+gbbbbbbbbb now)"
        in refused.stderr
    )
    assert "extract" not in refused.stderr
    assert receipts(output) == receipts_before
    done = build(package, output, "--update")
    assert done.returncode == 0, done.stderr
    after = receipts(output)
    assert {name.partition("/")[0] for name in after if after[name] != receipts_before[name]} == {
        "records",
        "relations",
    }
    assert manifest(output)["versions"]["wikiprep"] == "0.1.dev2+gbbbbbbbbb"
    assert run(package, "verify", output).returncode == 0

    # A rule of extraction: that and all that reads it.
    change(package, LINKS)
    refused = build(package, output)
    assert f"  extract: rules changed: {LINKS} (wikiprep 0.1.dev1+gaaaaaaaaa before" in refused.stderr
    assert "  records: reads extract, pages" in refused.stderr
    assert build(package, output, "--update").returncode == 0
    last = receipts(output)
    same = {name.partition("/")[0] for name in last if last[name] == after[name]}
    assert same == {"inputs", "wikidata_read", "wikidata"}
    assert run(package, "verify", output).returncode == 0


def test_parts_of_two_wikipreps_are_named(package: Path, tmp_path: Path) -> None:
    """Whoever puts a corpus together of two builds' parts, with sums that are right."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    commit_version(package, "0.1.dev1+gaaaaaaaaa")
    assert build(package, theirs).returncode == 0
    commit_version(package, "0.1.dev2+gbbbbbbbbb")
    change(package, LINKS)
    assert build(package, ours).returncode == 0
    receipt = sorted((ours / "_state" / "extract" / "units").iterdir())[1].relative_to(ours)
    shutil.copy(theirs / receipt, ours / receipt)
    part = orjson.loads((ours / receipt).read_bytes())["files"][0]["path"]
    assert (ours / part).read_bytes() == (theirs / part).read_bytes()  # only a comment was changed
    found = run(package, "verify", ours)
    assert found.returncode == 1
    rules: list[Any] = [manifest(it)["rules"]["extract"] for it in (theirs, ours)]
    assert part in found.stdout
    assert f"made by wikiprep 0.1.dev1+gaaaaaaaaa with rules {rules[0]}" in found.stdout
    assert f"the manifest is of wikiprep 0.1.dev2+gbbbbbbbbb with rules {rules[1]} for extract" in found.stdout
    # The next build does that part again, and all is in order.
    assert build(package, ours).returncode == 0
    assert run(package, "verify", ours).returncode == 0


def test_files_that_change_while_a_build_runs_stop_it(package: Path, tmp_path: Path) -> None:
    """A process that begins late, such as the one that works on pages, would have other rules than its parts before."""
    output = tmp_path / "corpus"
    late = package / "wikiprep" / "stages" / "inputs.py"  # run before the first child of the guard begins
    text = late.read_text()
    edit = """        open(__file__.replace("stages/inputs", "wikitext/links"), "a").write("# edited\\n")\n"""
    hashing = '        """Hash one file, and compare it with what it should be; of a folder of HTML all files."""\n'
    assert hashing in text
    late.write_text(text.replace(hashing, hashing + edit))
    done = build(package, output)
    assert done.returncode == 1, done.stdout
    assert "wikiprep's own files were changed while it built: rules of" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list((output / "articles").glob("*"))
