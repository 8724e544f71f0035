"""What stands between the bars of a parser function's call."""

from collections.abc import Callable

Expand = Callable[[str], str]


def part_of(parts: list[str], which: int, expand: Expand) -> str:
    """The part of that number, expanded and without space around it; nothing where there is none."""
    return expand(parts[which]).strip() if which < len(parts) else ""
