"""The map from modules to tests is true: made of this tree, with a test for every module; and what `which.py` says."""

import json
import subprocess
import sys

import module_map
import pytest
import which
from module_map import EXCEPTIONS, MAP, modules
from needs import EXTRAS, NEEDS, the_needs
from processes import ROOT


def test_the_map_is_of_this_tree() -> None:
    assert MAP.read_text(encoding="utf-8") == module_map.the_map(), "python tests/make_map.py"


def test_every_module_has_a_test_or_a_reason() -> None:
    without = {name for name in modules() if not module_map.tests_for(name)}
    assert without == EXCEPTIONS.keys()  # and no reason outlives its module
    entries = json.loads(MAP.read_text(encoding="utf-8"))
    assert entries.keys() == set(modules().values())
    assert {path for entry in entries.values() for path in entry.get("tests", ())} <= {
        path.relative_to(ROOT).as_posix() for path in module_map.test_files()
    }


@pytest.mark.parametrize(
    ("module", "test"),
    [
        ("wikiprep.wikitext.extract", "tests/wikitext/test_cases.py"),  # by an import
        ("wikiprep.pipelines.spark", "tests/pipelines/test_spark.py"),  # by its name
        ("wikiprep.cli.wikitext", "tests/cli/test_wikitext_command.py"),  # by a word of a command line
        ("wikiprep.pretrain.__main__", "tests/pretrain/test_slurm_job.py"),  # by python -m
        ("wikiprep.stages.records", "tests/stages/test_densify_build.py"),  # a stage is imported by a name in a table
        ("wikiprep.storage.memory_maps", "tests/tables/test_page_tables.py"),  # through a module
        ("wikiprep.wikitext.links", "tests/wikitext/test_cases.py"),  # likewise, beside the one that names it
    ],
)
def test_a_module_has_the_tests_that_reach_it(module: str, test: str) -> None:
    assert test in module_map.tests_for(module)


def test_a_helper_counts_for_those_that_use_it() -> None:
    users = module_map.helpers_of(ROOT / "tests/stages/test_densify_build.py")
    assert {path.name for path in users} >= {"inline.py", "building.py", "forked.py"}  # one through the other


def test_what_to_run_for_a_change() -> None:
    assert (
        which.command(["wikiprep/wikitext/mwparserfromhell_text.py"])
        == "pytest -n 2 tests/wikitext/test_mwparserfromhell_text.py"
    )
    assert which.command(["wikiprep/pipelines/job_restart.py"]) == which.command(["pipelines/job_restart.py"])
    assert which.command(["tests/test_ci_lock.py", ".ci/run"]) == "pytest -n 2 tests/test_ci_lock.py"
    assert which.command(["tests/conftest.py", "docs/index.md"]) == which.QUICK
    assert which.command(["CHANGELOG.md"]) == ""
    folder, file = (
        which.command(["wikiprep/compiled/usable.py", "wikiprep/compiled/bz2_block.pyx"]),
        "tests/compiled/",
    )
    assert "tests/compiled" in folder.split() and file not in folder  # no file of a folder that is run whole
    types = which.command(["wikiprep/wikitext/fast_links.pxd"]).split()
    assert "tests/compiled" in types and any("tests/wikitext" in it for it in types)
    assert "tests/languages" in which.command(["wikiprep/languages/data/words.jsonl"]).split()
    assert "tests/test_files.py" in which.command(["tests/processes.py", "wikiprep/files.py"]).split()


def test_the_command_asks_git_or_takes_files() -> None:
    def said(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, str(ROOT / "tests/which.py"), *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    assert said("tests/test_ci_lock.py").stdout == "pytest -n 2 tests/test_ci_lock.py\n"
    done = said("CHANGELOG.md")
    assert (done.returncode, done.stdout, done.stderr) == (0, "true\n", "no test looks at CHANGELOG.md\n")
    assert said("CHANGELOG.md", "no-such.py").returncode == 2


def test_the_needs_are_of_this_tree() -> None:
    assert NEEDS.read_text(encoding="utf-8") == the_needs(), "python tests/make_map.py"


@pytest.mark.parametrize(
    ("file", "test", "extras"),
    [
        ("pretrain/test_step.py", "", ["train"]),  # what the file imports
        ("cli/test_wikitext_command.py", "test_compare", ["compare"]),  # an option of a command
        ("cli/test_wikitext_command.py", "", []),
        ("corpus/test_wordpiece.py", "test_ids_are_those_of_transformers", ["train"]),  # importorskip in the test
        ("cli/test_export_triples_command.py", "test_pykeen_reads_it_and_nothing_is_lost", ["knowledge", "train"]),
        ("pipelines/test_spark.py", "", ["spark"]),
        ("report/test_report.py", "", ["report"]),  # imported when it is called
    ],
)
def test_a_test_needs_the_extras_of_what_it_imports(file: str, test: str, extras: list[str]) -> None:
    assert json.loads(NEEDS.read_text(encoding="utf-8")).get(file, {}).get(test, []) == extras


def test_each_test_has_the_markers_of_its_needs(request: pytest.FixtureRequest) -> None:
    """As far as this run collected them; every marker is one that pyproject.toml knows."""
    known = {line.partition(":")[0] for line in request.config.getini("markers")}
    assert known >= EXTRAS.keys() | {"quick"}
    needed = json.loads(NEEDS.read_text(encoding="utf-8"))
    for item in request.session.items:
        file = item.path.relative_to(ROOT / "tests").as_posix()
        marks = {mark.name for mark in item.iter_markers()}
        assert marks >= set(needed.get(file, {}).get("", ()))
        assert not ("quick" in marks and marks & {"slow", "oracle", "cluster", "beam", "spark", "train"}), item.nodeid
