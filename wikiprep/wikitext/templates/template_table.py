"""Which templates of a wiki are rendered, and how.

data/common.txt is for every wiki, data/LANGUAGE.txt for those of a language; projects other than Wikipedia have
data/projects/PROJECT.txt and PROJECT.LANGUAGE.txt.

A line is `name, name, … = pattern` (patterns.py), `… = @function` (functions/) or `… = @drop`: known to carry no text.
A name that ends in `*` stands for all that start so. Later lines win over earlier ones, a user's own table
(own_table.py) over all. Names are compared with their first letter in capitals. `data/dropped.txt` changes no output:
what no table names is dropped too, but as unknown.
"""

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from wikiprep.errors import WikiprepError
from wikiprep.textlines import read_lines
from wikiprep.wikitext.control_marks import has_control
from wikiprep.wikitext.templates.functions import FUNCTIONS
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.patterns import Renderer, compile_pattern

DATA = Path(__file__).parent / "data"
_HINT = (
    "a line is `name, name = pattern`, such as `lang, Lang = {2}`: "
    "`wikiprep docs templates`, `wikiprep templates --functions`"
)

Rule = Literal["rendered", "dropped", "unknown"]


def drop(arguments: object) -> None:
    """The renderer of `@drop`: nothing, and counted as dropped."""


class TemplateTable:
    """Template name -> renderer."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Raises ValueError for a line that is none of a table."""
        self._names: dict[str, Renderer] = {}
        self._starts: dict[str, Renderer] = {}
        for line in lines:
            self._add(line)
        self._lengths = sorted({len(start) for start in self._starts}, reverse=True)
        self._by_start: dict[str, Renderer | None] = {}  # names that were looked for among the beginnings

    def _add(self, line: str) -> None:
        if not line.strip() or line.startswith("#"):
            return
        left, equals, pattern = line.partition(" = ")
        if not equals:
            left, equals, pattern = line.rstrip().partition(" =")  # a pattern that shows nothing
        if not equals:
            raise ValueError("no ` = ` between names and pattern")
        renderer = _renderer(pattern.strip())
        for raw_name in left.split(", "):
            name = canonical(raw_name.strip())
            bad = next((c for c in "{}[]|<>" if c in name), "*" if "*" in name[:-1] else "")
            if bad or not name:
                raise ValueError(f"{bad!r} in the name {raw_name!r}" if bad else "an empty name")
            if name.endswith("*") and name != "*":  # {{*}} is a template of many wikis
                self._starts[name[:-1]] = renderer
            else:
                self._names[name] = renderer

    def find(self, name: str) -> Renderer | None:
        """The renderer of a canonical name, or None: its own, else that of its longest known beginning."""
        renderer = self._names.get(name)
        if renderer is None and name in self._by_start:
            return self._by_start[name]
        if renderer is None:
            renderer = next((f for length in self._lengths if (f := self._starts.get(name[:length]))), None)
            if len(self._by_start) < 100_000:
                self._by_start[name] = renderer
        return renderer

    def rule(self, name: str) -> Rule:
        """What the table says of a canonical name."""
        renderer = self.find(name)
        return "unknown" if renderer is None else "dropped" if renderer is drop else "rendered"


def _renderer(pattern: str) -> Renderer:
    if not pattern.startswith("@"):
        return compile_pattern(pattern)
    if pattern == "@drop":
        return drop
    if pattern[1:] not in FUNCTIONS:
        import difflib

        near = difflib.get_close_matches(pattern[1:], [*FUNCTIONS, "drop"], 3)
        near = [f"@{name}" for name in near]
        raise ValueError(f"no function {pattern} (near ones: {', '.join(near) or 'none'})")
    return FUNCTIONS[pattern[1:]]


def canonical(name: str) -> str:
    """A template's name as the wiki compares it: single spaces, first letter in capitals."""
    name = " ".join(name.replace("_", " ").split())
    return name[:1].upper() + name[1:]


@functools.cache
def load_table(language: str, own: OwnTable | None = None, project: str = "wikipedia") -> TemplateTable:
    """The table of a language's wiki of a project (`Siteinfo.project`), with a user's own lines last.

    Where language or project have none, only what is common to all.
    """
    lines = [*_lines("dropped"), *_lines("common"), *_wiki_lines(language, project)]
    return TemplateTable([*lines, *(own.lines if own else ())])


@functools.cache
def load_wiki_table(language: str, project: str = "wikipedia") -> TemplateTable:
    """The language's and the project's own lines, without what is common to all wikis."""
    return TemplateTable(_wiki_lines(language, project))


@functools.cache
def load_own_table(own: OwnTable) -> TemplateTable:
    """A user's own lines alone."""
    return TemplateTable(own.lines)


def read_own_table(path: str) -> OwnTable:
    """The table in the UTF-8 file at `path` (local, or a pyarrow.fs address). Raises WikiprepError with the line."""
    lines: list[str] = []
    for number, raw in read_lines(path):
        try:
            line = raw.decode()
            if has_control(line):
                raise ValueError("a control character: is this a text file?")
            TemplateTable([line])
        except UnicodeDecodeError as error:
            raise WikiprepError(f"{path}, line {number}: not UTF-8 ({error.reason})", "save it as UTF-8") from error
        except ValueError as error:
            raise WikiprepError(f"{path}, line {number}: {error}", _HINT) from error
        lines.append(line)
    return OwnTable(tuple(lines))


def _wiki_lines(language: str, project: str) -> list[str]:
    """The language's lines are Wikipedia's, so that a project's win over them."""
    code = language.partition("-")[0]
    return [*_lines(code), *_lines(f"projects/{project}"), *_lines(f"projects/{project}.{code}")]


def _lines(name: str) -> list[str]:
    path = DATA / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
