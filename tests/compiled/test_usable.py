"""When compiled modules are used, and what a user reads where they are not."""

import importlib
import importlib.util
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from building import hashes, wikiprep
from processes import ROOT
from tiny_wiki import tiny_dump

from wikiprep.compiled import WHY_NOT, usable
from wikiprep.runtime.run_log import environment
from wikiprep.units.fingerprint import content_versions

COMPILED = ROOT / "wikiprep" / "compiled"
TYPED = [path.with_name(path.name.replace("fast_", "").replace(".pxd", ".py")) for path in COMPILED.glob("fast_*.pxd")]
SOURCES = sorted([*COMPILED.glob("*.pyx"), *TYPED])


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `fast_paths.compiled` with a source `a.pyx` and `usable.py`, beside `fast_paths.wikitext`."""
    folder = tmp_path / "fast_paths/compiled"
    for package in (folder, tmp_path / "fast_paths/wikitext"):
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
    (folder / "a.pyx").write_text("def a(): pass\n")
    shutil.copy(usable.__file__, folder)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("WIKIPREP_PURE_PYTHON", raising=False)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "fast_paths"]:
        del sys.modules[name]


def why_not() -> str:
    importlib.invalidate_caches()
    said: str = importlib.import_module("fast_paths.compiled.usable").why_not()
    return said


def digest() -> str:
    made: str = importlib.import_module("fast_paths.compiled.usable").digest()
    return made


def test_modules_made_of_the_sources_beside_them_are_used(package: Path) -> None:
    (package / "a.py").write_text(f"SOURCES = {digest()!r}\n")
    assert why_not() == ""


def test_a_package_without_sources_has_none(package: Path) -> None:
    """As in a zip file, where no folder can be read."""
    (package / "a.pyx").unlink()
    assert why_not() == f"there are none for this Python in {package.parent} (wikiprep docs install)"


@pytest.mark.parametrize("changed", ["a.pyx", "constants.pxd", "fast_b.pxd", "b.py"])
def test_modules_older_than_any_source_are_not(changed: str, package: Path) -> None:
    (package / "b.py").write_text("def b(): pass\n")
    (package / "fast_b.pxd").write_text("cpdef b()\n")
    for name in ("a.py", "fast_b.py"):
        (package / name).write_text(f"SOURCES = {digest()!r}\n")
    assert why_not() == ""
    for name in [name for name in sys.modules if name.partition(".")[0] == "fast_paths"]:
        del sys.modules[name]
    (package / changed).write_text("def a(): return 1\n")
    assert "python hatch_build.py" in why_not()


def test_modules_of_another_folder_are_of_the_same_sources_and_must_be_there(package: Path) -> None:
    """They import what asks whether they may be used: of them nothing is run."""
    other = package.parent / "wikitext"
    (other / "b.py").write_text("def b(): pass\n")
    (other / "fast_b.pxd").write_text("cpdef b()\n")
    (package / "a.py").write_text(f"SOURCES = {digest()!r}\n")
    assert why_not().startswith("there are none for this Python in ")
    (other / "fast_b.py").write_text("raise ZeroDivisionError\n")
    assert why_not() == ""
    (other / "b.py").write_text("def b(): return 1\n")
    assert "python hatch_build.py" in why_not()


def test_modules_of_another_build_are_not(package: Path) -> None:
    (package / "a.py").write_text("")
    assert "python hatch_build.py" in why_not()


def test_one_that_is_missing_leaves_all_out(package: Path) -> None:
    (package / "b.pyx").write_text("def b(): pass\n")
    (package / "a.py").write_text(f"SOURCES = {digest()!r}\n")
    assert why_not().startswith("there are none for this Python in ")


def test_python_code_with_types_that_is_not_compiled_leaves_all_out(package: Path) -> None:
    (package / "b.py").write_text("def b(): pass\n")
    (package / "fast_b.pxd").write_text("cpdef b()\n")
    (package / "a.py").write_text(f"SOURCES = {digest()!r}\n")
    assert why_not().startswith("there are none for this Python in ")


def test_one_that_cannot_be_loaded_leaves_all_out_and_says_why(package: Path) -> None:
    (package / "a.abi3.so").write_text("made for another machine")
    assert re.fullmatch("they cannot be loaded here: .*a.abi3.so: .+", why_not())


def test_the_environment_variable_leaves_all_out(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "a.py").write_text(f"SOURCES = {digest()!r}\n")
    monkeypatch.setenv("WIKIPREP_PURE_PYTHON", "1")
    assert why_not() == "WIKIPREP_PURE_PYTHON is set"


def said_of_modules(**variables: str) -> str:
    """By the command in a process of its own, which may be of the checkout where the tests' is the installed one."""
    lines = wikiprep("version", **variables).stdout.splitlines()
    (line,) = [line for line in lines if line.startswith("compiled modules  ")]
    return line.removeprefix("compiled modules").strip()


def test_the_version_command_says_it_and_no_fingerprint_knows() -> None:
    assert environment()["compiled modules"] == (f"not used: {WHY_NOT}" if WHY_NOT else "used")
    assert said_of_modules() == "used" or said_of_modules().startswith("not used: ")
    assert said_of_modules(WIKIPREP_PURE_PYTHON="1") == "not used: WIKIPREP_PURE_PYTHON is set"
    assert "compiled modules" not in content_versions()


def test_a_build_without_them_says_so_once_and_is_the_same(tmp_path: Path) -> None:
    dump = tiny_dump(tmp_path)
    line = "the compiled modules are not used"
    for name, pure in (("a", ""), ("b", "1")):
        done = wikiprep("extract", dump, "-o", tmp_path / name, WIKIPREP_PURE_PYTHON=pure)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count(line) == (said_of_modules(WIKIPREP_PURE_PYTHON=pure) != "used")
    assert hashes(tmp_path / "a") == hashes(tmp_path / "b")
    again = wikiprep("extract", dump, "-o", tmp_path / "b", WIKIPREP_PURE_PYTHON="1")
    assert line not in again.stderr  # nothing is left to do
    quiet = wikiprep("extract", dump, "-o", tmp_path / "c", "--quiet", WIKIPREP_PURE_PYTHON="1")
    assert (quiet.returncode, quiet.stderr) == (0, "")


def test_the_digest_is_the_one_that_the_build_writes_into_modules() -> None:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert usable.digest() == module.digest(usable.ROOT)
    folders = {path.parent.relative_to(usable.ROOT).as_posix() for path in module.sources_in(usable.ROOT)}
    assert folders == set(usable.FOLDERS)


@pytest.mark.parametrize("path", SOURCES, ids=[path.stem for path in SOURCES])
def test_a_module_of_the_folder_that_is_asked_first_imports_no_python_code_of_wikiprep(path: Path) -> None:
    """Python code imports the compiled modules, and none of both may be half imported then. But `characters.py`."""
    text = path.read_text().replace("from wikiprep.compiled.characters import ", "")
    assert not re.findall(r"^ *(?:from wikiprep\S* import|import wikiprep).*$", text, re.MULTILINE)
    assert "import" not in (COMPILED / "characters.py").read_text().partition('"""\n\n')[2]
