"""What languages are called in themselves: `own_names.json`, MediaWiki 1.39's own table (generate_formats.py)."""

import functools

import orjson

from wikiprep.languages.language import DATA


@functools.cache
def _names() -> dict[str, str]:
    names: dict[str, str] = orjson.loads((DATA / "own_names.json").read_bytes())
    return names


def own_name(code: str) -> str:
    """The language's name in itself, by its code in lower case; "" where it is not known."""
    return _names().get(code, "")


def bcp47(code: str) -> str:
    """A code as RFC 5646 recommends to write it: small letters, large ones for countries, a large first for scripts."""
    parts = code.lower().split("-")
    for i, part in enumerate(parts[1:], 1):
        if parts[i - 1] == "x":
            continue
        if len(part) == 2:
            parts[i] = part.upper()
        elif len(part) == 4:
            parts[i] = part.capitalize()
    return "-".join(parts)
