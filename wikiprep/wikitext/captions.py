"""What the parts of a file say: its caption, the last part that is no option, and whether it stands beside the text."""

import re

from wikiprep.languages.wikitext_words import WikiWords
from wikiprep.wikitext.control_marks import END, LINK

_LINKS = re.compile(rf"{LINK}[^{LINK}{END}]*{END}")


def caption_of(inside: str, words: WikiWords) -> tuple[str, int]:
    """The caption in what stands between `[[` and `]]` of a file, links in it marked; "" if there is none.

    And how many marked links stand before it, in other parts of the file.
    """
    masked_text = _LINKS.sub(lambda match: match[0].replace("|", " "), inside)
    end = len(masked_text)
    while (bar := masked_text.rfind("|", 0, end)) >= 0:
        part = inside[bar + 1 : end]
        if not words.option.fullmatch(part):
            return part, inside.count(LINK, 0, bar)
        end = bar
    return "", 0


def is_block(inside: str, words: WikiWords) -> bool:
    """Whether an image, by what stands between its brackets, is a block: what is before and behind it is apart.

    So it is with a frame (`thumb`, `frame`) or a place (`left`, `right`, `center`, `none`), as in MediaWiki.
    """
    if LINK in inside:
        inside = _LINKS.sub(LINK, inside)
    _, *parts = inside.split("|")
    for part in parts:
        option = part.strip()
        if option in words.block_options or option.startswith(words.thumbnail_of):
            return True
    return False
