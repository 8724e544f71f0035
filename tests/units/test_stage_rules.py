"""The rules of a stage: every source that decides its bytes, and no other; the same wherever the package lies."""

import ast
import compileall
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from processes import ROOT

from wikiprep.errors import WikiprepError
from wikiprep.stages.build import stage_modules
from wikiprep.units import stage_rules

PACKAGE = ROOT / "wikiprep"
CODE = """
import json
from wikiprep.stages.build import stage_modules
from wikiprep.units.stage_rules import rules_of
from wikiprep.runtime.run_log import all_rules_digest
print(json.dumps({name.rpartition(".")[2]: rules_of(name) for name in stage_modules()} | {"all": all_rules_digest()}))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package, to be changed."""
    there = tmp_path / "there"
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "pretrain", "_version.py")
    shutil.copytree(PACKAGE, there / "wikiprep", ignore=ignored)
    return there


def rules_in(place: Path) -> dict[str, Any]:
    """By stage, of a package that lies elsewhere."""
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=place.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {name for name in before if before[name] != after[name] and name != "all"}


def of_stages() -> set[str]:
    """Paths of all rules."""
    return {path for module in stage_modules() for path in stage_rules.rules_of(module)}


def imports(path: Path) -> set[str]:
    """Names below wikiprep that are imported at run time, by Python's own parser."""
    tree = ast.parse(path.read_text())
    unseen = {
        it
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for it in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [it.name for it in node.names if it.name.startswith("wikiprep.")]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports are not looked for"
            inside = (node.module or "").partition(".")[0] == "wikiprep"
            names = [str(node.module), *(f"{node.module}.{it.name}" for it in node.names)] if inside else []
        else:
            continue
        if node not in unseen:
            found |= {name.partition(".")[2] for name in names if "." in name}
    return found


def test_imports_are_found_as_python_finds_them() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] not in stage_rules.NO_STAGES:
            found = set(stage_rules.imported_names(path.read_text()))
            assert imports(path) <= found, path
            # Of what only looks like an import there is the code that a child begins with.
            assert found - imports(path) <= {"guard.child_main", "guard.child_main.main"}, path


def test_nothing_is_imported_by_a_name_that_is_made_up() -> None:
    """But compiled modules, which are looked for by `fast_path`, and stages, each of which is a start of its own."""
    dynamic = re.compile("import_module|__import__|run_module|exec_module")
    found = {path for path in of_stages() if path.endswith(".py") and dynamic.search((PACKAGE / path).read_text())}
    assert found == {"compiled/__init__.py", "compiled/usable.py"}


