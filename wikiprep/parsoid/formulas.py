"""Formulas in HTML as text: by the TeX that was typed, as the wikitext side reads it."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson

from wikiprep.wikitext.formulas import formula_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_STYLED = re.compile(r"\{\\(?:displaystyle|textstyle)\s*(.*)\}\Z", re.S)  # what MediaWiki puts around


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
