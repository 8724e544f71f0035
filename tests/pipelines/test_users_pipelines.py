"""A user's own `pipelines`, which Python finds before ours would be found: it never matters, to driver or workers.

Spark's Python workers and Beam's processes look for modules in the folder in which the command was given, too.
"""

import os
import subprocess
from importlib import metadata
from pathlib import Path

import pytest
from building import command, hashes
from engine_build import Local, needs_java, package
from processes import ROOT

RAISING = "raise RuntimeError('this is the pipelines of a user')\n"
KINDS = {
    "package": {"pipelines/__init__.py": RAISING, "pipelines/options.py": RAISING},
    "plain folder": {"pipelines/load.sql": "select 1;\n", "pipelines/options.py": RAISING},
    "module": {"pipelines.py": RAISING},
}
ENGINES = {
    "spark": ("pyspark", ()),
    "FnApiRunner": ("apache-beam", ()),
    "FnApiRunner in processes": ("apache-beam", ("--direct_running_mode=multi_processing", "--direct_num_workers=2")),
}


def folder_with(kind: str, folder: Path) -> Path:
    for name, text in KINDS[kind].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture(params=KINDS)
def theirs(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with one."""
    return folder_with(request.param, tmp_path / "theirs")


def said(folder: Path, *line: str) -> "subprocess.CompletedProcess[str]":
    """What a process there says: the folder is first where it looks for modules."""
    paths = os.pathsep.join([str(folder), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_a_runner_is_found_beside_it(theirs: Path) -> None:
    words = ("build-corpus", "--sample", "-o", theirs / "out", "--runner=none")
    done = said(theirs, *command(*words))
    assert done.returncode == 2
    assert "--runner none: no such runner" in done.stderr  # by wikiprep/pipelines/options.py


@pytest.mark.parametrize("name", ["pyspark", "apache-beam"])
def test_an_engine_imports_nothing_of_it(name: str, tmp_path: Path) -> None:
    """Of one kind: whoever asks for `pipelines` gets what is there, whatever it is, and its name is then known."""
    theirs = folder_with("package", tmp_path / "theirs")
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed")
    module = "spark" if name == "pyspark" else "beam"
    code = f"import sys, wikiprep.pipelines.{module}; print('pipelines' in sys.modules)"
    done = said(theirs, command()[0], "-c", code)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.cluster
@needs_java()
@pytest.mark.parametrize("engine", ENGINES)
def test_a_build_beside_it_has_the_same_bytes(engine: str, theirs: Path, local: Local) -> None:
    name, options = ENGINES[engine]
    package(name, "spark" if name == "pyspark" else "beam")
    words = ("build-corpus", *local.words, "-o", theirs / "out", f"--runner={engine.split()[0]}", *options)
    done = said(theirs, *command(*words))
    assert done.returncode == 0, done.stderr
    assert hashes(theirs / "out") == local.hashes
