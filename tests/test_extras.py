"""What `pip install ".[test]"` brings, and that the tests are collected with it: without PyTorch."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from processes import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
UNWANTED = {"torch", "safetensors", "transformers", "apache-beam", "pyspark"}
# For `pytest -p`: what is named is not found, as where it is not installed.
HIDING = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec
HIDDEN = {"torch", "safetensors", "transformers"}
PathFinder.find_spec = classmethod(lambda _, name, *rest: None if name in HIDDEN else find(name, *rest))
"""


def asked_for(name: str, extras: frozenset[str]) -> list[str]:
    """The requirements of a package: our own by pyproject.toml, since an editable install remembers older ones."""
    if name == "wikiprep":
        return PROJECT["dependencies"] + [line for it in extras for line in PROJECT["optional-dependencies"][it]]
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def brought(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[str]:
    """What an installation brings, as far as the packages are here; the names of those that are not, too."""
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    yield name
    for line in map(Requirement, asked_for(name, extras)):
        if line.marker is None or any(line.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield from brought(canonicalize_name(line.name), frozenset(line.extras), seen)


def test_the_quick_tests_bring_nothing_heavy() -> None:
    found = set(brought("wikiprep", frozenset({"test"}), set()))
    assert {"pytest", "numpy", "matplotlib", "werkzeug"} <= found  # of all kinds: by an extra, an extra of an extra
    assert not found & UNWANTED
    assert {"torch", "transformers"} <= set(brought("wikiprep", frozenset({"dev"}), set()))


def test_the_tests_are_collected_without_pytorch(tmp_path: Path) -> None:
    """Each conftest.py too: pytest ends where one of them fails, or skips."""
    (tmp_path / "hiding.py").write_text(HIDING)
    above = {path.parent for path in (ROOT / "tests").rglob("conftest.py")}
    folders = sorted(
        map(str, above - {ROOT / "tests", ROOT / "tests/pipelines"})
    )  # the latter imports Beam: half a minute
    command = ["-m", "pytest", "-p", "hiding", "--collect-only", "-q", "-p", "no:cacheprovider", *folders]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "torch is not installed: pip install '.[train]'" in done.stdout


def test_an_extra_of_our_own_is_asked_for_without_a_condition() -> None:
    """Of `wikiprep[extra]; condition` Hatchling writes the extra's packages into the wheel, and no condition."""
    lines = [Requirement(line) for it in PROJECT["optional-dependencies"].values() for line in it]
    assert not [str(line) for line in lines if line.name == "wikiprep" and line.marker]


def test_the_parser_without_wheels_for_python_3_14_is_left_out_there() -> None:
    """`.[test]` shall not need a C compiler; elsewhere it brings the versions that `.[compare]` does."""
    (compare,) = map(Requirement, PROJECT["optional-dependencies"]["compare"])
    (test,) = (it for it in map(Requirement, PROJECT["optional-dependencies"]["test"]) if it.name == compare.name)
    assert test.specifier == compare.specifier
    assert test.marker
    assert [test.marker.evaluate({"python_version": it}) for it in ("3.11", "3.13", "3.14")] == [True, True, False]
