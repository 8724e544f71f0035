"""Exit codes: 0 done, 1 a finding or a failure, 2 a misuse or a path that is not there; for every command and path."""

import errno
import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from building import wikiprep
from click.testing import CliRunner

from wikiprep.cli.main import COMMANDS, cli
from wikiprep.errors import WikiprepError

BUILD = "build-corpus --sample -q --output OUT"
# Each has one path that is not there, MISSING; FILE and CORPUS are.
CALLS = """
    build-corpus MISSING --output OUT
    build-corpus MISSING/*.xml --output OUT
    tables MISSING.xml.bz2 --output OUT
    extract MISSING --output OUT
    records --from MISSING --vocab FILE --output OUT
    records --from FILE --vocab MISSING --output OUT
    records --from FILE --vocab FILE --titles-from MISSING --output OUT
    BUILD --config MISSING
    BUILD --page-props MISSING
    BUILD --tokenizer MISSING
    BUILD --template-table MISSING
    BUILD --leave-out MISSING
    BUILD --wikidata MISSING
    BUILD --wikidata MISSING*
    BUILD --entity-vocab MISSING
    BUILD --white-list MISSING
    BUILD --wikidata-redirect MISSING --wikidata-page FILE
    inspect MISSING --page x
    mentions MISSING x
    coverage MISSING
    changes MISSING CORPUS
    changes CORPUS MISSING
    templates MISSING
    templates CORPUS --template-table MISSING
    wikitext MISSING
    wikitext MISSING.jsonl
    wikitext FILE --template-table MISSING
    verify MISSING
    annotate MISSING --input FILE --output OUT
    annotate CORPUS --input MISSING --output OUT
    annotate CORPUS --input FILE --output OUT --names MISSING
    annotate CORPUS --input FILE --output OUT --vocab MISSING
    annotate-squad MISSING --input FILE --output OUT
    annotate-squad CORPUS --input MISSING --output OUT
    export-mentions MISSING --format tsv --output OUT
    export-relations MISSING -o OUT
    export-spacy MISSING --format patterns -o OUT.jsonl
    export-dataset MISSING -o OUT
    convert MISSING --to mds -o OUT
    export-triples MISSING -o OUT
    export-triples CORPUS -o OUT --leave-out MISSING
    merge-vocabularies MISSING -o OUT
    qids --page MISSING --page-props FILE -o OUT
    qids --page FILE --page-props MISSING -o OUT
    kg-weights MISSING -o OUT.arrow
    kg-weights CORPUS -o OUT.arrow --wordnet MISSING
    report MISSING -o OUT.html
    export-links MISSING -o OUT.parquet
    score conll2003 MISSING FILE
    score webnlg MISSING FILE
    score fewrel MISSING FILE
    results MISSING
    cluster entities MISSING --model x -o OUT
    picture entities MISSING --model x -o OUT
"""
WITH_TORCH = """
    kg-embed MISSING -o OUT
    kg-neighbours MISSING x -r y
    kg-attention MISSING text --knowledge MISSING
    export-hf MISSING OUT
    pretrain --corpus MISSING --config tiny -o OUT
    pretrain --corpus CORPUS --config MISSING.toml -o OUT
    evaluate MISSING --corpus CORPUS
    predict MISSING [x]
    predict MISSING --input FILE
    embed MISSING --of table -o OUT.npy
    finetune copa --model MISSING --data MISSING -o OUT
    finetune MISSING.py --model x --data x -o OUT
"""
NONE_TO_MISS = {"download", "version", "completion", "docs"}  # they read no path


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def ends(words: list[str]) -> tuple[int, str]:
    """Exit code and message, as `main` makes them."""
    done = CliRunner().invoke(cli, words)
    if isinstance(done.exception, WikiprepError):
        return done.exception.exit_code, str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def missing(line: str, corpus: Path, folder: Path) -> None:
    file = folder / "file.jsonl"
    file.write_text('{"text": "some words"}\n')
    meant = {"MISSING": folder / "missing", "FILE": file, "CORPUS": corpus, "OUT": folder / "out"}
    line = line.replace("BUILD", BUILD)
    for name, path in meant.items():
        line = re.sub(rf"\b{name}\b", str(path), line)
    code, said = ends(line.split())
    assert code == 2, said
    assert str(folder / "missing") in said


@pytest.mark.parametrize("line", lines(CALLS))
def test_a_missing_path_is_2(line: str, tiny_corpus: Path, tmp_path: Path) -> None:
    if line.startswith("picture") and find_spec("umap") is None:
        pytest.skip("umap is not installed: pip install '.[picture]'")
    missing(line, tiny_corpus, tmp_path)
    assert not (tmp_path / "out" / "manifest.json").exists()


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed: pip install '.[train]'")
@pytest.mark.parametrize("line", lines(WITH_TORCH))
def test_a_missing_path_is_2_of_models_too(line: str, tiny_corpus: Path, tmp_path: Path) -> None:
    if line.startswith("kg-") and find_spec("pykeen") is None:
        pytest.skip("pykeen is not installed: pip install '.[knowledge]'")
    missing(line, tiny_corpus, tmp_path)


def test_no_command_is_left_out() -> None:
    seen = {line.partition(" ")[0] for line in lines(CALLS + WITH_TORCH)} - {"BUILD"}
    assert seen | NONE_TO_MISS == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"version"}))
def test_a_misuse_is_2(name: str) -> None:
    assert ends([name])[0] == 2 or name in ("wikitext", "docs")  # which read standard input, and list the pages
    assert ends([name, "--no-such-option"])[0] == 2


def test_a_finding_is_1_and_order_is_0(tiny_corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(tiny_corpus, copy)
    assert ends(["verify", str(copy)])[0] == 0
    part = next((copy / "articles").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-9])
    assert ends(["verify", str(copy)])[0] == 1
    done = CliRunner().invoke(cli, ["verify", str(copy), "--json"])
    said = json.loads(done.stdout)
    assert (done.exit_code, said["corpus"]) == (1, str(copy))
    assert said["files"] > 5 and any(part.name in problem for problem in said["problems"])
    assert ends(["inspect", str(tiny_corpus), "--page", "There is no such page"])[0] == 1


def test_a_folder_that_is_no_corpus_is_2_and_one_that_lost_its_manifest_1(tiny_corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert ends(["coverage", str(tmp_path / "other")])[0] == 2
    shutil.copytree(tiny_corpus, tmp_path / "lost")
    (tmp_path / "lost" / "manifest.json").unlink()
    assert ends(["coverage", str(tmp_path / "lost")])[0] == 1


def test_a_file_as_the_folder_of_an_output_is_2(tiny_corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for words in (
        ["extract", "--sample", "--workers", 1, "-o", tmp_path / "file"],
        ["export-mentions", tiny_corpus, "--format", "tsv", "-o", tmp_path / "file" / "below"],
    ):
        assert wikiprep(*words).returncode == 2


@pytest.mark.parametrize(
    ("names", "said"),
    [("'source', None, 'target'", "target: No space left on device"), ("", "No space left on device")],
)
def test_a_full_disk_that_nobody_looked_for_is_two_lines(names: str, said: str) -> None:
    """In a process of its own: `main` is of the process's own output."""
    code = f"""
from wikiprep.cli import main as it
def fail(**more):
    raise OSError({errno.ENOSPC}, "No space left on device", {names})
it.cli.main = fail
it.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"wikiprep: {said}\n  free some space and give the command again\n"
