"""Wheels with compiled modules, and without them where they cannot be built: never an install that fails for it.

Most of it builds a tiny project with the real pyproject.toml and build hook, by what is installed here.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from sysconfig import get_config_var
from zipfile import ZipFile

import pytest
from processes import ROOT

from wikiprep.version import of_checkout

SUFFIX = str(get_config_var("EXT_SUFFIX"))
FOLDER = "wikiprep/compiled"
OTHER = "wikiprep/wikitext"
VERSION = "0.1.dev0"  # of a tree without git
GENERATED = "wikiprep/_version.py"
WARNING = "WARNING: wikiprep's compiled modules could not be built: "
compiler = pytest.mark.skipif(
    not shutil.which(str(get_config_var("CC")).split()[0]), reason="no C compiler: nothing can be compiled here"
)
# A module in Cython, with a constant from a file of its own, and one in Python, as the real ones are.
TINY = {
    "wikiprep/__init__.py": "",
    f"{FOLDER}/__init__.py": "",
    f"{FOLDER}/three.pxd": "cdef enum:\n    THREE = 3\n",
    f"{FOLDER}/ten.pyx": (
        f"from {FOLDER.replace('/', '.')}.three cimport THREE\n\n"
        "def ten(int times):\n    return times * (7 + THREE)\n"
        # Cython warns of this, and nobody should read that in place of an error.
        "cimport cython\n@cython.wraparound(False)\ndef last(list it):\n    return it[-1]\n"
    ),
    f"{FOLDER}/found.py": (
        "def found(text: str) -> list[int]:\n    at = text.find('a')\n    places: list[int] = []\n"
        "    while at >= 0:\n        places.append(at)\n        at = text.find('a', at + 1)\n    return places\n"
    ),
    f"{FOLDER}/fast_found.pxd": "cpdef list found(str text)\n",
    # One of another folder, which calls a function of the other compiled as it is.
    f"{OTHER}/__init__.py": "",
    f"{OTHER}/reader.py": (
        f"from {FOLDER.replace('/', '.')}.found import found\n\n\n"
        "class Reader:\n    def __init__(self, text: str) -> None:\n        self._text = text\n\n"
        "    def read(self) -> list[int]:\n        return found(self._text)\n"
    ),
    f"{OTHER}/fast_reader.pxd": (
        f"from {FOLDER.replace('/', '.')}.fast_found cimport found\n\n"
        "cdef class Reader:\n    cdef str _text\n    cpdef list read(self)\n"
    ),
    "pipelines/__init__.py": "",
    "pipelines/engine.py": "ENGINE = 1\n",
    "docs/index.md": "# Tiny\n",
    "docs/conf.py": "",
    "README.md": "Tiny: [docs/index.md](docs/index.md#a), [how](docs/index.md), [code](ARCHITECTURE.md), [it](https://b.c).\n",
    "LICENSE": "None.\n",
}
# pipelines/ is nobody's name for what is installed: users have folders of that name.
INSTALLED = {name.replace("pipelines/", "wikiprep/pipelines/") for name in TINY if name.startswith(("wiki", "pipe"))}
COMPILED = {f"{name}{SUFFIX}" for name in (f"{FOLDER}/fast_found", f"{FOLDER}/ten", f"{OTHER}/fast_reader")}
INSTALLED.add("wikiprep/documentation/index.md")  # for `wikiprep docs`; what makes the site of it stays behind


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The tiny project."""
    root = tmp_path / "tiny"
    for name, text in TINY.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for name in ("pyproject.toml", "hatch_build.py", "hatch_readme.py", ".gitignore"):
        shutil.copy(ROOT / name, root)
    (root / "wikiprep" / "pipelines").symlink_to("../pipelines")
    return root


def run(root: Path, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "WIKIPREP_COMPILE")}
    variables = {"PYTHONDONTWRITEBYTECODE": "1"} | variables  # what the tests count are the build's own files
    return subprocess.run(
        [sys.executable, *words], cwd=root, env=environment | variables, capture_output=True, text=True, check=False
    )


