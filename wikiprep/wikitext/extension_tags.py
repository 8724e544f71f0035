"""Comments and extension tags: content that is not wikitext and that everything else must not look into.

One pass over the page, in MediaWiki's order (what opens first wins). A tag that is never closed is dropped alone and
its content is read as wikitext; a comment that is never closed hides the rest of the page, as in MediaWiki. The search
for a closing tag fails once a kind at most, so the pass is linear.
"""

import re
from collections import Counter

from wikiprep.wikitext.control_marks import BREAK, NOTHING, PLACEHOLDER, decode_entities, shield
from wikiprep.wikitext.formulas import formula_text

# name -> (reason for links inside, what stands in the text instead)
DROPPED_TAGS = {
    "math": ("math", PLACEHOLDER),
    "chem": ("math", PLACEHOLDER),
    "ce": ("math", PLACEHOLDER),
    "gallery": ("gallery", BREAK),
    "imagemap": ("imagemap", BREAK),
    "timeline": ("timeline", BREAK),
    "score": ("score", BREAK),
    "source": ("code", BREAK),
    "syntaxhighlight": ("code", BREAK),
    "pre": ("code", BREAK),
    "hiero": ("hiero", PLACEHOLDER),
    "graph": ("graph", BREAK),
    "mapframe": ("map", NOTHING),
    "maplink": ("map", PLACEHOLDER),
    "phonos": ("phonos", PLACEHOLDER),
    "templatedata": ("code", BREAK),
    "templatestyles": ("code", NOTHING),
    "inputbox": ("code", BREAK),
    "categorytree": ("code", BREAK),
    "indicator": ("code", NOTHING),
    "includeonly": ("includeonly", ""),
    # Wikisource: pages of a scanned book, which stand in a namespace of their own
    "pages": ("pages", BREAK),
    "pagelist": ("pages", BREAK),
    "pagequality": ("pages", NOTHING),
    # Wikivoyage and Fandom: boxes, and what plays or asks
    "mapmask": ("map", NOTHING),
    "infobox": ("infobox", BREAK),
    "tabview": ("tabs", BREAK),
    "youtube": ("video", BREAK),
    "poll": ("poll", BREAK),
    "rss": ("rss", BREAK),
}
_HIGHLIGHTED = ("syntaxhighlight", "source")
_INLINE = re.compile(r"\binline\b", re.I)
_LABEL = re.compile(r"(?:^|\s)text\s*=\s*(?:\"([^\"<>]+)\"|'([^'<>]+)')", re.I)
_NAMES = [*DROPPED_TAGS, "nowiki", "poem", "tabber"]
_TAB = re.compile(r"\|-\|")


def _any_case(name: str) -> str:
    return "".join(f"[{c}{c.upper()}]" for c in name)


# A literal "<" first: `re` then skips to each one without trying the alternatives elsewhere; then what a name may begin
# with, so that `<ref` and `</ref` are through at once.
_FIRST = "".join(sorted({letter for name in _NAMES for letter in (name[0], name[0].upper())}))
_OPENER = re.compile(
    rf"<(?:!--|(?=[{_FIRST}])((?ai:{'|'.join(sorted(_NAMES, key=len, reverse=True))}))(?=[\s/>])([^<>]*)>)"
)
_CLOSERS = {name: re.compile(rf"</{_any_case(name)}\s*>") for name in _NAMES}
_COMMENT_RUN = re.compile(r"(?:[ \t]*<!--)")


