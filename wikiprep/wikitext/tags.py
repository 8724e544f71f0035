"""HTML tags that MediaWiki lets through: the tag goes, its content stays. Words in angle brackets stay as typed.

Boxes that are set beside the text go whole: `<div>`s whose class says thumbnail, navigation or notes.

Searches of a page are for a word that begins with a rare character. `in` looks for one character at the speed of
memory, but for more, in text of two bytes a character, thirty times slower (0.03 and 0.8 ns a character); `re` jumps
from one first character to the next (0.1 ns) if only that is a literal.
"""

import re
from collections import Counter
from collections.abc import Callable

from wikiprep.languages.wikitext_words import WikiWords
from wikiprep.wikitext.control_marks import (
    BREAK,
    DEFINITION,
    ITEM,
    ITEM_CLOSE,
    LIST_CLOSE,
    LIST_OPEN,
    NOTHING,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    TERM,
    WITHIN,
)
from wikiprep.wikitext.paragraph_ends import end_paragraphs


def seeker(*words: str) -> Callable[[str], re.Match[str] | None]:
    """Finds the first place of any of the words, which begin with the same, rare, character and have others."""
    (first,) = {word[0] for word in words}
    rest = "|".join(re.escape(word[1:]) for word in words)
    return re.compile(f"{re.escape(first)}(?={rest})").search


_EDGE = re.compile(r"<(/?)[Dd][Ii][Vv]((?:[\s/][^<>]*)?)>")
_CLASSES = re.compile(r"class\s*=\s*[\"']?([^\"'<>]*)")
_BESIDE = re.compile(
    r"\b(?:references|reflist|refbegin|thumb|thumbinner|thumbcaption|gallery|toc|hatnote|dablink|rellink|navbox|infobox"
    r"|metadata|ambox|sistersitebox|side-box|noprint|portal|portalbox|NavFrame|NavHead)\b"
)
_find_div = seeker("<div")
_INLINE = (
    "abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rb rp rt rtc ruby s samp small span strike"
    " strong sub sup time tt u var wbr noinclude onlyinclude includeonly section nowiki ref references templatestyles"
    " translate tvar languages indicator noparse chem ce math poem gallery pre timeline score source syntaxhighlight"
    " imagemap hiero graph langconvert"
)
_BLOCK = "center div p table tr td th caption thead tbody tfoot h1 h2 h3 h4 h5 h6 hr"
# Blocks in which the next lines stand, behind the opening and behind the closing tag.
_OPENING = "p table tr caption thead tbody tfoot h1 h2 h3 h4 h5 h6"
_CLOSING = "td th tr caption thead tbody tfoot"
_WITHIN = frozenset([(name, "") for name in _OPENING.split()] + [(name, "/") for name in _CLOSING.split()])
# What a block stands in (nesting.py): marks of the opening and of the closing tag.
_NESTED = {
    "blockquote": (QUOTE_OPEN, QUOTE_CLOSE),
    "li": (ITEM, ITEM_CLOSE),
    "dt": (TERM, ITEM_CLOSE),
    "dd": (DEFINITION, ITEM_CLOSE),
    **dict.fromkeys(("ul", "ol", "dl"), (LIST_OPEN, LIST_CLOSE)),
}
_STAND_INS = dict.fromkeys(_INLINE.split(), NOTHING) | dict.fromkeys([*_BLOCK.split(), *_NESTED], BREAK)
_STAND_INS["br"] = NOTHING + " "
_STAND_INS["noinclude"] = _STAND_INS["onlyinclude"] = ""  # gone before links are read
KNOWN_TAGS = frozenset(_STAND_INS)  # others are words in angle brackets
# Tags that need no partner, or may go without.
_ALONE = "br hr wbr p li dt dd tr td th caption thead tbody tfoot rb rp rt rtc references section"
_SINGLE = frozenset(_ALONE.split())
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])[^<>]*>")
_UNFINISHED = re.compile(rf"</?(?i:{'|'.join(_STAND_INS)})(?![a-zA-Z0-9])")
_BOX = re.compile(r"<(span|div)\b([^<>]*)>[^<>]*</\1\s*>")
_find_box = seeker("<span", "<div")
_find_heading = seeker("</h")
_find_switch = seeker("__")  # the first of `Words.switch_hints`, in most languages the only one


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


