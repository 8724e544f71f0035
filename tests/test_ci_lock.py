"""CI installs what .ci/lock.txt says, which belongs to pyproject.toml as it stands."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from processes import ROOT

LOCK = ROOT / ".ci" / "lock.txt"
if not LOCK.is_file():
    pytest.skip("no .ci/ here: this is no checkout", allow_module_level=True)
PROJECT = """
[project]
name = "tiny"
requires-python = ">=3.11"
dependencies = ["click>=8", "rich"]
[project.optional-dependencies]
test = ["pytest"]
"""


@pytest.fixture(scope="module")
def lock() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ci_lock", ROOT / ".ci" / "lock.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_lock_is_of_this_pyproject(lock: ModuleType) -> None:
    assert lock.why_stale(ROOT / "pyproject.toml", LOCK) is None


def test_every_requirement_has_a_version_that_it_allows() -> None:
    """A check of the file itself, whatever its head says."""
    lines = [Requirement(line) for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    pins: dict[str, list[Requirement]] = {}
    for line in lines:
        pins.setdefault(canonicalize_name(line.name), []).append(line)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = [Requirement(line) for line in project["dependencies"]]
    asked += [Requirement(line) for extra in ("dev", "test", "beam", "spark", "train") for line in extras[extra]]
    for line in asked:
        if line.name != "wikiprep":
            versions = [next(iter(pin.specifier)).version for pin in pins[canonicalize_name(line.name)]]
            assert versions and all(line.specifier.contains(version) for version in versions), line


@pytest.mark.parametrize("change", [("click>=8", "click>=9"), ('"rich"', ""), (">=3.11", ">=3.12"), ("test =", "t =")])
def test_another_requirement_makes_it_stale(lock: ModuleType, tmp_path: Path, change: tuple[str, str]) -> None:
    project, file = tmp_path / "pyproject.toml", tmp_path / "lock.txt"
    project.write_text(PROJECT)
    assert "not " in lock.why_stale(project, file)  # there is none yet
    file.write_text(f"# head\n{lock.MADE_OF}{lock.requirements_digest(project)}\nclick==8.2\n")
    assert lock.why_stale(project, file) is None
    project.write_text("# a comment\n" + PROJECT.replace('"click>=8", "rich"', '"rich", "click>=8"'))
    assert lock.why_stale(project, file) is None
    project.write_text(PROJECT.replace(*change))
    assert str(lock.why_stale(project, file)).endswith("\n  python .ci/lock.py")
