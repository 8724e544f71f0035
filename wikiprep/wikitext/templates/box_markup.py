"""Boxes, notices and navigation in what a template makes: by their tags and classes they are no running text."""

import re

_CLASS = re.compile(r"class\s*=\s*(?:\"([^\"<>]*)|'([^'<>]*)|([^\s\"'<>]+))", re.IGNORECASE)
# Classes of MediaWiki's own and of the wikis' common style sheets. Words begin and end at spaces and hyphens.
_BOX = re.compile(
    r"(?<![\w-])(?:(?:vertical-)?navbox(?:-\w+)*|nav(?:frame|head|content|bar|igation(?:sleiste)?)|navigation-only"
    r"|(?:info|taxo|chem|geo|user|side|sister(?:sites?)?|succession|portal)-?box\w*|[a-z]{1,3}mbox(?:-[\w-]+)?"
    r"|mbox-[\w-]+|metadata|noprint|stub|sidebar|hatnote(?:-\w+)*|dablink|rellink|homonymie|bandeau(?:-[\w-]+)?"
    r"|portal|toccolours|toc|messagebox|boilerplate|thumb|thumbinner|reflist|references(?:-[\w-]+)?|refbegin|nomobile"
    r"|shortdescription|coordinates|geo(?:-\w+)?|error|mw-empty-elt)(?![\w-])",
    re.IGNORECASE,
)
_NONE = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_TAGS = "div span table sup sub small big p ul ol li dl dd center i b em strong cite code section aside nav font u s"
_TAG = re.compile(rf"<(/?)({'|'.join(_TAGS.split())})(?=[\s/>])([^<>]*)>", re.IGNORECASE)
_BLOCK = re.compile(r"<(?:div|table)(?=[\s/>])([^<>]*)>|(?:\{\||\{\{\(!\}\})([^\n]*)", re.IGNORECASE)
_BRACES = re.compile(r"\{\{.*", re.DOTALL)  # with the branches of functions behind them
_EDGE = re.compile(r"(?:^|\n)[ \t:*]*(\{\||\|\}(?!\}))")
# A line of a table's inside, without the table.
ROW = re.compile(r"^[ \t]*(?:\|[-+}]?|!)(?!\|)|^[ \t:]*\{\|", re.MULTILINE)


def is_box(attributes: str) -> bool:
    """Whether an element with these attributes is a box, a notice, navigation, or hidden."""
    if "class" in attributes or "CLASS" in attributes:
        for match in _CLASS.finditer(attributes):
            if _BOX.search(match[1] or match[2] or match[3] or ""):
                return True
    return "display" in attributes and _NONE.search(attributes) is not None


def is_box_class(names: str) -> bool:
    """Whether one of an element's classes, as its attribute has them, is a box's."""
    return _BOX.search(names) is not None


def has_box_class(text: str) -> bool:
    """Whether any class that is written in the text is a box's."""
    return any(_BOX.search(a or b or c) for a, b, c in _CLASS.findall(text))


def begins_with_box(body: str) -> bool:
    """Whether the first block of a definition, with no words of its own before it, is a box, whatever the call asks.

    So are navigation boxes whose outer element stands in a branch of `#switch`.
    """
    first = _BLOCK.search(body)
    if first is None or not is_box(first[1] or first[2] or ""):
        return False
    return not any(map(str.isalnum, _BRACES.sub("", body[: first.start()])))


def without_boxes(text: str, seen: str | None = None) -> tuple[str, str] | None:
    """`text` without its tables and boxes, and `seen` without the same places; None where a table is never closed.

    `seen` has the length of `text` and tells where they are: `text` itself, or with its calls hidden.
    """
    seen = text if seen is None else seen
    spans = _tables(seen)
    if spans is None:
        return None
    if "<" in seen:
        spans = _outermost(spans + _elements(seen))
    if not spans:
        return text, seen
    pieces: list[tuple[str, str]] = []
    last = 0
    for start, end in spans:
        pieces.append((text[last:start], seen[last:start]))
        last = end
    pieces.append((text[last:], seen[last:]))
    return "".join(piece for piece, _ in pieces), "".join(piece for _, piece in pieces)


def _tables(seen: str) -> list[tuple[int, int]] | None:
    if "{|" not in seen:
        return []
    spans: list[tuple[int, int]] = []
    stack: list[int] = []
    for match in _EDGE.finditer(seen):
        if match[1] == "{|":
            stack.append(match.start(1))
        elif stack:
            start = stack.pop()
            if not stack:
                spans.append((start, match.end()))
    return None if stack else spans


def _elements(seen: str) -> list[tuple[int, int]]:
    """Elements that are boxes, each with its end; one that is never closed is none."""
    spans: list[tuple[int, int]] = []
    stacks: dict[str, list[tuple[int, bool]]] = {}
    for match in _TAG.finditer(seen):
        name = match[2].lower()
        if not match[1]:
            if not match[3].endswith("/"):
                stacks.setdefault(name, []).append((match.start(), name == "table" or is_box(match[3])))
        elif stack := stacks.get(name):
            start, box = stack.pop()
            if box:
                spans.append((start, match.end()))
    return spans


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that stand in no other, in order; one that crosses another goes with it."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out
