"""Finds templates and arguments, and their parts: which `{{` belongs to which `}}` says `compiled/braces.py`."""

import re
from collections.abc import Iterator

from wikiprep.compiled import braces, fastest
from wikiprep.compiled.braces import Span

__all__ = ["Span", "outermost", "split_arguments", "split_name"]

_outermost = fastest(braces.outermost)


def outermost(text: str) -> tuple[list[Span], list[tuple[int, int]]]:
    """(spans that lie in no other, in order; open brace runs that nothing closes as (position, count))."""
    return _outermost(text)


def split_arguments(body: str, limit: int = 500) -> list[str]:
    """The parts of a template's inside, split at `|` outside inner templates, links and variant rules.

    The first `limit` of them.
    """
    if "{{" not in body and "[[" not in body and "-{" not in body:
        return body.split("|", limit)[:limit]
    parts: list[str] = []
    last = 0
    for at in _places_outside(body, "|"):
        if len(parts) == limit:
            return parts
        parts.append(body[last:at])
        last = at + 1
    parts.append(body[last:])
    return parts


def split_name(part: str) -> tuple[str, str, str]:
    """As `part.partition("=")`, at the first `=` outside inner templates, links and variant rules."""
    name, equals, value = part.partition("=")
    if not equals or ("{{" not in name and "[[" not in name and "-{" not in name):
        return name, equals, value
    at = next(_places_outside(part, "="), -1)
    return (part[:at], "=", part[at + 1 :]) if at >= 0 else (part, "", "")


def _places_outside(body: str, sign: str) -> Iterator[int]:
    """Where `sign` stands outside all brackets."""
    depth = rules = 0
    for match in _SIGNS[sign].finditer(body):
        token = match[0]
        if token == sign:
            if depth <= 0:
                yield match.start()
        elif token == "}-":
            if rules:  # else it is the end of an argument's braces and a hyphen
                rules -= 1
                depth -= 1
        elif token in ("{{", "[[", "-{"):
            rules += token == "-{"
            depth += 1
        elif depth > 0:  # what closes nothing is text
            depth -= 1


_SIGNS = {sign: re.compile(rf"\{{\{{|\[\[|-\{{(?!\{{)|\}}\}}|\]\]|\}}-|{re.escape(sign)}") for sign in "|="}
