"""Lua modules that are known here: `{{#invoke:Module|function|…}}` shows what a template of the tables shows.

data/lists/modules.txt has a line `Module/function, … = Template name` each; `Module/*` stands for all its functions,
`@drop` says that they show nothing in the running text, `{code}` in a name is that argument of the call. Names of
modules do not depend on the wiki: they travel with their code.
"""

import functools
import re
from pathlib import Path

from wikiprep.wikitext.template_calls import outermost

_FILE = Path(__file__).parent / "data" / "lists" / "modules.txt"
INVOKE = re.compile(r"\s*#invoke\s*:\s*([^{}|]+?)\s*\|\s*([^{}|]+?)\s*(?=\||\Z)", re.IGNORECASE)
_CALLS = re.compile(r"\{\{\s*#invoke\s*:([^{}|]*)\|?([^{}|]*)", re.IGNORECASE)
DROP = "@drop"


@functools.cache
def _templates() -> dict[str, str]:
    templates: dict[str, str] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            names, _, stands_for = line.partition(" = ")
            templates |= {name.strip().casefold(): stands_for.strip() for name in names.split(", ")}
    return templates


@functools.lru_cache(10_000)
def template_of(module: str, function: str) -> str | None:
    """The name of the template that shows what a module's function does, `DROP`, or None for what is not known.

    `main`, and a function named as its module, stand for the template of the module's name.
    """
    module = " ".join(module.replace("_", " ").split()).rpartition(":")[2].strip().casefold()
    function = function.strip().casefold()
    templates = _templates()
    template = templates.get(f"{module}/{function}") or templates.get(f"{module}/*")
    if template is None and function in ("main", module):
        return module
    return template


def calls_in(body: str) -> list[tuple[str, str]]:
    """(module, function) of every `#invoke` in a definition; ("", "") for one whose names are computed."""
    calls = [(module.strip(), function.strip()) for module, function in _CALLS.findall(body)]
    return [(module, function) if module and function else ("", "") for module, function in calls]


def only_silent_scripts(body: str) -> bool:
    """Whether a definition is nothing but calls of modules that show no running text."""
    if "#" not in body:
        return False
    spans, unclosed = outermost(body)
    rest, last = [], 0
    for start, end, width in spans:
        match = INVOKE.match(body[start + 2 : end - 2]) if width == 2 else None
        if match is None or template_of(match[1], match[2]) != DROP:
            return False
        rest.append(body[last:start])
        last = end
    return bool(spans) and not unclosed and not "".join((*rest, body[last:])).strip("\x04 \n")
