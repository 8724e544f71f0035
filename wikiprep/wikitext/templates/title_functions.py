"""Parser functions about titles: `#titleparts`, `#rel2abs`, `#ifexist`."""

import re

from wikiprep.wikitext.control_marks import without_marks
from wikiprep.wikitext.templates.function_context import Expand, PageContext, part_of

_INTEGER = re.compile(r"[-+]?\d{1,9}")
_MOST_PARTS = 25  # MediaWiki's: what is beyond stays one part


def _integer(text: str) -> int:
    match = _INTEGER.match(text)
    return int(match[0]) if match else 0


def _title(parts: list[str], which: int, expand: Expand) -> str:
    """A title, which may come from `{{PAGENAME}}` with stand-ins for what wikitext gives a meaning."""
    return without_marks(part_of(parts, which, expand))


def title_parts(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{#titleparts:Talk:A/b/c|1|2}}`: b. How many parts, from which on; negative numbers count from the end."""
    title_text = _title(parts, 0, expand)
    target = page.site.titles.parse(title_text)
    if target.kind not in ("page", "interwiki"):
        return title_text if target.kind != "section" else ""
    title = f"{target.prefix}:{target.title}" if target.kind == "interwiki" else target.title
    pieces = title.split("/", _MOST_PARTS - 1)
    count, first = _integer(part_of(parts, 1, expand)), _integer(part_of(parts, 2, expand))
    chosen_pieces = pieces[first - 1 if first > 0 else first :] if first else pieces
    return "/".join(chosen_pieces[:count] if count else chosen_pieces)


def absolute_title(parts: list[str], page: PageContext, expand: Expand) -> str | None:
    """`{{#rel2abs:../b|A/c}}`: A/b. None where it leads above the first part."""
    to, base = _title(parts, 0, expand).rstrip(" /"), _title(parts, 1, expand) or page.title
    if to in ("", "."):
        return base
    if to != ".." and not to.startswith(("/", "./", "../")):
        base = ""
    pieces: list[str] = []
    for piece in f"{base}/{to}".split("/"):
        if piece == "..":
            if not pieces:
                return None
            pieces.pop()
        elif piece not in ("", "."):
            pieces.append(piece)
    return "/".join(pieces)


def if_exists(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{#ifexist:Title|there|not there}}`: which pages a wiki has is not known while one of them is read.

    So it is "not there", as on a wiki without pages, but for special pages and the page itself.
    """
    target = page.site.titles.parse(_title(parts, 0, expand))
    exists = target.kind == "page" and bool(target.title) and (target.namespace == -1 or target.title == page.title)
    return part_of(parts, 1 if exists else 2, expand)
