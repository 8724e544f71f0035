"""Which tests to run for a change: prints the command. `python tests/which.py` takes the change from git.

    python tests/which.py                          # what differs from the last commit, untracked files too
    python tests/which.py main                     # what differs from a branch or commit
    python tests/which.py wikiprep/x/y.py …        # of these files
    $(python tests/which.py)                       # run it

A module has the tests that name it, else those of the nearest modules that import it (tests/module_map.py); a file that
is no module those of its folder; what all tests may depend on, the quick ones.
"""

import subprocess
import sys
from pathlib import Path

import module_map
from module_map import ROOT, TESTS

QUICK = "pytest -n 2 -m quick"
# Files that are no modules, by how their path begins: what looks at them.
OTHERS = {
    "docs/": ["tests/test_docs.py", "tests/test_documentation.py"],
    "README.md": ["tests/test_docs.py", "tests/test_reading_examples.py"],
    "ARCHITECTURE.md": ["tests/test_architecture.py"],
    "docker/": ["tests/docker"],
    "benchmarks/": ["tests/benchmarks"],
    ".ci/": ["tests/test_ci_lock.py"],
    "pyproject.toml": [
        "tests/test_packaging.py",
        "tests/test_version.py",
        "tests/test_extras.py",
        "tests/test_ci_lock.py",
    ],
    "hatch_": ["tests/test_packaging.py", "tests/test_version.py"],
    "wikiprep/compiled/": ["tests/compiled"],
}


def of_file(path: str) -> list[str] | None:
    """Test files and folders for one file of the checkout; None where it may touch all tests."""
    by_path = {file: name for name, file in module_map.modules().items()}
    if path.startswith("wikiprep/pipelines/"):
        path = path.removeprefix("wikiprep/")
    if path.endswith(".pxd") and not path.startswith("wikiprep/compiled/"):  # types of a file that is compiled too
        python = path.replace("fast_", "").replace(".pxd", ".py")
        return ["tests/compiled", *module_map.tests_for(by_path[python])] if python in by_path else ["tests/compiled"]
    if path in by_path:
        return module_map.tests_for(by_path[path])
    if path.startswith("tests/"):
        return _of_tests(ROOT / path)
    if known := next((tests for start, tests in OTHERS.items() if path.startswith(start)), None):
        return known
    return _of_data(path)


def _of_tests(path: Path) -> list[str] | None:
    if path.name.startswith("test_"):
        return [path.relative_to(ROOT).as_posix()] if path.is_file() else []
    if path == TESTS / "conftest.py" or path.is_relative_to(TESTS / "data"):
        return None
    users = [file for file in module_map.test_files() if path in module_map.helpers_of(file)]
    if users:
        return [file.relative_to(ROOT).as_posix() for file in users]
    return [path.parent.relative_to(ROOT).as_posix()] if path.name == "conftest.py" else []


def _of_data(path: str) -> list[str]:
    """Of a data file: the tests that name it, and the tests beside the modules of its folder, or of one above."""
    if not path.startswith(("wikiprep/", "pipelines/")):
        return []
    name = Path(path).name
    found = [it.relative_to(ROOT).as_posix() for it in module_map.test_files() if name in it.read_text("utf-8")]
    for folder in Path(path).parents:
        beside = ROOT / module_map.mirrored(f"{folder.as_posix()}/x")
        if beside.is_dir() and beside != TESTS:
            return [*found, beside.relative_to(ROOT).as_posix()]
    return found


def changed(since: str = "HEAD") -> list[str]:
    """Files that differ from a commit, and those that git does not know yet."""
    asked = (["diff", "--name-only", since, "--"], ["ls-files", "--others", "--exclude-standard"])
    said = [subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True) for words in asked]
    return [line for done in said for line in done.stdout.splitlines()]


def command(files: list[str]) -> str:
    """The one command for all these files; "" where no test looks at any of them."""
    found: dict[str, None] = {}
    for path in files:
        tests = of_file(path)
        if tests is None:
            return QUICK
        found |= dict.fromkeys(tests)
    folders = {test for test in found if not test.endswith(".py")}
    kept = [test for test in found if not any(test.startswith(f"{folder}/") for folder in folders)]
    return " ".join(["pytest -n 2", *kept]) if kept else ""


def main(words: list[str]) -> int:
    if words and all((ROOT / word).exists() or Path(word).exists() for word in words):
        here = [(Path(word) if Path(word).exists() else ROOT / word).resolve() for word in words]
        files = [path.relative_to(ROOT).as_posix() for path in here]
    elif len(words) > 1:
        print(f"no such file: {next(word for word in words if not Path(word).exists())}", file=sys.stderr)
        return 2
    else:
        files = changed(*words)
    line = command(files)
    print(line or "true")
    if not line:
        print(f"no test looks at {', '.join(files) or 'nothing: no file differs'}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
