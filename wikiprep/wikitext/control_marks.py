"""The control characters that carry structure while a page is on its way from wikitext to paragraphs.

XML forbids U+0000-U+0008 and U+000E-U+001F, so no dump holds them, and they keep a plain ASCII page one byte a
character. `clean` removes them, should other input bring them along. White space of any kind never serves as a mark.
The single ones stand in `compiled/characters.py`, where compiled code has them from too.
"""

import re
from collections.abc import Callable, Iterator
from html.entities import html5

from wikiprep.compiled import fast_path
from wikiprep.compiled.characters import (
    BREAK,
    CAPTION,
    END,
    LINK,
    NOTHING,
    PLACEHOLDER,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    SPACES,
    TAG,
)

__all__ = [
    "BREAK",
    "CAPTION",
    "CONTROL",
    "DEFINITION",
    "END",
    "ERROR",
    "IMAGE_BLOCK",
    "ITEM",
    "ITEM_CLOSE",
    "LINK",
    "LIST_CLOSE",
    "LIST_OPEN",
    "LIST_TAG",
    "NOTHING",
    "PLACEHOLDER",
    "QUOTE_CLOSE",
    "QUOTE_OPEN",
    "TAG",
    "TERM",
    "WITHIN",
    "clean",
    "collapse",
    "decode_entities",
    "has_control",
    "invisible_of",
    "is_shielded",
    "shield",
    "unshield",
    "with_single_spaces",
    "without_invisible",
    "without_marks",
]

_has_any: Callable[[str, str], bool] | None = fast_path("rare_characters", "has_any")
_without_any: Callable[[str, str], str] | None = fast_path("rare_characters", "without_any")
_single_spaces: Callable[[str, str], str] | None = fast_path("rare_characters", "single_spaces")

ERROR = PLACEHOLDER + NOTHING + NOTHING + PLACEHOLDER  # a function failed: a placeholder to all but `{{#iferror:…}}`
IMAGE_BLOCK = BREAK + BREAK  # as BREAK, at an image: no other line shares a paragraph with this one
LIST_OPEN, LIST_CLOSE = TAG + "\x06", TAG + "\x07"
ITEM, TERM, DEFINITION, ITEM_CLOSE = TAG + "\x05", TAG + "\x04", TAG + "\x03", TAG + "\x08"
WITHIN = TAG + "\x02"  # as BREAK, until `end_paragraphs` has read the lines: those that follow stand in the block
LIST_TAG = re.compile(rf"{TAG}[\x03-\x08]")

_SPECIAL = "[]{}'<>|=*#:;_-"
_SHIELDS = "\x00" + "".join(map(chr, range(0x0E, 0x1C)))
_SHIELD = str.maketrans(_SPECIAL, _SHIELDS)
_UNSHIELD = str.maketrans(_SHIELDS, _SPECIAL)
_WIDE_START = re.compile(f"\n[{SPACES}]")
_ANY_SHIELD = re.compile(r"[\x00\x0e-\x1b]")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FORBIDDEN_CHARACTERS = "".join(filter(CONTROL.match, map(chr, range(128))))
_FORBIDDEN_BYTES = _FORBIDDEN_CHARACTERS.encode()
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

# Invisible characters that are left out: soft hyphen, word joiner, BOM everywhere; the zero-width space but in scripts
# that set it between words; marks of direction but in languages that are written from right to left, where they are
# part of how numbers and brackets stand. U+200C and U+200D stay: they change the spelling of Persian and Indic words.
_ALWAYS = "\xad\u2060\ufeff"
_BETWEEN_WORDS = "\u200b"
_DIRECTION = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SPACELESS = frozenset(("km", "th", "lo", "my", "mnw", "shn", "blk", "kjp", "bo", "dz", "nod", "tts", "ksw"))


def invisible_of(language: str, right_to_left: bool) -> str:
    """The characters that a wiki's text is freed of."""
    return _ALWAYS + ("" if language in _SPACELESS else _BETWEEN_WORDS) + ("" if right_to_left else _DIRECTION)


