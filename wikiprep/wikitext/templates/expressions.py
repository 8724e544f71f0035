"""`{{#expr: …}}`: arithmetic as MediaWiki's ParserFunctions does it.

Precedence and functions are those of Help:Extension:ParserFunctions on mediawiki.org. What is no expression gives None.
"""

import math
import re
from collections.abc import Callable

_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([a-z]+)|(<>|!=|<=|>=|[-+*/^()<>=]))")
_LONGEST = 2_000
# operator -> how tightly it binds
_BINARY = {
    "or": 1,
    "and": 2,
    "=": 3,
    "<>": 3,
    "!=": 3,
    "<": 3,
    ">": 3,
    "<=": 3,
    ">=": 3,
    "round": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "div": 6,
    "mod": 6,
    "fmod": 6,
    "^": 7,
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "ln": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "not": lambda value: float(not value),
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
}
_CONSTANTS = {"pi": math.pi, "e": math.e}


def calculate(text: str) -> float | None:
    """The value of an expression; None where it is none, divides by zero or is too large."""
    text = text.replace("−", "-").replace("&minus;", "-").replace("&lt;", "<").replace("&gt;", ">").lower()
    if len(text) > _LONGEST:
        return None
    tokens: list[str] = []
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        tokens.append(match[1] or match[2] or match[3])
        at = match.end()
    try:
        value, end = _operand(tokens, 0, 0)
    except (IndexError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None
    return value if end == len(tokens) and math.isfinite(value) else None


def _operand(tokens: list[str], at: int, least: int) -> tuple[float, int]:
    token = tokens[at]
    at += 1
    if token[0].isdecimal() or token[0] == ".":
        value = float(token)
    elif token == "(":
        value, at = _operand(tokens, at, 0)
        if tokens[at] != ")":
            raise ValueError("no closing bracket")
        at += 1
    elif token in ("-", "+"):
        value, at = _operand(tokens, at, 8)
        value = -value if token == "-" else value
    elif token in _FUNCTIONS:
        value, at = _operand(tokens, at, 8)
        value = float(_FUNCTIONS[token](value))
    else:
        value = _CONSTANTS.get(token, math.nan)
        if math.isnan(value):
            raise ValueError("an unknown word")
    while at < len(tokens) and (tight := _BINARY.get(tokens[at], 0)) > least:
        operator = tokens[at]
        right, at = _operand(tokens, at + 1, tight)
        value = _apply(operator, value, right)
    return value, at


def _apply(operator: str, left: float, right: float) -> float:
    if operator in ("/", "div"):
        return left / right
    if operator == "mod":
        return float(math.fmod(math.trunc(left), math.trunc(right)))
    if operator == "fmod":
        return math.fmod(left, right)
    if operator == "^":
        if abs(right) > 1_000:
            raise ValueError("too large")
        return float(left**right)
    if operator == "round":
        places = max(-30, min(int(right), 30))
        shifted = abs(left) * 10.0**places
        return math.copysign(math.floor(shifted + 0.5 + 1e-9), left) / 10.0**places
    return {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "or": float(bool(left) or bool(right)),
        "and": float(bool(left) and bool(right)),
        "=": float(left == right),
        "<>": float(left != right),
        "!=": float(left != right),
        "<": float(left < right),
        ">": float(left > right),
        "<=": float(left <= right),
        ">=": float(left >= right),
    }[operator]


def shown(value: float) -> str:
    """A value as PHP writes it: up to 14 digits, a power of ten where it is very large or small."""
    if value == 0:
        return "0"
    text = f"{value:.14G}"
    mantissa, power, exponent = text.partition("E")
    if not power:
        return text
    mantissa += "" if "." in mantissa else ".0"
    return f"{mantissa}E{'-' if exponent[0] == '-' else '+'}{exponent.lstrip('+-0')}"
