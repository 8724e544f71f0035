"""Short cuts of the hottest loops, compiled by Cython where a C compiler was at hand.

Each does what Python code beside its use does, to the byte, or hands back what it does not know (tests/compiled), so
nothing but time depends on whether it is there.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

PURE = bool(os.environ.get("WIKIPREP_PURE_PYTHON"))  # leaves them out
COMPILED = not PURE and find_spec("wikiprep.compiled.links") is not None


def short_cut(module: str, name: str) -> Any:
    """`name` of the compiled `module` in this folder; None where short cuts are not compiled, or left out."""
    return getattr(import_module(f"wikiprep.compiled.{module}"), name) if COMPILED else None
