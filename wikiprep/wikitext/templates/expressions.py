"""`{{#expr: …}}`: arithmetic as MediaWiki's ParserFunctions does it.

Precedence and functions are those of Help:Extension:ParserFunctions on mediawiki.org. What is no expression gives None.
Numbers are PHP's: those that are written are floating, `trunc`, `mod` and what compares give integers of 64 bits, which
stay integers in sums, products and quotients that have no rest.
"""

import math
import re
from collections.abc import Callable

_TOKEN = re.compile(r"[ \t\r\n]*([0-9.]+|[a-z]+|<>|!=|<=|>=|[-+*/^()<>=])")
_NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
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
    "e": 9,  # 1.5e3; functions and signs bind less
}


def _power(left: float, right: float) -> float:
    """As C's: what is too large is infinite, and a negative number has no broken power."""
    try:
        return math.pow(left, right)
    except OverflowError:
        return -math.inf if left < 0 and right % 2 == 1 else math.inf
    except ValueError:
        return math.inf if left == 0 else math.nan


def _integer(value: float) -> int:
    return (int(value) + 2**63) % 2**64 - 2**63 if math.isfinite(value) else 0


def _exponential(value: float) -> float:
    return math.exp(value) if value < 709 else _power(math.e, value)


def _whole(change: Callable[[float], float]) -> Callable[[float], float]:
    return lambda value: math.copysign(change(value), value) if math.isfinite(value) else value


def _angle(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda value: function(value) if math.isfinite(value) else math.nan


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _integer,
    "sqrt": math.sqrt,
    "exp": _exponential,
    "ln": math.log,
    "sin": _angle(math.sin),
    "cos": _angle(math.cos),
    "tan": _angle(math.tan),
    "not": lambda value: int(not value),
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
}
_CONSTANTS = {"pi": math.pi, "e": math.e}


def calculate(text: str) -> float | None:
    """The value of an expression, which may be infinite or no number; None where it is none or divides by zero."""
    text = text.replace("−", "-").replace("&minus;", "-").replace("&lt;", "<").replace("&gt;", ">").lower()
    if len(text) > _LONGEST:
        return None
    tokens: list[str] = []
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        tokens.append(match[1])
        at = match.end()
    try:
        value, end = _operand(tokens, 0, 0)
    except (IndexError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None
    return value if end == len(tokens) else None


def _operand(tokens: list[str], at: int, least: int) -> tuple[float, int]:
    token = tokens[at]
    at += 1
    if token[0].isdecimal() or token[0] == ".":  # behind a second point nothing counts
        value = float(match[0]) if (match := _NUMBER.match(token)) else 0.0
    elif token == "(":
        value, at = _operand(tokens, at, 0)
        if tokens[at] != ")":
            raise ValueError("no closing bracket")
        at += 1
    elif token in ("-", "+"):
        value, at = _operand(tokens, at, 9)
        value = -value if token == "-" else value
    elif token in _FUNCTIONS:
        value, at = _operand(tokens, at, 8)
        value = _FUNCTIONS[token](value)
    else:
        if token not in _CONSTANTS:
            raise ValueError("an unknown word")
        value = _CONSTANTS[token]
    while at < len(tokens) and (tight := _BINARY.get(tokens[at], 0)) > least:
        operator = tokens[at]
        right, at = _operand(tokens, at + 1, tight)
        value = _apply(operator, value, right)
    return value, at


def _apply(operator: str, left: float, right: float) -> float:
    if operator in ("/", "div"):
        whole = isinstance(left, int) and isinstance(right, int) and left % right == 0
        return left // right if whole else left / right
    if operator == "mod":
        left, right = _integer(left), _integer(right)
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    if operator == "fmod":
        return math.fmod(left, right)
    if operator == "^":
        return _power(left, right)
    if operator == "e":
        return left * _power(10.0, right)
    if operator == "round":
        if not math.isfinite(left):
            return left
        places = max(-30, min(_integer(right), 30))
        shifted = abs(left) * 10.0**places
        return math.copysign(math.floor(shifted + 0.5 + 1e-9), left) / 10.0**places
    if operator in "+-*":
        result = left + right if operator == "+" else left - right if operator == "-" else left * right
        return result if -(2**63) <= result < 2**63 else float(result)
    return int(
        {
            "or": bool(left) or bool(right),
            "and": bool(left) and bool(right),
            "=": left == right,
            "<>": left != right,
            "!=": left != right,
            "<": left < right,
            ">": left > right,
            "<=": left <= right,
            ">=": left >= right,
        }[operator]
    )


def format_value(value: float) -> str:
    """A value as PHP writes it: up to 14 digits, a power of ten where it is very large or small."""
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return str(value).upper()
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    text = f"{value:.14G}"
    mantissa, power, exponent = text.partition("E")
    if not power:
        return text
    mantissa += "" if "." in mantissa else ".0"
    return f"{mantissa}E{'-' if exponent[0] == '-' else '+'}{exponent.lstrip('+-0')}"
