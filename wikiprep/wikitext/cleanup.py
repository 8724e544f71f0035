"""Takes away what a dropped template leaves around it: empty brackets, orphan commas, spaces before punctuation.

Only at placeholders, never elsewhere: `f( )` in running text stays what its author wrote.
"""

import functools
import re
from dataclasses import dataclass

from wikiprep.languages.locale_data import conjunctions
from wikiprep.wikitext.control_marks import PLACEHOLDER

_SEVERAL_PLACEHOLDERS = re.compile("\x03[\x03 ]*\x03")
_LIST_OF_PLACEHOLDERS = re.compile(r"\x03(?: ?[,;、，；·] ?\x03)+")
_AT_END = re.compile(r" ?[,;、，；] ?\x03 ?$")
_BRACKETS = re.compile(r"([(（\[［])([^()（）\[\]［］\x03]*+\x03[^()（）\[\]［］]*+)([)）\]］])")
# Nothing but placeholders and their trimmings, or a label whose value is gone ("Greek: ").
_EMPTY = re.compile(r"[\s\x03'\"“”„«»:/–—=-]*|[^:\x01\x02]{1,40}:[\s\x03'\"]*")
_AFTER_OPEN = re.compile(r"(?<=[(\[（]) ?\x03 ?(?:[,;、，；] ?)?")
_BEFORE_CLOSE = re.compile(r" ?[,;、，；] ?\x03 ?(?=[)\]）])")
_EMPTY_QUOTES = re.compile(r"“\x03”|„\x03[“”]|「\x03」|『\x03』|《\x03》|«\x03»|(?<![^\s(\x03])\"\x03\"(?!\w)")
_AT_START = re.compile(r"^\x03[ ,;:]+")
# A colon stays: before a formula it is the author's.
_DOUBLE_STOP = re.compile(r"(?: ?[,;]| [–—]) ?\x03 ?(?=[,;.])")


_STOP = re.compile(r" ?[,.;:!?)\]}%،。、，；]")
# What stands behind a placeholder where slower patterns may find something.
_STOPPED = re.compile(PLACEHOLDER + _STOP.pattern)
_DOUBLE_STOPPED = re.compile("\x03 ?[,;.]")
_CLOSED = re.compile("\x03 ?[)\\]）]")
_IN_QUOTES = re.compile('\x03[”“」』》»"]')

# Whether a placeholder stands beside anything that it may leave behind; a literal first, so that `re` skips to each.
_BEFORE = r"[,;:،、，；·•(\[（［“„「『《«\"]"
_SIGNS = rf"\x03(?: ?[\x03,.;:!?)\]}}%،、。，；·•）］“”」』》»\"]|(?<={_BEFORE}\x03)|(?<={_BEFORE} \x03)"


@dataclass(frozen=True, slots=True)
class Joins:
    """Patterns with the words of a language for "and" and "or", which join what stands in brackets."""

    separators: re.Pattern[str]
    touching: re.Pattern[str]


@functools.cache
def joins_of(language: str) -> Joins:
    """The patterns of a language's code."""
    words = [re.escape(word) for word in conjunctions(language)]
    either = "|".join(words)
    # A look behind has a fixed width. Chinese and its like set no spaces.
    behind = "|".join(rf"(?<=[ \x03]{word}{space}\x03)" for word in words for space in (r"\s", ""))
    return Joins(
        re.compile(rf"([,;،、，；·•]|(?:(?<=[\s\x03])(?:{either})(?=[\s\x03])))"),
        re.compile(rf"{_SIGNS}|{behind}|\s?(?:{either})[\s\x03])"),
    )


_ENGLISH = joins_of("en")


def _bracket(match: re.Match[str], joins: Joins) -> str:
    """What is left of a pair of brackets with a placeholder in it, a placeholder if nothing."""
    parts = joins.separators.split(match[2])
    kept_parts: list[str] = []
    gap = False  # whether a part went just before
    for i in range(0, len(parts), 2):
        part = parts[i]
        if PLACEHOLDER in part and _EMPTY.fullmatch(part):
            gap = True
            continue
        if kept_parts and gap:
            kept_parts[-1] = kept_parts[-1].rstrip(" ")  # its own separator, which may have stood apart, is gone
        gap = False
        if kept_parts:
            kept_parts.append(parts[i - 1] if i else "")
        kept_parts.append(part)
    if not kept_parts:
        return PLACEHOLDER
    inside = "".join(kept_parts).strip(" /\x03")
    return f"{match[1]}{inside}{match[3]}" if inside else PLACEHOLDER


def _close_brackets(block: str, joins: Joins) -> str:
    """Brackets around placeholders, with the space before those that go.

    (A pattern with it first is far slower.)
    """
    out: list[str] = []
    last = 0
    for match in _BRACKETS.finditer(block):
        replacement, before = _bracket(match, joins), block[last : match.start()]
        out += (before.removesuffix(" ") if replacement == PLACEHOLDER else before, replacement)
        last = match.end()
    return "".join([*out, block[last:]]) if out else block


def _close_stops(block: str) -> str:
    """The block without placeholders, nor the spaces around those that stand before a stop."""
    first, *rest = block.split(PLACEHOLDER)
    out = [first]
    for piece in rest:
        if _STOP.match(piece):
            out[-1] = out[-1].removesuffix(" ")
            piece = piece.removeprefix(" ")
        out.append(piece)
    return "".join(out)


def close_placeholders(block: str, joins: Joins = _ENGLISH) -> str:
    """The block, of single spaces, with its placeholders closed; doubled spaces may be left. Linear."""
    if joins.touching.search(block) is None:
        return block.replace(PLACEHOLDER, "")
    if block.count(PLACEHOLDER) > 1:
        block = _LIST_OF_PLACEHOLDERS.sub(PLACEHOLDER, _SEVERAL_PLACEHOLDERS.sub(PLACEHOLDER, block))
    if _IN_QUOTES.search(block):
        block = _EMPTY_QUOTES.sub(PLACEHOLDER, block)
    if "(" in block or "（" in block or "[" in block:
        for _ in range(3):  # brackets in brackets, innermost first
            before = len(block)
            block = _close_brackets(block, joins)
            if len(block) == before:
                break
            block = _SEVERAL_PLACEHOLDERS.sub(PLACEHOLDER, block)
        if _DOUBLE_STOPPED.search(block):
            block = _DOUBLE_STOP.sub("", block)
        block = _AFTER_OPEN.sub("", block)
        if _CLOSED.search(block):
            block = _BEFORE_CLOSE.sub("", block)
    if block[:1] == PLACEHOLDER:
        block = _AT_START.sub("", block)
    if block.endswith((PLACEHOLDER, PLACEHOLDER + " ")):
        block = _AT_END.sub("", block)
    if _STOPPED.search(block):
        if _DOUBLE_STOPPED.search(block):
            block = _DOUBLE_STOP.sub("", block)
        return _close_stops(block)
    return block.replace(PLACEHOLDER, "")
