"""Which kind each block of the oracle's HTML is: by the innermost item or quotation that it stands in."""

import re
from typing import Any

from .oracle_support import oracle

_ITEMS = {"li": "list_item", "dd": "definition", "dt": "term"}


def kinds_of(html: str) -> list[tuple[str, int]]:
    """(kind, depth) of the blocks that `oracle.blocks_and_links` finds, in order."""
    from lxml import html as parser

    module = oracle()
    found: list[tuple[str, int]] = []
    run: list[str] = []

    def flush(kind: tuple[str, int]) -> None:
        if re.sub(r"\s+", " ", "".join(run)).strip():
            found.append(kind)
        run.clear()

    def walk(e: Any, kind: tuple[str, int], lists: int, quotes: int) -> None:
        if isinstance(e.tag, str):
            block = e.tag in module.BLOCKS
            if block:
                flush(kind)
            if e.tag not in module.DROPPED_TAGS and not module.DROPPED_CLASSES.search(e.get("class") or ""):
                inner = kind
                if e.tag in ("ul", "ol", "dl"):
                    lists += 1
                elif e.tag in _ITEMS:
                    inner = (_ITEMS[e.tag], max(1, lists))
                elif e.tag == "blockquote":
                    inner, quotes = ("quote", quotes + 1), quotes + 1
                run.append(e.text or "")
                for child in e:
                    walk(child, inner, lists, quotes)
                if block:
                    flush(inner)
        run.append(e.tail or "")

    if html.strip():
        root = parser.fragment_fromstring(html, create_parent="div")
        run.append(root.text or "")
        for child in root:
            walk(child, ("prose", 0), 0, 0)
        flush(("prose", 0))
    return found
