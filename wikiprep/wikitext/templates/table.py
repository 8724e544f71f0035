"""Which templates of a language are rendered, and how: data/common.txt for every wiki and data/LANGUAGE.txt.

A line is `name, name, … = pattern` (patterns.py) or `… = @function` (functions/). A name that ends in `*` stands for
all that start so. Later lines win over earlier ones. Names are compared with their first letter in capitals.
"""

import functools
from pathlib import Path

from wikiprep.wikitext.templates.functions import FUNCTIONS
from wikiprep.wikitext.templates.patterns import Renderer, compile_pattern

DATA = Path(__file__).parent / "data"


class Table:
    """Template name -> renderer."""

    def __init__(self, lines: list[str]) -> None:
        self._names: dict[str, Renderer] = {}
        self._starts: dict[str, Renderer] = {}
        for line in lines:
            if not line.strip() or line.startswith("#"):
                continue
            names, _, pattern = line.partition(" = ")
            pattern = pattern.strip()
            renderer = FUNCTIONS[pattern[1:]] if pattern.startswith("@") else compile_pattern(pattern)
            for name in names.split(", "):
                name = canonical(name.strip())
                if name.endswith("*"):
                    self._starts[name[:-1]] = renderer
                else:
                    self._names[name] = renderer

    def find(self, name: str) -> Renderer | None:
        """The renderer of a canonical name, or None."""
        found = self._names.get(name)
        if found is None:
            for mark in ("-", "/"):
                start, cut, _ = name.partition(mark)
                if cut and (found := self._starts.get(start + mark)):
                    return found
        return found


def canonical(name: str) -> str:
    """A template's name as the wiki compares it: single spaces, first letter in capitals."""
    name = " ".join(name.replace("_", " ").split())
    return name[:1].upper() + name[1:]


@functools.cache
def load_table(language: str) -> Table:
    """The table of a language; only what is common to all where it has none."""
    lines = (DATA / "common.txt").read_text(encoding="utf-8").splitlines()
    own = DATA / f"{language.partition('-')[0]}.txt"
    if own.is_file():
        lines += own.read_text(encoding="utf-8").splitlines()
    return Table(lines)
