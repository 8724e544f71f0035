"""What a section of a report is made of, as plain data: report.html.j2 alone turns it into HTML, and escapes it.

In text of a wiki, characters that are not seen but turn the text around them are made visible. Jinja escapes what
would be markup. What is left are controls, and Unicode's embeddings, overrides and isolates (UAX 9), with which a title
can be made to read as another one.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Cell = str | int | float | None
# C0 but for tab and line feed, DEL and C1, surrogates that stand alone; LRM, RLM, ALM and the bidirectional controls;
# line and paragraph separator.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# A mark of direction alone is common in good right-to-left text, and turns nothing around.
_TURNING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text and numbers; a number is right-aligned, and copied without its thousands separators."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its numbers. `summary` is what a screen reader says in the place of `svg` (themed_svg.py)."""

    title: str
    summary: str
    svg: str
    table: Table


@dataclass(slots=True)
class Section:
    """One heading of the report. `notes` say what is absent, or how it was counted, a line each."""

    key: str
    title: str
    intro: str
    notes: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


def comparison_table(
    caption: str, key: str, columns: Mapping[str, Mapping[str, Cell]], order: Iterable[str] | None = None
) -> Table:
    """One row a key of any column, in `order` or as first met; None where a column lacks it."""
    keys = list(dict.fromkeys(order if order is not None else (key for one in columns.values() for key in one)))
    return Table(caption, [key, *columns], [[it, *(one.get(it) for one in columns.values())] for it in keys])


def figure_title(title: str, kinds: Collection[str], corpora: Collection[object]) -> str:
    """The title of a picture, with the corpus that it is of where the other one has no such numbers."""
    return f"{title}: {next(iter(kinds))}" if len(kinds) == 1 < len(corpora) else title


def percent(share: float) -> float:
    """A share as percent with two decimals."""
    return round(100 * share, 2)


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
