"""The version is version control's: of a checkout as it stands, of a package as it was built."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from processes import ROOT

import wikiprep
from wikiprep import version
from wikiprep.version import UNKNOWN, of_checkout, wikiprep_version

IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *IDENTITY, *words], cwd=root, check=True, capture_output=True)


def copy_project(root: Path) -> None:
    """All that a version is asked of."""
    for name in ("pyproject.toml", "hatch_readme.py"):
        (root / name).write_text((ROOT / name).read_text())
    (root / "README.md").write_text("")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    copy_project(tmp_path)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    return tmp_path


def append(root: Path, text: str) -> None:
    path = root / "pyproject.toml"
    path.write_text(path.read_text() + text)


def commit(root: Path, text: str) -> None:
    append(root, text)
    git(root, "commit", "--quiet", "-am", text.strip())


def built(root: Path) -> str:
    """As setuptools-scm has it for a package; the commit by as many digits as we show, a dirty tree without its day."""
    done = subprocess.run([sys.executable, "-m", "hatchling", "version"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    short = re.sub(r"(\+g[0-9a-f]{9})[0-9a-f]*", r"\1", done.stdout.strip())
    return re.sub(r"\.d20\d{6}$", ".dirty", short)


def test_a_checkout_says_what_its_package_would(checkout: Path) -> None:
    first = of_checkout(checkout)
    assert first is not None and re.fullmatch(r"0\.1\.dev1\+g[0-9a-f]{9}", first)
    assert first == built(checkout)
    commit(checkout, "# second\n")
    git(checkout, "tag", "some-data")  # no version
    assert str(of_checkout(checkout)).startswith("0.1.dev2+g") and of_checkout(checkout) == built(checkout)
    append(checkout, "# not committed\n")
    assert str(of_checkout(checkout)).endswith(".dirty") and of_checkout(checkout) == built(checkout)
    commit(checkout, "# third\n")
    git(checkout, "tag", "v0.1.0")
    assert of_checkout(checkout) == built(checkout) == "0.1.0"
    commit(checkout, "# fourth\n")
    assert str(of_checkout(checkout)).startswith("0.1.1.dev1+g") and of_checkout(checkout) == built(checkout)
    append(checkout, "# not committed\n")
    assert str(of_checkout(checkout)).endswith(".dirty") and of_checkout(checkout) == built(checkout)


def test_what_git_does_not_know_does_not_count(checkout: Path) -> None:
    (checkout / "notes.txt").write_text("mine")
    assert not str(of_checkout(checkout)).endswith(".dirty")


def test_no_checkout_or_no_git_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert of_checkout(tmp_path) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert of_checkout(ROOT) is None


def test_a_package_in_somebody_elses_checkout_is_not_of_it(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "pyproject.toml").write_text('[project]\nname = "theirs"\n')
    monkeypatch.setattr(version, "__file__", str(checkout / "wikiprep" / "version.py"))
    monkeypatch.setattr(version, "_of_package", lambda: "1.2.3")
    assert wikiprep_version.__wrapped__() == "1.2.3"
    monkeypatch.setattr(version, "_of_package", lambda: None)
    assert wikiprep_version.__wrapped__() == UNKNOWN


def test_it_is_what_the_package_and_the_command_say() -> None:
    assert wikiprep.__version__ == wikiprep_version() != UNKNOWN
    with pytest.raises(AttributeError, match="no_such"):
        _ = wikiprep.no_such
    done = subprocess.run(
        [sys.executable, "-m", "wikiprep", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"wikiprep, version \d\S+\n", done.stdout)


def test_an_export_without_git_has_the_version_of_before_all_tags(tmp_path: Path) -> None:
    copy_project(tmp_path)
    assert built(tmp_path) == "0.1.dev0"
