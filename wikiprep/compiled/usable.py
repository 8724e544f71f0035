"""Whether the compiled modules may be used: all of them or none, and only what is made of the sources beside it."""

import hashlib
import os
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent
PACKAGE = __name__.rpartition(".")[0]
_NONE = f"there are none for this Python in {FOLDER} (wikiprep docs install)"  # which of a checkout and an installation


def why_not() -> str:
    """Why the compiled modules are left out, in half a sentence; nothing if they are used."""
    if os.environ.get("WIKIPREP_PURE_PYTHON"):
        return "WIKIPREP_PURE_PYTHON is set"
    found = modules()
    if not found:  # a package in a zip file, as Spark takes it, can hold no compiled module either
        return _NONE
    made_of = digest()
    for name in found:
        try:
            module = import_module(f"{PACKAGE}.{name}")
        except ModuleNotFoundError:
            return _NONE
        except ImportError as error:  # of another system: an older C library, for one
            return f"they cannot be loaded here: {error}"
        # In a checkout a module stays as it was compiled when its source changes.
        if getattr(module, "SOURCES", "") != made_of:
            return "they are older than their sources: python hatch_build.py"
    return ""


def modules() -> list[str]:
    """The compiled modules that there should be: of each X.pyx its X, of each fast_X.pxd, with X.py, its fast_X."""
    return sorted(path.stem for path in [*FOLDER.glob("*.pyx"), *FOLDER.glob("fast_*.pxd")])


def digest() -> str:
    """Of the sources, which wheels hold too, as `hatch_build.py` writes it into each module."""
    typed = [path.with_name(f"{path.stem.removeprefix('fast_')}.py") for path in FOLDER.glob("fast_*.pxd")]
    sources = sorted([*FOLDER.glob("*.pyx"), *FOLDER.glob("*.pxd"), *typed, *FOLDER.glob("characters.py")])
    # Of .pyc files alone there is no X.py: nobody can tell then what the modules are made of.
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources if path.exists())).hexdigest()
