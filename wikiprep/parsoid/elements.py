"""Which elements of a page's HTML are blocks, which carry no running text, and why: the rules of the wikitext side.

Formulas become text by the TeX that was typed, as that side reads it.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import orjson

from wikiprep.wikitext.article import ParagraphKind
from wikiprep.wikitext.formulas import formula_text
from wikiprep.wikitext.templates.box_markup import is_box_class

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# What a reader sees as a block of its own: a paragraph never goes on across its edges.
BLOCKS = frozenset(
    (
        *("p", "div", "center", "hr", "section", "blockquote", "pre", "table", "figure", "figcaption", "gallery"),
        *("ul", "ol", "dl", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("address", "article", "aside", "details", "summary", "footer", "header", "main", "nav", "form", "fieldset"),
    )
)
LISTS = frozenset(("ul", "ol", "dl"))
ITEMS: dict[str, ParagraphKind] = {"li": "list_item", "dt": "term", "dd": "definition"}
HEADINGS = {f"h{level}": level for level in range(1, 7)}

# Without text for readers, or with text that no parser may show: their links are counted under the reason.
_TAGS = {
    "table": "table",
    "pre": "code",
    "figure": "file",
    "figure-inline": "file",  # of HTML before version 2.4
    "audio": "file",
    "video": "file",
    **dict.fromkeys(
        ("style", "script", "noscript", "template", "head", "title", "svg", "iframe", "object", "select"), "hidden"
    ),
}
_NOTES = re.compile(r"(?<![\w-])(?:mw-ref|reference|references|mw-references-wrap|reflist|mw-cite-backlink)(?![\w-])")
_GALLERY = re.compile(r"(?<![\w-])gallery(?:box)?(?![\w-])")
_CODE = re.compile(r"(?<![\w-])mw-highlight(?![\w-])")
# The interface around the text.
_INTERFACE = re.compile(
    r"(?<![\w-])(?:mw-editsection|catlinks|printfooter|magnify|thumbcaption|mw-ext-cite-error|mw-empty-elt)(?![\w-])"
)
_FILE = re.compile(r"\bmw:(?:Error )?(?:File|Image|Video|Audio)\b")
_HIDDEN = re.compile(r"display\s*:\s*none", re.I)
FORMULA_CLASS = "mwe-math-element"
_FORMULA = re.compile(r"\bmw:Extension/(?:math|chem|ce)\b")
_WITHOUT_TEXT = re.compile(
    r"\bmw:Extension/(timeline|score|hiero|graph|mapframe|phonos|templatedata|templatestyles|inputbox|categorytree"
    r"|indicator|imagemap|gallery|references|ref)\b"
)
_REASONS = {
    "mapframe": "map",
    "references": "reference",
    "ref": "reference",
    **dict.fromkeys(("templatedata", "templatestyles", "inputbox", "categorytree", "indicator"), "code"),
}
_STYLED = re.compile(r"\{\\(?:displaystyle|textstyle)\s*(.*)\}\Z", re.S)  # what MediaWiki puts around


def is_file(types: str) -> bool:
    """Whether an element of this `typeof` is an image or another file."""
    return bool(types) and _FILE.search(types) is not None


def is_formula(tag: str, classes: str, types: str) -> bool:
    """Whether the element is a whole formula; `types` is its `typeof`."""
    return tag == "math" or FORMULA_CLASS in classes or (bool(types) and _FORMULA.search(types) is not None)


def drop_reason(tag: str, classes: str, types: str, attributes: Mapping[str, str | None]) -> str:
    """Why an element carries no running text, "" where it does: the words by which dropped links are counted.

    `classes` and `types` are its `class` and `typeof`, which the caller has looked up.
    """
    if reason := _TAGS.get(tag):
        return reason
    if classes and (reason := _by_class(tag, classes)):
        return reason
    if types:
        if is_file(types):
            return "file"
        if extension := _WITHOUT_TEXT.search(types):
            return _REASONS.get(extension[1], extension[1])
    if attributes.get("id") == "coordinates":  # set beside the title, not where it stands
        return "box"
    style = attributes.get("style") or ""
    return "hidden" if "display" in style and _HIDDEN.search(style) else ""


@lru_cache(maxsize=4096)
def _by_class(tag: str, classes: str) -> str:
    if _NOTES.search(classes):
        return "reference"
    if _GALLERY.search(classes):
        return "gallery"
    if _CODE.search(classes) and tag in BLOCKS:  # in a line it stays, as `<code>` does
        return "code"
    if _INTERFACE.search(classes) or is_box_class(classes):
        return "box"
    return ""


def formula(node: "LexborNode", attributes: Mapping[str, str | None], flags: Counter[str], policy: str) -> str:
    """The formula's source or its text, "" for none; what has no text is counted in `flags`."""
    if policy == "drop":
        return ""
    name, source = _source_of_data(attributes.get("data-mw") or "")
    if not source:
        source = _source_of_annotation(node)
    source = " ".join(source.split())
    if policy == "tex" or not source:
        return source
    text = formula_text(source, chemistry=name in ("chem", "ce"))
    if text is None:
        flags["math:unread"] += 1
    return text or ""


def _source_of_data(data: str) -> tuple[str, str]:
    """The tag's name and inside by `data-mw`; ("", "") where it does not say."""
    if '"extsrc"' not in data:
        return "", ""
    try:
        tag_data = orjson.loads(data)
        return str(tag_data["name"]), str(tag_data["body"]["extsrc"])
    except (ValueError, TypeError, KeyError):
        return "", ""


def _source_of_annotation(node: "LexborNode") -> str:
    """By the MathML's annotation, else by the text that stands for the picture."""
    if (annotation := node.css_first('annotation[encoding="application/x-tex"]')) is not None:
        return _strip_style(annotation.text())
    if (math := node.css_first("math[alttext]")) is not None:
        return _strip_style(math.attributes.get("alttext") or "")
    if (image := node.css_first("img[alt]")) is not None:
        return _strip_style(image.attributes.get("alt") or "")
    return ""


def _strip_style(source: str) -> str:
    match = _STYLED.match(source.strip())
    return match[1].strip() if match else source.strip()