def test_every_file_of_the_rooms_is_a_rule_or_known_to_be_none() -> None:
    tracked = subprocess.run(["git", "ls-files", "wikiprep"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode or not tracked.stdout:
        pytest.skip("no git here, or no checkout")
    for name in tracked.stdout.split():
        path = name.removeprefix("wikiprep/")
        if "/" in path and path.partition("/")[0] not in stage_rules.NO_STAGES:
            # .php: programs that made data
            assert path.endswith((*stage_rules.SOURCES, *stage_rules.DATA, ".php")), f"{path}: does it decide bytes?"


def test_rooms_without_stages_are_imported_by_no_stage() -> None:
    for path in of_stages():
        assert path.partition("/")[0] not in stage_rules.NO_STAGES
        if path.endswith(".py"):
            found = {name.partition(".")[0] for name in imports(PACKAGE / path)}
            assert not found & set(stage_rules.NO_STAGES), path


def test_neutral_modules_are_there_and_are_not_about_text() -> None:
    for name in stage_rules.NEUTRAL:
        assert (PACKAGE / f"{name.replace('.', '/')}.py").is_file(), name
        assert name.partition(".")[0] not in ("wikitext", "dump", "languages", "corpus", "tables", "wikidata")


def test_the_version_is_no_rule_of_a_stage_that_another_room_brings() -> None:
    """All rules are those of a transform, whose room is left out; the version's file is written anew by a build."""
    rules = stage_rules.rules_of("wikiprep.pipelines.transforms.extract_pages").keys()
    assert rules > stage_rules.rules_of("wikiprep.stages.extract").keys() and "_version.py" not in rules


def test_compiled_twins_count_with_the_code_that_calls_them() -> None:
    found = set(stage_rules.rules_of("wikiprep.stages.extract"))
    assert {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.p[yx][xd]")} <= found
    assert not [path for path in stage_rules.rules_of("wikiprep.stages.pages") if path.endswith(".pyx")]


TEXT = {"template_pages", "definitions", "extract"}


@pytest.mark.parametrize(
    ("path", "touched"),
    [
        ("wikitext/links.py", TEXT),
        ("wikitext/templates/data/de.txt", TEXT),
        ("compiled/rare_characters.pyx", TEXT),
        ("wikitext/fast_links.pxd", TEXT),
        ("corpus/builder.py", {"records", "relations"}),
        ("tables/choose_entities.py", {"vocabulary", "import_vocabulary"}),
        ("stages/pages.py", {"pages"}),
        ("cli/build_corpus.py", set()),
        ("guard/guard.py", set()),
        ("config.py", set()),
        ("languages/facts.php", set()),
    ],
)
def test_a_change_touches_the_stages_that_use_it(copy: Path, path: str, touched: set[str]) -> None:
    before = rules_in(copy)
    with (copy / "wikiprep" / path).open("a") as file:
        file.write("\n# one line more\n")
    after = rules_in(copy)
    assert changed(before, after) == touched
    assert (before["all"] != after["all"]) == bool(touched)
    for name in touched:
        assert {it for it in before[name] if before[name][it] != after[name].get(it)} == {path}


def test_data_of_languages_touch_what_reads_text_or_titles(copy: Path) -> None:
    before = rules_in(copy)
    (copy / "wikiprep/languages/data/new.json").write_text("{}")
    assert changed(before, rules_in(copy)) >= {*TEXT, "pages", "records"}


def test_a_new_module_counts_from_its_first_import(copy: Path) -> None:
    before = rules_in(copy)
    (copy / "wikiprep/wikitext/new.py").write_text("RULE = 1\n")
    assert changed(before, rules_in(copy)) == set()
    with (copy / "wikiprep/wikitext/links.py").open("a") as file:
        file.write("\n\ndef _late():\n    from wikiprep.wikitext.new import (\n        RULE,\n    )\n    return RULE\n")
    first = rules_in(copy)
    assert "wikitext/new.py" in first["extract"]
    (copy / "wikiprep/wikitext/new.py").write_text("RULE = 2\n")
    assert changed(first, rules_in(copy)) == TEXT


def test_rules_are_the_same_wherever_the_package_lies(copy: Path, tmp_path: Path) -> None:
    here = rules_in(copy)
    assert here == rules_in(ROOT)
    for path in (copy / "wikiprep").rglob("*"):  # as a checkout on Windows has it; and what lies about
        if path.suffix in (".py", ".txt", ".pyx"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (copy / "wikiprep/wikitext/links.py.orig").write_text("of an editor")
    (copy / "wikiprep/wikitext/.links.py.swp").write_text("of an editor")
    assert rules_in(copy) == here
    with ZipFile(tmp_path / "there.zip", "w") as archive:
        for path in sorted(PACKAGE.rglob("*")):
            if path.is_file() and path.suffix not in (".so", ".pyc"):
                archive.write(path, path.relative_to(ROOT).as_posix())
    assert rules_in(tmp_path / "there.zip") == here


def test_a_package_of_pyc_files_has_rules_of_its_own(copy: Path) -> None:
    here = rules_in(copy)
    assert compileall.compile_dir(copy / "wikiprep", legacy=True, quiet=2, stripdir=str(copy))
    for path in (copy / "wikiprep").rglob("*.py"):
        path.unlink()
    first = rules_in(copy)
    assert changed(here, first) == here.keys() - {"all"}
    assert "wikitext/links.pyc" in first["extract"]
    assert "guard/guard.pyc" not in first["extract"]
    assert rules_in(copy) == first


def test_other_rules_than_the_builds_are_refused() -> None:
    stage_rules.check_unchanged("wikiprep.stages.extract", stage_rules.rules_digest("wikiprep.stages.extract"))
    with pytest.raises(WikiprepError, match=r"changed while it built: rules of extract are [0-9a-f]{12}, not 123"):
        stage_rules.check_unchanged("wikiprep.stages.extract", "123")
