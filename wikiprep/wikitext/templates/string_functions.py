"""Parser functions on strings: `#len`, `#pos`, `#rpos`, `#sub`, `#count`, `#replace`, `#explode`.

Wikipedia does not have them switched on, other wikis do. As MediaWiki's, they take and give fewer than 1,000
characters; None beyond.
"""

from collections.abc import Callable

from wikiprep.wikitext.control_marks import without_marks
from wikiprep.wikitext.templates.function_context import Expand, PageContext

_LIMIT = 1_000


def _string_function(
    compute: Callable[[list[str]], str | None],
) -> Callable[[list[str], PageContext, Expand], str | None]:
    """`compute` with its arguments, five at least, expanded and short enough."""

    def function(parts: list[str], page: PageContext, expand: Expand) -> str | None:
        values = [without_marks(expand(part)).strip() for part in parts[:5]]
        values += [""] * (5 - len(values))
        if max(map(len, values)) >= _LIMIT:
            return None
        output = compute(values)
        return None if output is None or len(output) >= _LIMIT else output

    return function


def _integer(text: str) -> int:
    sign = -1 if text[:1] == "-" else 1
    digits = text.lstrip("+-")
    return sign * int(digits) if digits.isdecimal() and len(digits) < 10 else 0


def _position(values: list[str]) -> str:
    start = _integer(values[2])
    at = values[0].find(values[1] or " ", start) if 0 <= start <= len(values[0]) else -1
    return str(at) if at >= 0 else ""


def _part(values: list[str]) -> str:
    text, start, length = values[0], _integer(values[1]), _integer(values[2])
    begin = max(0, start + len(text)) if start < 0 else start
    end = len(text) if length == 0 else begin + length if length > 0 else len(text) + length
    return text[begin : max(begin, end)]


def _replace(values: list[str]) -> str:
    limit = _integer(values[3]) if values[3] else -1
    return values[0].replace(values[1] or " ", values[2], limit if limit > 0 else -1)


def _piece(values: list[str]) -> str:
    limit = _integer(values[3])
    pieces = values[0].split(values[1] or " ", limit - 1 if limit > 0 else -1)
    index = _integer(values[2])
    return pieces[index] if -len(pieces) <= index < len(pieces) else ""


length = _string_function(lambda values: str(len(values[0])))
position = _string_function(_position)
last_position = _string_function(lambda values: str(values[0].rfind(values[1] or " ")))
part = _string_function(_part)
count = _string_function(lambda values: str(values[0].count(values[1] or " ")))
replaced = _string_function(_replace)
piece = _string_function(_piece)
