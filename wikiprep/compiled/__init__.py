"""What Cython compiles where a C compiler is at hand. Nothing but time depends on whether it does.

Two kinds of source, so that a rule of wikitext stands in one place:

- `X.py` with `fast_X.pxd` beside it, in a folder that `usable.FOLDERS` names: Python code, compiled as it is into the
  module `fast_X` with the types that the .pxd adds. `fastest(X.function)` gives the compiled function or class, or the
  Python one. To change a rule, change `X.py`. Places in lists and texts are checked as Python does, unless the first
  line of `X.py` says otherwise: there the code itself must.
- `X.pyx` here: loops over memory that Python has no quick words for. They hold no rule: `rare_characters` looks for
  characters that others choose, `xml_text` and `bz2_block` read formats that are what they are. `fast_path` gives one
  to the Python code beside its use, or None.

What the .pxd must follow: each `self._x` of a class that it declares, and the parameters of each function that it
names. These take no keywords in calls from each other, and hold no lambda and no generator (a list in brackets does).
A new variable of a hot loop deserves a type there. Constants are the compiled module's own: a test that replaces
`X.LIMIT` changes the Python way alone. Whoever asks for a compiled function or class is in `tests/compiled/ways.py`.

The modules in this folder import nothing else of wikiprep but `characters.py`.

After a change of any of them: `python hatch_build.py`, then `pytest tests/compiled`, which runs both ways on the same
input. Until then the old compiled modules are left out (`usable.py`), so that a change acts at once, only slower.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, cast

from wikiprep.compiled.usable import why_not

P = ParamSpec("P")
R = TypeVar("R")

WHY_NOT = why_not()  # the reason why fast paths are left out, or nothing
COMPILED = not WHY_NOT


def fast_path(module: str, name: str) -> Any:
    """`name` of the compiled `module` in this folder; None where fast paths are not compiled, or left out."""
    return getattr(import_module(f"wikiprep.compiled.{module}"), name) if COMPILED else None


def fastest(function: Callable[P, R]) -> Callable[P, R]:
    """A function or class of `X.py` as `fast_X` beside it has it; itself where nothing is compiled, or left out."""
    folder, _, module = function.__module__.rpartition(".")
    name = f"{folder}.fast_{module}"
    return cast(Callable[P, R], getattr(import_module(name), function.__name__)) if COMPILED else function
