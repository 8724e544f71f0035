"""Finds templates and arguments: which `{{` belongs to which `}}`.

MediaWiki's rule: the longest of 3 or 2 braces that both ends have; the rest stays open. One pass over the brace runs
with a stack, so nesting depth costs memory but no time.
"""

import re
from collections.abc import Callable, Iterator

from wikiprep.compiled import fast_path

# (start, end, width): `text[start:end]` is a whole template (width 2) or argument (width 3), braces included.
Span = tuple[int, int, int]
_Pairs = tuple[list[Span], list[tuple[int, int]]]
_pair_braces: Callable[[str], _Pairs] | None = fast_path("braces", "pair_braces")


def outermost(text: str) -> _Pairs:
    """(spans that lie in no other, in order; open brace runs that nothing closes as (position, count))."""
    if _pair_braces is not None:
        return _pair_braces(text)
    stack: list[list[int]] = []
    spans: list[Span] = []
    find, size = text.find, len(text)
    # The next of either kind. One character is found thirty times faster than two, or than one of two by `re`.
    opening, closing = find("{"), find("}")
    while opening >= 0 or closing >= 0:
        if 0 <= opening < closing or closing < 0:
            end = opening + 1
            while end < size and text[end] == "{":
                end += 1
            if end - opening > 1:
                stack.append([opening, end - opening])
            opening = find("{", end)
            continue
        at, end = closing, closing + 1
        while end < size and text[end] == "}":
            end += 1
        closing = find("}", end)
        if stack and end - at == 2 == stack[-1][1]:  # nearly always
            start = stack.pop()[0]
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, end, 2))
            continue
        while stack and end - at >= 2:
            top = stack[-1]
            width = min(top[1], end - at, 3)
            start = top[0] + top[1] - width
            at += width
            top[1] -= width
            if top[1] < 2:
                stack.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, at, width))
    return spans, [(start, count) for start, count in stack]


def split_arguments(body: str, limit: int = 500) -> list[str]:
    """The parts of a template's inside, split at `|` outside inner templates, links and variant rules.

    The first `limit` of them.
    """
    if "{{" not in body and "[[" not in body and "-{" not in body:
        return body.split("|", limit)[:limit]
    parts: list[str] = []
    last = 0
    for at in _outside(body, "|"):
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
    at = next(_outside(part, "="), -1)
    return (part[:at], "=", part[at + 1 :]) if at >= 0 else (part, "", "")


def _outside(body: str, sign: str) -> Iterator[int]:
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
