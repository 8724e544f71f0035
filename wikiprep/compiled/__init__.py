"""Fast paths of the hottest loops, compiled by Cython where a C compiler was at hand.

Each does what Python code beside its use does, to the byte, or hands back what it does not know (tests/compiled), so
nothing but time depends on whether it is there.
"""

from importlib import import_module
from typing import Any

from wikiprep.compiled.usable import why_not

WHY_NOT = why_not()  # the reason why fast paths are left out, or nothing
COMPILED = not WHY_NOT


def fast_path(module: str, name: str) -> Any:
    """`name` of the compiled `module` in this folder; None where fast paths are not compiled, or left out."""
    return getattr(import_module(f"wikiprep.compiled.{module}"), name) if COMPILED else None
