"""How a page says that it redirects: `#REDIRECT [[Target]]`, in the wiki's own words and in English."""

import functools
import re

from wikiprep.languages.language import Language, language


@functools.cache
def _pattern(code: str) -> re.Pattern[str]:
    words = sorted({*language(code).redirect, "#REDIRECT"}, key=lambda w: (-len(w), w))
    either = "|".join(re.sub("[İı]", r"(?-i:\g<0>)", re.escape(word)) for word in words)  # they have no other case
    return re.compile(rf"\s*(?:{either})\s*+:?\s*\[\[([^\]\[|\n]*)(?:\|[^\n\]]*)?\]\]", re.IGNORECASE)


def redirect_target(text: str, lang: Language) -> str | None:
    """The target as written; None for wikitext that is no redirect of this language.

    "" where the link is blank: MediaWiki shows that as text.
    """
    match = _pattern(lang.code).match(text)
    return match[1].strip() if match else None
