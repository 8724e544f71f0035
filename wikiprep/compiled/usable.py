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
    found = sorted(FOLDER.glob("*.pyx"))
    if not found:  # a package in a zip file, as Spark takes it, can hold no compiled module either
        return _NONE
    sources = digest()
    for path in found:
        try:
            module = import_module(f"{PACKAGE}.{path.stem}")
        except ModuleNotFoundError:
            return _NONE
        except ImportError as error:  # of another system: an older C library, for one
            return f"they cannot be loaded here: {error}"
        # In a checkout a module stays as it was compiled when its source changes.
        if getattr(module, "SOURCES", "") != sources:
            return "they are older than their sources: python hatch_build.py"
    return ""


def digest() -> str:
    """Of the sources, which wheels hold too, as `hatch_build.py` writes it into each module."""
    sources = sorted([*FOLDER.glob("*.pyx"), *FOLDER.glob("*.pxd")])
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
