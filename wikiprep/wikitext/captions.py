"""The caption of a file: its last part that is no option of the image."""

import re

from wikiprep.languages.words import Words
from wikiprep.wikitext.marks import END, LINK

_LINKS = re.compile(rf"{LINK}[^{LINK}{END}]*{END}")


def caption_of(inside: str, words: Words) -> tuple[str, int]:
    """The caption in what stands between `[[` and `]]` of a file, links in it marked; "" if there is none.

    And how many marked links stand before it, in other parts of the file.
    """
    covered = _LINKS.sub(lambda match: match[0].replace("|", " "), inside)
    end = len(covered)
    while (bar := covered.rfind("|", 0, end)) >= 0:
        part = inside[bar + 1 : end]
        if not words.option.fullmatch(part):
            return part, inside.count(LINK, 0, bar)
        end = bar
    return "", 0
