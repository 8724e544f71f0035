"""Which colon of `; term : meaning` divides the two: the first outside tags, quotes, links and addresses.

As MediaWiki's `BlockLevelPass::findColonNoLinks`, which looks at HTML: a tag or quote that is never closed hides every
colon behind it, `<br>` too (`<br/>` does not). The other colons of such lines are shielded, before tags are taken away.
"""

import re

from wikiprep.wikitext.control_marks import shield
from wikiprep.wikitext.external_links import SCHEME
from wikiprep.wikitext.tags import KNOWN_TAGS

_FIRST_MARK = re.compile(r";(?<![^\n];)")  # at the start of a line; `re` skips from one `;` to the next
_SCHEME = rf"(?i:{SCHEME})"
_TOKEN = re.compile(
    r"(\[\[(?:[^\[\]\n]|\[\[[^\[\]\n]*\]\]|\[(?!\[)|\](?!\]))*+\]\])"  # a link, perhaps with others in it
    rf"|(\[{_SCHEME}[^\s\[\]]*+)((?:[^\[\]\n]|\[\[[^\[\]\n]*\]\])*+\])"  # an external link: address, label
    rf"|(\b{_SCHEME}(?:[^\s\[\]<>\"']|'(?!'))+(?<![,;.:!?]))"
    r"|-\{[^{}\n]*\}-"
    r"|<(/?)([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])[^<>]*>"
    r"|(''+)"
    r"|(:)"
)
_IN_LINK = re.compile(r"(?<!\[\[):(?!//)")
_COLON = shield(":")


def shield_colons(text: str) -> str:
    """The text with every colon but the dividing one as a stand-in, in the terms of definition lists."""
    if _FIRST_MARK.search(text) is None:
        return text
    starts = text[:1] == ";"
    first, *pieces = ("\n" + text if starts else text).split("\n;")
    if not pieces:
        return text
    out = [first]
    for piece in pieces:
        line, end, rest = piece.partition("\n")
        out.append(_shield_line(line) + end + rest if ":" in line else piece)
    text = "\n;".join(out)
    return text[1:] if starts else text


def _shield_line(line: str) -> str:
    """The rest of a line behind its first `;`."""
    marks = len(line) - len(line.lstrip("*#:;"))
    if marks and line[marks - 1] != ";":
        return line
    out = [line[:marks]]
    last = marks
    level, bold, italic = 0, False, False
    for token in _TOKEN.finditer(line, marks):
        link, address, label, bare, closes, tag, quotes, colon = token.groups()
        out.append(line[last : token.start()])
        last = token.end()
        if colon:
            if not (level or bold or italic):
                out.append(line[token.start() :])
                return "".join(out)
            out.append(_COLON)
        elif address:
            out += (address, _IN_LINK.sub(_COLON, label))
        elif link:
            out.append(_IN_LINK.sub(_COLON, link))
        elif bare:
            out.append(bare.replace(":", _COLON))
        else:
            out.append(token[0])
            if quotes:
                bold ^= len(quotes) != 2
                italic ^= len(quotes) == 2 or len(quotes) > 4
            elif tag and tag.lower() in KNOWN_TAGS and not token[0].endswith("/>"):
                level = max(0, level + (-1 if closes else 1))
    return "".join(out) + line[last:]