def strip_opaque(text: str, links: Counter[str], flags: Counter[str], math: str = "drop") -> str:
    """The text without comments and extension tags; nowiki content is shielded, poems become plain blocks."""
    out: list[str] = []
    last, at = 0, 0
    unclosed_names: set[str] = set()
    while (match := _OPENER.search(text, at)) is not None:
        start, at = match.span()
        name = (match[1] or "").lower()
        if not name:
            out.append(text[last:start])
            end = _comment_end(text, start, at, out)
            if end < 0:
                flags["unclosed:comment"] += 1
                end = len(text)
            else:
                flags["comment"] += 1
            if link_count := text.count("[[", start, end):
                links["found"] += link_count
                links["comment"] += link_count
            last = at = end
            continue
        void = match[2].endswith("/")
        closer = None if void or name in unclosed_names else _CLOSERS[name].search(text, at)
        out.append(text[last:start])
        label = _LABEL.search(match[2]) if name == "maplink" else None
        if closer is None:
            if not void:
                unclosed_names.add(name)
                flags[f"unclosed:{name}"] += 1
            out.append(_map_label(label) if void and label else NOTHING)
            last = at
            continue
        body, last = text[at : closer.start()], closer.end()
        at = last
        flags[name] += 1
        if is_code_in_a_line(name, match[2]):
            name = "nowiki"  # it stays, as `<code>` does
        elif label:
            out.append(_map_label(label))
            continue
        out.append(_stand_in(name, body, links, flags, math))
    out.append(text[last:])
    return "".join(out)


def _map_label(label: re.Match[str]) -> str:
    """Of a link to a map: wikitext, as in the text of the page."""
    return NOTHING + (label[1] or label[2]) + NOTHING


def is_code_in_a_line(name: str, attributes: str) -> bool:
    """Whether an extension tag highlights code within a line of text."""
    return name in _HIGHLIGHTED and _INLINE.search(attributes) is not None


def _stand_in(name: str, body: str, links: Counter[str], flags: Counter[str], math: str) -> str:
    if name == "nowiki":
        return NOTHING + shield(decode_entities(body)).replace("\n", " ") + NOTHING
    if name == "poem":
        lines = strip_opaque(body, links, Counter(), math).split("\n")
        return BREAK + "".join(map(verse_line, lines)) + BREAK
    if name == "tabber":  # `One=text|-|Two=text`: the names are labels of buttons
        tabs = (strip_opaque(tab.partition("=")[2], links, Counter(), math) for tab in _TAB.split(body))
        return BREAK + "".join(f"\n\n{tab.strip()}\n\n" for tab in tabs) + BREAK
    reason, stand_in = DROPPED_TAGS[name]
    if reason == "math" and math != "drop" and (formula := _formula(name, body, flags, math)):
        stand_in = NOTHING + shield(formula) + NOTHING
    if link_count := body.count("[["):
        links["found"] += link_count
        links[reason] += link_count
    return stand_in


def _formula(name: str, body: str, flags: Counter[str], math: str) -> str:
    """Its source or its text; what has no text is counted."""
    source = " ".join(decode_entities(body).split())
    if math == "tex" or not source:
        return source
    formula = formula_text(source, chemistry=name != "math")
    if formula is None:
        flags["math:unread"] += 1
    return formula or ""


def verse_line(line: str) -> str:
    """A line of a poem: those around it go on in the same block, unless it is blank, a ruler or an item of a list."""
    line = line.strip().lstrip(":")  # colons indent it
    if not line or line.startswith("----"):
        return BREAK + (f"{NOTHING}{rest} " if (rest := line.lstrip("-")) else "")
    return f"\n{line}\n" if line[0] in "*#;" else f"{NOTHING}{line} "


def _comment_end(text: str, start: int, at: int, out: list[str]) -> int:
    """Where the text goes on after a run of comments, -1 if the first is never closed.

    A line that holds nothing else goes with its line end.
    """
    end = text.find("-->", at)
    if end < 0:
        return -1
    end += 3
    while (following := _COMMENT_RUN.match(text, end)) and (closer := text.find("-->", following.end())) >= 0:
        end = closer + 3
    before = start
    while before and text[before - 1] in " \t":
        before -= 1
    if before and text[before - 1] != "\n":
        return end
    after = end
    while after < len(text) and text[after] in " \t":
        after += 1
    if after < len(text) and text[after] != "\n":
        return end
    out[-1] = out[-1].rstrip(" \t")
    return min(after + 1, len(text))
