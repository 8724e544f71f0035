"""The hottest loops, which Cython compiles where a C compiler is at hand. Nothing but time depends on whether it does.

Three kinds of source, so that a rule of wikitext stands in one place:

- `X.py` with `fast_X.pxd`: Python code, compiled as it is into the module `fast_X` with the types that the .pxd adds.
  `fastest(X.function)` gives the compiled function, or the Python one. To change a rule, change `X.py`.
- `X.pyx`: loops over memory that Python has no quick words for. They hold no rule that could change: `rare_characters`
  and `spaces` replace characters that others choose, `xml_text` and `bz2_block` read formats that are what they are,
  `links`, `blocks` and `spans` copy what is plain and ask for each rule where it stands: what a target means, which
  letters join a link, what a heading is (Python code beside their use), which apostrophes are marks (`quotes.py`); or
  they hand the place back. `fast_path` gives one to the Python code beside its use, or None.
- `characters.py`: the marks, limits and sets of characters that both take, made constants of C when it is compiled.

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
    """A function of `X.py` in this folder as `fast_X` has it; itself where nothing is compiled, or left out."""
    module = function.__module__.rpartition(".")[2]
    return cast(Callable[P, R], fast_path(f"fast_{module}", function.__name__)) if COMPILED else function
