"""Drops tables, wikitext's and HTML's, with everything in them."""

import re
from collections import Counter

from wikiprep.wikitext.control_marks import BREAK, NOTHING
from wikiprep.wikitext.tags import seeker

_EDGE = re.compile(r"\n[ \t:\x03\x04\x05]*(?:\{\||\|\})")
_EDGE_OR_TAG = re.compile(_EDGE.pattern + r"|<(/?)[Tt][Aa][Bb][Ll][Ee](?:[\s/][^<>]*)?>")
_find_table = seeker("{|")
_find_tag = seeker("<table", "<TABLE", "<Table", "</table")


def strip_tables(text: str, links: Counter[str], flags: Counter[str]) -> str:
    """The text without tables; links in them are counted as `table`.

    Of a table that is never closed only the lines up to the first blank line or heading go, so that a forgotten `|}`
    does not cost the rest of the page (MediaWiki would show all of it as cells).
    """
    tags = "<" in text and _find_tag(text) is not None
    if tags or ("{" in text and _find_table(text)):
        text = _strip(text, _EDGE_OR_TAG if tags else _EDGE, links, flags)
    return text


def _drop(piece: str, links: Counter[str], flags: Counter[str]) -> None:
    flags["table"] += 1
    if link_count := piece.count("[["):
        links["found"] += link_count
        links["table"] += link_count


def _strip(text: str, edge: re.Pattern[str], links: Counter[str], flags: Counter[str]) -> str:
    text = "\n" + text
    spans: list[tuple[int, int]] = []
    stack: list[tuple[int, bool]] = []  # where a table starts, whether `|}` may close it
    wiki_count = 0  # how many of those
    for match in edge.finditer(text):
        token = match[0]
        tag = token[0] == "<"
        if token[1] != "/" if tag else token.endswith("{|"):
            stack.append((match.start(), not tag))
            wiki_count += not tag
            continue
        if not (stack if tag else wiki_count):
            continue
        begin, is_wiki = stack.pop()
        while not is_wiki and not tag:  # `|}` goes past tags that were forgotten; `</table>` closes what is innermost
            begin, is_wiki = stack.pop()
        wiki_count -= is_wiki
        while spans and spans[-1][0] >= begin:
            spans.pop()
        spans.append((begin, match.end()))
    if any(not is_wiki for _, is_wiki in stack):
        flags["unclosed:table"] += 1
    unclosed = [begin for begin, is_wiki in stack if is_wiki]
    out: list[str] = []
    last = 0
    for begin, end in _with_unclosed(text, spans, unclosed, flags):
        out.append(text[last:begin])
        tag = text[begin] == "<"  # which may stand within a line
        out.append(f"{BREAK if tag else ''}\n\n{NOTHING}{BREAK}")
        _drop(text[begin:end], links, flags)
        last = end
    out.append(text[last:])
    return "".join(out)[1:]


def _with_unclosed(
    text: str, spans: list[tuple[int, int]], unclosed: list[int], flags: Counter[str]
) -> list[tuple[int, int]]:
    """The spans in order, with the rows of tables that are never closed."""
    if not unclosed:
        return spans
    flags["unclosed:table"] += len(unclosed)
    extra: list[tuple[int, int]] = []
    limits = [begin for begin, _ in spans] + [len(text)]
    last_end, ahead = 0, 0
    blank = heading = -1  # the next of each kind; kept, so that a kind that is far away is looked for once
    for begin in unclosed:
        if begin < last_end:
            continue
        while limits[ahead] < begin:
            ahead += 1
        if blank <= begin:
            blank = _find(text, "\n\n", begin + 1)
        if heading <= begin:
            heading = _find(text, "\n=", begin + 1)
        last_end = min(blank, heading, limits[ahead])
        extra.append((begin, last_end))
    return sorted(spans + extra)


def _find(text: str, what: str, at: int) -> int:
    """Where `what` comes next, the end of the text if nowhere."""
    place = text.find(what, at)
    return place if place >= 0 else len(text)