def _unless_hidden(match: re.Match[str]) -> str:
    return NOTHING if "display:none" in match[2].replace(" ", "") else match[0]


# A body never crosses another heading's tag, so every attempt ends at the next one.
_HEADING = re.compile(r"<[hH]([1-6])(?:\s[^<>]*)?>((?:[^<\n]|<(?!/?[hH][1-6]))*)</[hH]\1\s*>")


def _replace_heading(match: re.Match[str]) -> str:
    mark = "=" * int(match[1])
    return f"{BREAK}\n{mark}{match[2]}{mark}\n{NOTHING}{BREAK}"  # a space behind it makes no preformatted line


# Behind `<p>` a space at the start of a line makes no code, up to a tag (or table, or heading) that ends paragraphs.
_PARAGRAPH = re.compile(
    rf"<[pP](?:\s[^<>]*)?>.*?(?=</[pP]\b|</?(?i:div|center|blockquote|hr)\b|\n=|\n\n{NOTHING}|\Z)", re.S
)


def _mark_indents(match: re.Match[str]) -> str:
    return match[0].replace("\n ", f"\n{NOTHING} ")


def _replace_tags(text: str, flags: Counter[str]) -> tuple[str, bool]:
    """(the text with marks for tags, whether any are of blocks); `unclosed:tag` counts what has no partner or `>`."""
    open_tags: dict[str, int] = {}
    paragraphs: list[bool] = []

    def replace_tag(match: re.Match[str]) -> str:
        closes, name = match[1], match[2].lower()
        stand_in = _STAND_INS.get(name)
        if stand_in is None:
            return match[0]
        if name not in _SINGLE and match[0][-2] != "/":
            open_tags[name] = open_tags.get(name, 0) + (-1 if closes else 1)
        if stand_in is BREAK:
            paragraphs.append(name == "p")
            if name in _NESTED and match[0][-2] != "/":
                return _NESTED[name][1 if closes else 0]
            if (name, closes) in _WITHIN:
                return WITHIN
        return stand_in

    marked_text = _TAG.sub(replace_tag, text)
    if any(paragraphs) and "\n " in text:
        open_tags.clear()
        marked_text = _TAG.sub(replace_tag, _PARAGRAPH.sub(_mark_indents, text))
    text = marked_text
    if any(open_tags.values()) or ("<" in text and _UNFINISHED.search(text)):
        flags["unclosed:tag"] += 1
    return text, bool(paragraphs)


def _replace_switch(match: re.Match[str]) -> str:
    if match[1]:  # the table of contents stands between blocks
        return BREAK
    text, start, end = match.string, match.start(), match.end()
    alone = text[start - 1 : start] in ("", "\n") and text[end : end + 1] in ("", "\n")
    return "" if alone else NOTHING  # a line of its own becomes a blank one


def strip_tags(text: str, words: WikiWords, flags: Counter[str]) -> str:
    """The text with tags replaced by marks; the wiki's behaviour switches (`__NOTOC__`) go too."""
    tagged = False
    if "<" in text:
        if _find_heading(text):
            text = _HEADING.sub(_replace_heading, text)
        if _find_box(text) and "display" in text:
            text = _BOX.sub(_unless_hidden, text)
        text, tagged = _replace_tags(text, flags)
    text = end_paragraphs(text, tagged=tagged)
    if ("_" in text and _find_switch(text)) or any(map(text.__contains__, words.switch_hints[1:])):
        text = words.switch.sub(_replace_switch, text)
    return text
