"""Compiles the hottest code into the wheel; where that cannot be, the wheel is of Python alone.

Python code does what each module does, with the same bytes; of most it is the very source (`wikiprep/compiled/` says
of which). So no compiler, or one that fails, costs a line of warning and speed, never the install.
WIKIPREP_COMPILE=required makes it an error, as in CI and images; WIKIPREP_COMPILE=never makes the wheel of Python alone
on purpose. An editable install has the compiled modules beside their sources, as a checkout has after
`python hatch_build.py`. C files and objects lie in a temporary folder.
"""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from sysconfig import get_config_var
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# No debug information: it names the temporary folder, and the same sources would not be the same file.
FLAGS = ["-O3", "-g0"]
# Types come from .pxd files alone: what Python's annotations call int is no number of C. The types of what is found in
# texts follow from it. Places in lists and texts are checked, but in files whose first line says that they need not be.
DIRECTIVES = {"language_level": 3, "annotation_typing": False, "infer_types": True}
CHOICES = ("", "required", "never")
FAILED = "wikiprep's compiled modules could not be built"
SLOWER = "All works without them, only slower: docs/install.md"


class CompiledModules(BuildHookInterface[BuilderConfig]):
    """Hatchling finds the hook by its being the one in this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is packed. `version`: "standard" or "editable"."""
        choice = os.environ.get("WIKIPREP_COMPILE", "")
        if choice not in CHOICES:
            self.app.abort(f"ERROR: WIKIPREP_COMPILE={choice}: no such choice; it is `required`, `never`, or not set")
        root = Path(self.root)
        if version == "editable":
            remove_beside(root)
        else:  # what messages name as `wikiprep docs PAGE` (wikiprep/cli/docs.py)
            pages = sorted((root / "docs").glob("*.md"))
            build_data["force_include"] |= {str(page): f"wikiprep/documentation/{page.name}" for page in pages}
        if choice == "never":
            return
        self.work = TemporaryDirectory(prefix="wikiprep-compile-")
        try:
            built = compile_modules(root, Path(self.work.name))
            if version == "editable":
                put_beside(root, built)
        except Exception as error:  # whatever it is, the Python code does the same
            if choice == "required":
                self.app.abort(f"{error}\n\nERROR: {FAILED}: {in_a_line(error)} (WIKIPREP_COMPILE=required)")
            self.app.display_warning(f"WARNING: {FAILED}: {in_a_line(error)}. {SLOWER}")
            return
        if version != "editable":
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["force_include"] |= {str(file): path.as_posix() for path, file in built.items()}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The wheel is packed: the temporary folder goes."""
        if hasattr(self, "work"):
            self.work.cleanup()


def compile_modules(root: Path, work: Path) -> dict[Path, Path]:
    """Compile all X.pyx below `root`/wikiprep, and all X.py with a fast_X.pxd; the files made, in `work`, by their
    paths in the wheel.

    Raises whatever Cython, setuptools and the compiler raise; FileNotFoundError without sources, since
    WIKIPREP_COMPILE=required would else be content with none.
    """
    sources = [path.relative_to(root) for path in sources_in(root / "wikiprep")]
    modules = {path.with_suffix(""): path for path in sources if path.suffix == ".pyx"}
    modules |= {types.with_suffix(""): python_of(types) for types in sources if is_types(types)}
    if not modules:
        raise FileNotFoundError(f"no sources (*.pyx) in {root / 'wikiprep'}")
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    for path in sources:
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, work / path)
    for folder in {parent for path in modules for parent in path.parents[:-1]}:
        (work / folder / "__init__.py").touch()  # else Cython takes a .pxd of the same name from a checkout on sys.path
    made_of = digest(root / "wikiprep")
    for path in modules.values():  # of which sources it is made, so that one beside newer sources can be told
        with (work / path).open("a", encoding="utf-8") as file:
            file.write(f'\nSOURCES = "{made_of}"\n')
    # What Cython writes of paths, into tracebacks and C, is relative to the current folder.
    with chdir(work), said_in_the_error():
        asked = [
            Extension(".".join(name.parts), [path.as_posix()], extra_compile_args=FLAGS)
            for name, path in sorted(modules.items())
        ]
        made = cythonize(asked, quiet=True, compiler_directives=DIRECTIVES)
        command = build_ext(Distribution({"name": "wikiprep", "ext_modules": made}))
        command.build_lib, command.build_temp = "lib", "objects"
        command.ensure_finalized()
        command.run()
    return {path.relative_to(work / "lib"): path for path in map(work.joinpath, sorted(command.get_outputs()))}


def is_types(path: Path) -> bool:
    """Whether it is a fast_X.pxd, which makes a compiled module of X.py."""
    return path.suffix == ".pxd" and path.name.startswith("fast_")


def python_of(types: Path) -> Path:
    return types.with_name(f"{types.stem.removeprefix('fast_')}.py")


@contextmanager
def said_in_the_error() -> Iterator[None]:
    """What Cython and compilers say on stderr is part of the error (a RuntimeError), and nowhere if there is none."""
    sys.stderr.flush()
    kept = os.dup(2)
    with TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        os.dup2(said.fileno(), 2)
        try:
            yield
        except Exception as error:
            sys.stderr.flush()
            said.seek(0)
            # A compiler's 20 words of flags say nothing.
            why = re.sub(r"Command '\['(.*?)'.*\]' returned", r"\1 returned", str(error))
            raise RuntimeError(f"{said.read()}\n{why}".strip(" \n.")) from None
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)


def sources_in(package: Path) -> list[Path]:
    """What the compiled modules of a package are made of; a module may take functions from any of them."""
    found = [path for kind in ("*.pyx", "*.pxd") for path in package.rglob(kind)]
    typed = [python_of(path) for path in found if is_types(path)]
    return sorted([*found, *typed])


def digest(package: Path) -> str:
    """Of a package's sources, as `wikiprep/compiled/usable.py` takes it."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources_in(package))).hexdigest()


def in_a_line(error: Exception) -> str:
    """The first thing that went wrong, of all that Cython or a compiler says."""
    lines = [line.strip() for line in str(error).splitlines() if "warning: " not in line] or [type(error).__name__]
    return next((line for line in lines if re.search(r"(error|:\d+:\d+): ", line)), lines[-1])


def remove_beside(root: Path) -> None:
    """Take this Python's compiled modules from a checkout; those of another Python do not disturb."""
    for path in (root / "wikiprep").rglob(f"*{get_config_var('EXT_SUFFIX')}"):
        path.unlink()


def put_beside(root: Path, built: dict[Path, Path]) -> None:
    """Compiled modules to their sources in a checkout."""
    for path, file in built.items():
        shutil.copy(file, root / path)


def main() -> None:
    """Compile a checkout's modules, beside their sources. Errors are errors here."""
    root = Path(__file__).resolve().parent
    remove_beside(root)
    with TemporaryDirectory(prefix="wikiprep-compile-") as work:
        built = compile_modules(root, Path(work))
        put_beside(root, built)
    print(*(str(path) for path in built), sep="\n")


if __name__ == "__main__":
    main()
