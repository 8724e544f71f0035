"""Language codes: which there are, for codes that a person types, how one is written, and what it is called in itself.

The names: `own_names.json`, MediaWiki 1.39's own table (generate_formats.py).
"""

import difflib
import functools

import orjson

from wikiprep.errors import UsageError
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.language import DATA, content_language, languages


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


def require_language(code: str) -> str:
    """The code in lower case. Raises UsageError, naming codes like it, unless a language or a Wikipedia has it."""
    key = code.strip().lower().replace("_", "-")
    known_codes = sorted({*languages(), *language_prefixes()})
    if key in known_codes or content_language(key) in known_codes:
        return key
    start = key[:2] if len(key) > 1 else "\n"
    alike = [c for c in known_codes if c.startswith(start)] + difflib.get_close_matches(key, known_codes, 3, cutoff=0.5)
    near = list(dict.fromkeys(alike))[:6]
    hint = f"near ones are {', '.join(near)}" if near else "give a code such as en, de or zh-yue"
    raise UsageError(f"{code!r} is no language code known here", hint)
