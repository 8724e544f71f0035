"""Which language codes there are, for codes that a person types."""

import difflib

from wikiprep.errors import UsageError
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.language import content_language, languages


def require_language(code: str) -> str:
    """The code in lower case. Raises UsageError, naming codes like it, unless a language or a Wikipedia has it."""
    wanted = code.strip().lower().replace("_", "-")
    known = sorted({*languages(), *language_prefixes()})
    if wanted in known or content_language(wanted) in known:
        return wanted
    start = wanted[:2] if len(wanted) > 1 else "\n"
    alike = [c for c in known if c.startswith(start)] + difflib.get_close_matches(wanted, known, 3, cutoff=0.5)
    near = list(dict.fromkeys(alike))[:6]
    hint = f"near ones are {', '.join(near)}" if near else "give a code such as en, de or zh-yue"
    raise UsageError(f"{code!r} is no language code known here", hint)