def build(root: Path, target: str = "wheel", **variables: str) -> tuple[Path, str]:
    """The file built, and what was said."""
    done = run(root, "-m", "hatchling", "build", "-t", target, "-d", "dist", **variables)
    assert done.returncode == 0, done.stderr
    (built,) = (root / "dist").iterdir()
    return built, done.stderr


def names(wheel: Path) -> set[str]:
    """Of the packages' files."""
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def ten(wheel: Path, folder: Path) -> str:
    """What the wheel's compiled module says, or why it cannot."""
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    done = run(folder, "-c", f"from {FOLDER.replace('/', '.')} import ten; print(ten.ten(2))", PYTHONPATH=str(folder))
    return done.stdout + done.stderr


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


@compiler
def test_a_wheel_holds_the_compiled_module_beside_its_source(tiny: Path, tmp_path: Path) -> None:
    for old in (f"{FOLDER}/ten{SUFFIX}", f"{FOLDER}/ten.cpython-310-x86_64-linux-gnu.so", "wikiprep/lost.pyd"):
        (tiny / old).write_text("of an editable install, of long ago")
    before = files(tiny)
    wheel, said = build(tiny, WIKIPREP_COMPILE="required")
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.startswith(f"wikiprep-{VERSION}-{tag}-{tag}-") and "warning" not in said.lower()
    assert names(wheel) == INSTALLED | COMPILED | {GENERATED}
    assert ten(wheel, tmp_path / "there") == "20\n"
    assert files(tiny) - before == {f"dist/{wheel.name}", GENERATED}  # no C, no objects


def test_an_editable_install_imports_by_the_same_names(tiny: Path) -> None:
    wheel, _ = build(tiny, "wheel:editable", WIKIPREP_COMPILE="never")
    with ZipFile(wheel) as archive:
        (pth,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith(".pth"))
    code = "import sys, wikiprep.pipelines.engine as it; print(it.ENGINE, 'pipelines' in sys.modules)"
    done = run(tiny / "dist", "-c", code, PYTHONPATH=pth.strip())
    assert (done.stdout, done.stderr) == ("1 False\n", "")


