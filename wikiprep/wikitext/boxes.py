"""Drops boxes that are set beside the text: `<div>`s whose class says thumbnail, navigation or notes."""

import re
from collections import Counter

from wikiprep.wikitext.marks import BREAK
from wikiprep.wikitext.search import seeker

_EDGE = re.compile(r"<(/?)[Dd][Ii][Vv]((?:[\s/][^<>]*)?)>")
_CLASSES = re.compile(r"class\s*=\s*[\"']?([^\"'<>]*)")
_BESIDE = re.compile(
    r"\b(?:references|reflist|refbegin|thumb|thumbinner|thumbcaption|gallery|toc|hatnote|dablink|rellink|navbox|infobox"
    r"|metadata|ambox|sistersitebox|side-box|noprint|portal|portalbox|NavFrame|NavHead)\b"
)
_find_div = seeker("<div")


def is_box(attributes: str) -> bool:
    """Whether a `<div>` with these attributes is set beside the text."""
    return any(map(_BESIDE.search, _CLASSES.findall(attributes)))


def strip_boxes(text: str, links: Counter[str], flags: Counter[str]) -> str:
    """The text without such boxes; links in them are counted as `box`. A box that is never closed stays."""
    if "<" not in text or not _find_div(text):
        return text
    out: list[str] = []
    last = 0
    stack: list[tuple[int, bool]] = []
    spans: list[tuple[int, int]] = []
    for match in _EDGE.finditer(text):
        if not match[1]:
            stack.append((match.start(), is_box(match[2])))
        elif stack:
            start, box = stack.pop()
            if box:
                while spans and spans[-1][0] > start:
                    spans.pop()
                spans.append((start, match.end()))
    if not spans:
        return text
    for start, end in spans:
        out.append(text[last:start])
        out.append(BREAK)
        flags["box"] += 1
        if link_count := text.count("[[", start, end):
            links["found"] += link_count
            links["box"] += link_count
        last = end
    out.append(text[last:])
    return "".join(out)
