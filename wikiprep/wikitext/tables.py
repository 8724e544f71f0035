"""Drops tables, wikitext's and HTML's, with everything in them."""

import re
from collections import Counter

from wikiprep.wikitext.marks import NOTHING

_EDGE = re.compile(r"\n[ \t:\x03\x04\x05]*(?:\{\||\|\})")
_HTML_EDGE = re.compile(r"<(/?)[Tt][Aa][Bb][Ll][Ee](?:[\s/][^<>]*)?>")
_ROW = ("|", "!", "{|")


def strip_tables(text: str, links: Counter[str], flags: Counter[str]) -> str:
    """The text without tables; links in them are counted as `table`.

    Of a table that is never closed only the lines up to the first blank line or heading go, so that a forgotten `|}`
    does not cost the rest of the page (MediaWiki would show all of it as cells).
    """
    if "{|" in text:
        text = _strip(text, links, flags)
    if "<table" in text or "<TABLE" in text or "<Table" in text:
        text = _strip_html(text, links, flags)
    return text


def _drop(piece: str, links: Counter[str], flags: Counter[str]) -> None:
    flags["table"] += 1
    if found := piece.count("[["):
        links["found"] += found
        links["table"] += found


def _strip(text: str, links: Counter[str], flags: Counter[str]) -> str:
    text = "\n" + text
    edges = [(match.start(), match.end(), match[0].endswith("{|")) for match in _EDGE.finditer(text)]
    spans: list[tuple[int, int]] = []
    stack: list[int] = []
    for start, end, opens in edges:
        if opens:
            stack.append(start)
        elif stack:
            begin = stack.pop()
            while spans and spans[-1][0] >= begin:
                spans.pop()
            spans.append((begin, end))
    out: list[str] = []
    last = 0
    for begin, end in _with_unclosed(text, spans, stack, flags):
        out.append(text[last:begin])
        out.append("\n\n" + NOTHING)
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
    done, ahead = 0, 0
    blank = heading = -1  # the next of each kind; kept, so that a kind that is far away is looked for once
    for begin in unclosed:
        if begin < done:
            continue
        while limits[ahead] < begin:
            ahead += 1
        if blank <= begin:
            blank = _find(text, "\n\n", begin + 1)
        if heading <= begin:
            heading = _find(text, "\n=", begin + 1)
        done = min(blank, heading, limits[ahead])
        extra.append((begin, done))
    return sorted(spans + extra)


def _find(text: str, what: str, at: int) -> int:
    """Where `what` comes next, the end of the text if nowhere."""
    found = text.find(what, at)
    return found if found >= 0 else len(text)


def _strip_html(text: str, links: Counter[str], flags: Counter[str]) -> str:
    out: list[str] = []
    last, depth, begin = 0, 0, 0
    for match in _HTML_EDGE.finditer(text):
        if not match[1]:
            if not depth:
                begin = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                out.append(text[last:begin])
                out.append("\n\n" + NOTHING)
                _drop(text[begin : match.end()], links, flags)
                last = match.end()
    if depth:
        flags["unclosed:table"] += 1
    out.append(text[last:])
    return "".join(out)
