"""The small language of the template tables: a line of text with fields.

    {1}          the first unnamed argument          {name}      a named one
    {2|1}        the first of these that is given    {*}         all unnamed ones, run together
    <? … ?>      only where every field inside is given
    \\n           a line end

A template shows nothing where none of its fields outside `<? … ?>` is given; without such fields it shows its text.
"""

import re
from collections.abc import Callable

from wikiprep.wikitext.templates.arguments import Arguments

Renderer = Callable[[Arguments], str | None]

_OPTIONAL = re.compile(r"<\?(.*?)\?>", re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]+")
_POSITION = re.compile(r"[1-9][0-9]{0,3}")
_FIELD = re.compile(r"\{([^{}]+)\}")


def compile_pattern(pattern: str) -> Renderer:
    """The renderer of one pattern. It returns None where no field has a value.

    Raises ValueError for braces or `<?` that do not come in pairs, and for numbers that no argument has.
    """
    if problem := _problem(pattern):
        raise ValueError(f"{problem} in the pattern {pattern!r}")
    pattern = pattern.replace("\\n", "\n")
    pieces: list[tuple[bool, list[str]]] = []  # (optional, text and field names in turn)
    for i, piece in enumerate(_OPTIONAL.split(pattern)):
        if piece:
            pieces.append((i % 2 == 1, _FIELD.split(piece)))
    needed = sum(len(parts) // 2 for optional, parts in pieces if not optional)

    def render(args: Arguments) -> str | None:
        out: list[str] = []
        value_count = 0
        for optional, parts in pieces:
            values = [_value(args, part) if i % 2 else part for i, part in enumerate(parts)]
            filled_fields = sum(1 for value in values[1::2] if value)
            if optional and filled_fields < len(parts) // 2:
                continue
            value_count += filled_fields if needed else 0
            out += values
        text = "".join(out)
        return (text or None) if value_count or not needed else None

    return render


def _problem(pattern: str) -> str:
    if "{{" in pattern:
        return "a call of a template (a pattern has fields such as {1}, no calls)"
    rest = _FIELD.sub("", pattern)
    if "{" in rest or "}" in rest:
        return "a brace without its partner or its name"
    for name in (name.strip() for field in _FIELD.findall(pattern) for name in field.split("|")):
        if _NUMBER.fullmatch(name) and not _POSITION.fullmatch(name):
            return f"a field {{{name}}} that no argument can fill (unnamed ones are {{1}} to {{9999}})"
    rest = _OPTIONAL.sub("", pattern)
    return "<? without ?>" if "<?" in rest else "?> without <?" if "?>" in rest else ""


def _value(args: Arguments, field: str) -> str:
    if field == "*":
        return "".join(args.positional())
    return args.first(*field.split("|")) if "|" in field else args[field]
