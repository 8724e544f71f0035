"""Text of a wiki in a report: characters that are not seen, but turn the text around them, are made visible.

Jinja escapes what would be markup. What is left are controls, and Unicode's embeddings, overrides and isolates
(UAX 9), with which a title can be made to read as another one.
"""

import re

# C0 but for tab and line feed, DEL and C1, surrogates that stand alone; LRM, RLM, ALM and the bidirectional controls;
# line and paragraph separator.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# A mark of direction alone is common in good right-to-left text, and turns nothing around.
_TURNING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def make_visible(text: str) -> str:
    """A title, name or other short text, each such character as <U+202E>."""
    return _UNSEEN.sub(_code_point, text)


def make_paragraph_visible(text: str) -> str:
    """A piece of a paragraph: LRM, RLM and ALM stay, since they belong to text."""
    return _TURNING.sub(_code_point, text)


def shorten(text: str, most: int) -> str:
    """The text in at most `most` characters."""
    text = make_visible(text)
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _code_point(match: re.Match[str]) -> str:
    return f"<U+{ord(match[0]):04X}>"
