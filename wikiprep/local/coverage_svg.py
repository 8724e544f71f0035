"""The coverage curve as a picture: SVG text, the same for the same curve."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 30, 50, 60  # margins
_INK, _GRID, _LINE, _MARK = "#222222", "#dddddd", "#1f6fb4", "#c0392b"


@dataclass(frozen=True, slots=True)
class Mark:
    """A size to be pointed out, with its share of links and a word on it."""

    size: int
    share: float
    label: str


def coverage_svg(title: str, points: Sequence[tuple[int, float]], marks: Sequence[Mark]) -> str:
    """Shares (0 to 1) over sizes (1 or more, logarithmic), `points` ascending, with up to eight `marks` on the line."""
    decades = max(1, math.ceil(math.log10(max(size for size, _ in points)) - 1e-9))

    def x(size: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(max(1, size)) / decades

    def y(share: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="{_INK}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, TOP - 22, title, size=15),
    ]
    for tenth in range(0, 11, 2):
        parts += [_rule(LEFT, y(tenth / 10), WIDTH - RIGHT, y(tenth / 10))]
        parts += [_text(LEFT - 8, y(tenth / 10) + 4, f"{tenth * 10} %", anchor="end")]
    for decade in range(decades + 1):
        parts += [_rule(x(10**decade), TOP, x(10**decade), HEIGHT - BOTTOM)]
        parts += [_text(x(10**decade), HEIGHT - BOTTOM + 20, _short(10**decade), anchor="middle")]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 15, "size of the vocabulary", anchor="middle"))
    parts.append(
        f'<text transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2:g}) rotate(-90)" text-anchor="middle">'
        "share of links covered</text>"
    )
    line = " ".join(f"{x(size):.1f},{y(share):.1f}" for size, share in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2.5"/>')
    for place, mark in enumerate(sorted(marks, key=lambda mark: mark.size)):
        letter, at = "abcdefgh"[place], TOP + 26 + 24 * place
        parts += _dot(x(mark.size), y(mark.share), letter)
        # The upper left is free: few entities never cover many links.
        parts += [*_dot(LEFT + 22, at, letter), _text(LEFT + 38, at + 5, f"{mark.label}: {mark.share:.1%}")]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _dot(x: float, y: float, letter: str) -> list[str]:
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{_MARK}"/>',
        _text(x, y + 4, letter, anchor="middle", size=12, fill="white"),
    ]


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{_GRID}"/>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 13, fill: str = _INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{fill}">{escape(text)}</text>'
    )


def _short(number: int) -> str:
    """1, 10, …, 1K, 1M."""
    for unit, word in ((1_000_000, "M"), (1_000, "K")):
        if number >= unit:
            return f"{number // unit}{word}"
    return str(number)
