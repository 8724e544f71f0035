"""Whether the compiled modules may be used: all of them or none, and only what is made of the sources beside it."""

import hashlib
import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

PACKAGE = __name__.partition(".compiled.")[0]
ROOT = Path(__file__).parents[1]
_LEAVES = "compiled"  # a folder whose modules import nothing else of wikiprep
# All that have sources of compiled modules: to look through every folder takes longer.
FOLDERS = (_LEAVES, "wikitext", "wikitext/templates")
_NONE = f"there are none for this Python in {ROOT} (wikiprep docs install)"  # which of a checkout and an installation


def why_not() -> str:
    """Why the compiled modules are left out, in half a sentence; nothing if they are used."""
    if os.environ.get("WIKIPREP_PURE_PYTHON"):
        return "WIKIPREP_PURE_PYTHON is set"
    found = modules()
    if not found:  # a package in a zip file, as Spark takes it, can hold no compiled module either
        return _NONE
    made_of = digest()
    for name in found:
        if not name.startswith(f"{_LEAVES}."):  # it imports what asks this module: it can only be looked for
            if find_spec(f"{PACKAGE}.{name}") is None:
                return _NONE
            continue
        try:
            module = import_module(f"{PACKAGE}.{name}")
        except ModuleNotFoundError:
            return _NONE
        except ImportError as error:  # of another system: an older C library, for one
            return f"they cannot be loaded here: {error}"
        # In a checkout a module stays as it was compiled when its source changes. All are compiled at once.
        if getattr(module, "SOURCES", "") != made_of:
            return "they are older than their sources: python hatch_build.py"
    return ""


def modules() -> list[str]:
    """The compiled modules that there should be: of each X.pyx its X, of each fast_X.pxd, with X.py, its fast_X."""
    made_of = (path for path in _sources() if path.suffix == ".pyx" or _is_types(path))
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in made_of)


def digest() -> str:
    """Of the sources, which wheels hold too, as `hatch_build.py` writes it into each module."""
    # Of .pyc files alone there is no X.py: nobody can tell then what the modules are made of.
    return hashlib.sha256(b"".join(path.read_bytes() for path in _sources() if path.exists())).hexdigest()


def _sources() -> list[Path]:
    found = [path for folder in FOLDERS for kind in ("*.pyx", "*.pxd") for path in (ROOT / folder).glob(kind)]
    typed = [path.with_name(f"{path.stem.removeprefix('fast_')}.py") for path in found if _is_types(path)]
    return sorted([*found, *typed])


def _is_types(path: Path) -> bool:
    return path.suffix == ".pxd" and path.name.startswith("fast_")