def test_the_package_index_is_shown_no_link_that_leads_nowhere(tiny: Path, tmp_path: Path) -> None:
    with ZipFile(build(tiny, WIKIPREP_COMPILE="never")[0]) as archive:
        metadata = archive.read(f"wikiprep-{VERSION}.dist-info/METADATA").decode()
    head, _, shown = metadata.partition("\n\n")
    assert shown == "Tiny: `wikiprep docs index`, how (`wikiprep docs index`), code, [it](https://b.c).\n"
    assert "Description-Content-Type: text/markdown" in head
    spec = importlib.util.spec_from_file_location("hatch_readme", ROOT / "hatch_readme.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shown = module.for_the_index((ROOT / "README.md").read_text(encoding="utf-8"))
    assert not re.findall(r"\]\((?!https?:)[^)]*\)", shown) and "`wikiprep docs install`" in shown


@compiler
def test_the_same_sources_are_the_same_wheel(tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "elsewhere")
    assert build(tiny)[0].read_bytes() == build(tmp_path / "elsewhere")[0].read_bytes()


@compiler
def test_an_sdist_makes_the_same_wheel(tiny: Path, tmp_path: Path) -> None:
    with tarfile.open(build(tiny, "sdist")[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    shutil.rmtree(tiny / "dist")
    assert names(build(tmp_path / f"wikiprep-{VERSION}")[0]) == names(build(tiny)[0])


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({"CC": "false"}, "false returned non-zero exit status 1"),
        ({"CC": "no-such-compiler"}, "no-such-compiler"),
        ({"CFLAGS": "-include /no/such.h"}, "/no/such.h: No such file or directory"),
        ({"PYTHONPATH": "shadow"}, "no Cython today"),
    ],
)
def test_without_a_compiler_the_wheel_is_of_python_alone(tiny: Path, variables: dict[str, str], why: str) -> None:
    if "CFLAGS" in variables and compiler.args[0]:
        pytest.skip("no C compiler whose message could be read")
    (tiny / "shadow" / "Cython").mkdir(parents=True)
    (tiny / "shadow" / "Cython" / "__init__.py").write_text("raise ImportError('no Cython today')\n")
    wheel, said = build(tiny, **variables)
    (line,) = [line for line in said.splitlines() if wheel.name not in line]
    assert line.startswith(WARNING) and why in line and "docs/install.md" in line
    assert wheel.name == f"wikiprep-{VERSION}-py3-none-any.whl"
    assert f"{FOLDER}/ten.pyx" in names(wheel) and not [name for name in names(wheel) if name.endswith(".so")]
    required = run(tiny, "-m", "hatchling", "build", "-t", "wheel", **variables, WIKIPREP_COMPILE="required")
    last = required.stderr.splitlines()[-1]
    assert required.returncode == 1 and "Traceback" not in required.stderr
    assert last.startswith("ERROR: ") and why in last and last.endswith("(WIKIPREP_COMPILE=required)")


def test_a_source_that_is_wrong_is_named(tiny: Path) -> None:
    with (tiny / FOLDER / "ten.pyx").open("a") as file:
        file.write("\na b\n")
    wheel, said = build(tiny)
    assert f"{WARNING}{FOLDER}/ten.pyx:10:2: Syntax error" in said and "py3-none-any" in wheel.name


def test_sources_that_are_missing_are_no_reason_to_be_content(tiny: Path) -> None:
    for name in (f"{FOLDER}/ten.pyx", f"{FOLDER}/fast_found.pxd", f"{OTHER}/fast_reader.pxd"):
        (tiny / name).unlink()
    wheel, said = build(tiny)
    assert f"{WARNING}no sources (*.pyx) in {tiny / 'wikiprep'}" in said and "py3-none-any" in wheel.name
    required = run(tiny, "-m", "hatchling", "build", "-t", "wheel", WIKIPREP_COMPILE="required")
    assert required.returncode == 1 and "Traceback" not in required.stderr and "no sources" in required.stderr


def test_never_compiles_nothing_and_says_nothing(tiny: Path) -> None:
    wheel, said = build(tiny, WIKIPREP_COMPILE="never")
    assert wheel.name == f"wikiprep-{VERSION}-py3-none-any.whl" and "WARNING" not in said
    wrong = run(tiny, "-m", "hatchling", "build", "-t", "wheel", WIKIPREP_COMPILE="nver")
    assert wrong.returncode == 1 and wrong.stderr.startswith("ERROR: WIKIPREP_COMPILE=nver: no such choice")


@compiler
def test_a_checkout_is_compiled_in_place(tiny: Path) -> None:
    def said(*words: str) -> str:
        done = run(tiny, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    other = f"{FOLDER}/ten.cpython-310-x86_64-linux-gnu.so"
    (tiny / other).write_text("another Python's")
    for ours in COMPILED:
        (tiny / ours).write_text("an old one")
    before = files(tiny)
    assert said("hatch_build.py").splitlines() == sorted(COMPILED)
    assert {name for name in files(tiny) if "__pycache__" not in name} == before
    assert (tiny / other).read_text() == "another Python's"
    module = f"{FOLDER.replace('/', '.')}.ten"
    digests = f"import hatch_build, {module} as it; from pathlib import Path as P\n"
    digests += "print(it.SOURCES == hatch_build.digest(P('wikiprep')))"
    assert said("-c", digests) == "True\n"
    for name, text in (
        (f"{FOLDER}/three.pxd", "cdef enum:\n    THREE = 4\n"),
        (f"{FOLDER}/found.py", TINY[f"{FOLDER}/found.py"] + "# A changed rule.\n"),
        (f"{OTHER}/reader.py", TINY[f"{OTHER}/reader.py"] + "# A changed rule.\n"),
    ):
        (tiny / name).write_text(text)
        assert said("-c", digests) == "False\n"
        (tiny / name).write_text(TINY[name])
        assert said("-c", digests) == "True\n"


@compiler
def test_python_code_is_compiled_under_another_name(tiny: Path) -> None:
    done = run(tiny, "hatch_build.py")
    assert done.returncode == 0, done.stderr
    package = FOLDER.replace("/", ".")
    code = f"from {package} import fast_found, found; text = 'banana'\n"
    code += "print(found.__file__[-3:], fast_found.__file__[-3:], found.found(text) == fast_found.found(text))\n"
    code += f"from {OTHER.replace('/', '.')} import fast_reader as it; print(it.Reader(text).read(), vars(it.Reader))"
    lines = run(tiny, "-c", code).stdout.splitlines()
    assert lines[0] == ".py .so True"
    assert lines[1].startswith("[1, 3, 5] ") and "_text" not in lines[1]  # a field of C
    wrong = run(tiny, "-c", f"from {package} import fast_found; fast_found.found(b'banana')")
    assert "TypeError" in wrong.stderr


@compiler
def test_the_real_sdist_makes_a_wheel_with_every_module(tmp_path: Path) -> None:
    done = run(ROOT, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path / "sdist"))
    assert done.returncode == 0, done.stderr
    (sdist,) = (tmp_path / "sdist").iterdir()
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (root,) = tmp_path.glob("wikiprep-*")
    assert root.name == sdist.name.removesuffix(".tar.gz")
    wheel, _ = build(root, WIKIPREP_COMPILE="required")
    found = names(wheel)
    # Built of the sdist, as in the images: no git there, and the same version; a checkout's is its commit's.
    version = root.name.removeprefix("wikiprep-")
    assert wheel.name.startswith(f"wikiprep-{version}-")
    with ZipFile(wheel) as archive:
        assert f"version = '{version}'" in archive.read(GENERATED).decode()
    if (commit := of_checkout(ROOT)) is not None:
        assert version.startswith(commit.removesuffix(".dirty"))
    modules = sorted(name for name in found if name.endswith(".pyx"))
    assert modules == sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("wikiprep/**/*.pyx"))
    for name in modules:
        assert name.replace(".pyx", SUFFIX) in found
    typed = sorted(ROOT.glob("wikiprep/**/fast_*.pxd"))
    assert typed
    for path in typed:
        name = path.relative_to(ROOT).as_posix()
        assert {name, name.replace("fast_", "").replace(".pxd", ".py"), name.replace(".pxd", SUFFIX)} <= found
    rooms = [ROOT / "wikiprep", *(ROOT / "wikiprep").glob("pipelines/")]  # a link in a checkout, and rglob follows none
    python = {path.relative_to(ROOT).as_posix() for room in rooms for path in room.rglob("*.py")}
    assert "wikiprep/pipelines/beam.py" in python
    assert python <= found
    assert {name.split("/")[0] for name in found} == {"wikiprep"}


def test_the_real_wheel_of_python_alone_reads_a_page(tmp_path: Path) -> None:
    done = run(ROOT, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist"), WIKIPREP_COMPILE="never")
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("wikiprep-*-py3-none-any.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "there")
    said = run(tmp_path, "-m", "wikiprep", "--version", PYTHONPATH=str(tmp_path / "there"))
    assert said.stdout == f"wikiprep, version {wheel.name.split('-')[1]}\n"
    (tmp_path / "page.wiki").write_text("'''Mars''' is a [[planet]].\n")
    code = "import wikiprep.cli.main as it; print(it.__file__); it.main()"
    there = run(
        tmp_path, "-c", code, "wikitext", "--lang", "en", "--pretty", "page.wiki", PYTHONPATH=str(tmp_path / "there")
    )
    assert there.returncode == 0, there.stderr
    assert there.stdout.startswith(str(tmp_path)) and "planet" in there.stdout


def test_what_builds_here_is_what_builds_a_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(project["build-system"]["requires"]) <= set(project["project"]["optional-dependencies"]["test"])
    assert {re.split(r"[<>=]", it)[0] for it in project["build-system"]["requires"]} == {
        "hatchling",
        "cython",
        "hatch-vcs",
        "setuptools",
    }
