"""Which language codes there are, for codes that a person types."""

import difflib

from wikiprep.errors import UsageError
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.language import content_language, languages


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