def clean(text: str) -> str:
    """The text without control characters, with `\\n` as the only line end."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if has_control(text):
        text = CONTROL.sub("", text)
    return text


def has_control(text: str) -> bool:
    """Whether a control character but tabs and line ends is in the text."""
    if _has_any is not None:
        return _has_any(text, _FORBIDDEN_CHARACTERS)
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw) != len(raw.translate(None, _FORBIDDEN_BYTES))  # five times faster than a search by `re`


def shield(text: str) -> str:
    """The text with every character that wikitext gives a meaning replaced by a stand-in (for nowiki, entities)."""
    return text.translate(_SHIELD)


def is_shielded(text: str) -> bool:
    """Whether `unshield` would change the text."""
    if _has_any is not None:
        return _has_any(text, _SHIELDS)
    return any(map(text.__contains__, _SHIELDS))  # some twenty searches for one character: faster than one for a class


def unshield(text: str) -> str:
    """The stand-ins of `shield` back to the characters they stand for."""
    return text.translate(_UNSHIELD) if _ANY_SHIELD.search(text) else text


def with_single_spaces(text: str) -> str:
    """The text with each run of white space but line ends as one U+0020.

    NOTHING is before it where a line starts with another than U+0020: that is no preformatted line.
    """
    text = _WIDE_START.sub(f"\n{NOTHING} ", text)
    if _single_spaces is not None:
        return _single_spaces(text, SPACES)
    for space in _present_characters(SPACES, text) if not text.isascii() else "\t":
        text = text.replace(space, " ")
    return collapse(text)


def collapse(text: str) -> str:
    """The text with each run of U+0020 as one."""
    while "  " in text:
        text = text.replace("  ", " ")
    return text


# U+2000 to U+200F, U+2028 to U+202F and U+205F to U+206F in UTF-8. To look for each of them in turn is slow: in text of
# two bytes a character they share their low bytes with white space and letters.
_RARE = re.compile(b"\xe2(?:\x80[\x80-\x8f\xa8-\xaf]|\x81[\x9f-\xaf])")


def _present_characters(characters: str, text: str) -> Iterator[str]:
    """Those of `characters` that may be in the text."""
    rare = _RARE.search(text.encode("utf-8", "surrogatepass")) is not None
    return (character for character in characters if rare or not "\u2000" <= character <= "\u206f")


def without_marks(text: str) -> str:
    """The text with stand-ins restored and every other mark gone: for titles, headings, template names."""
    return CONTROL.sub("", unshield(text)) if CONTROL.search(text) else text


def without_invisible(text: str, invisible: str) -> str:
    """The text without those characters (one search each is far faster than a character class)."""
    if _without_any is not None:
        return _without_any(text, invisible)
    if not text.isascii():
        for character in _present_characters(invisible, text):
            if character in text:
                text = text.replace(character, "")
    return text


def _replace_entity(match: re.Match[str]) -> str:
    whole = match.group()
    decoded = _ENTITIES.get(whole)
    if decoded is None:
        decoded = _decode(whole)
        if len(_ENTITIES) < 10_000:
            _ENTITIES[whole] = decoded
    return decoded


def _decode(whole: str) -> str:
    body = whole[1:]
    if body[0] != "#":
        value = html5.get(body)
        if value is None:
            return whole
    else:
        code = int(body[2:-1], 16) if body[1] in "xX" else int(body[1:-1])
        if code in (9, 10, 13, 32):
            return NOTHING + " "  # at the start of a line it makes no preformatted one
        if code < 32 or 127 <= code < 160 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
            return whole
        value = chr(code)
    return shield(value)


_ENTITIES: dict[str, str] = {}


def decode_entities(text: str) -> str:
    """HTML character references decoded once; what they stand for is never markup. Unknown ones stay as typed."""
    return _ENTITY.sub(_replace_entity, text) if "&" in text else text
