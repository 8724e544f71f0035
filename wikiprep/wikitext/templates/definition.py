"""What a wiki's own Template page puts in the place of its call, where that is simple enough to be text.

Parts for the template page alone (`<noinclude>`) go, parts for the call (`<includeonly>`, `<onlyinclude>`) stay, by
MediaWiki's rules. Tables and boxes that the page holds outside all braces go at once (box_markup.py), so that what is
left of an infobox is its categories, and of most nothing; boxes that come of a call go when it is made (reader.py).
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from wikiprep.wikitext.control_marks import NOTHING, clean
from wikiprep.wikitext.extension_tags import strip_opaque
from wikiprep.wikitext.references import strip_references
from wikiprep.wikitext.template_calls import outermost
from wikiprep.wikitext.templates.box_markup import ROW, begins_with_box, has_box_class, without_boxes
from wikiprep.wikitext.templates.lua_modules import only_silent_scripts

MAX_LENGTH = 20_000  # characters; what is longer is a box, or a table in disguise

Reason = Literal["simple", "empty", "long", "script", "box"]
Kind = Literal["text", "script", "nothing", "unread", "absent"]
KINDS: dict[Reason, Kind] = {
    "simple": "text",
    "script": "script",
    "empty": "nothing",
    "box": "nothing",
    "long": "unread",
}


@dataclass(frozen=True, slots=True)
class Definition:
    """What the dump says of a template. `name`: canonical, behind redirects.

    `kind`: "text", `body` is the wikitext that a call stands for; "script", so it is, but Lua has a part in it;
    "nothing", the page shows no text whatever it is given; "unread", it is too long to be read; "absent", the dump has
    a redirect to it alone.
    """

    name: str
    kind: Kind
    body: str | None = None


_NOINCLUDE = re.compile(r"<noinclude\s*>.*?(?:</noinclude\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_ONLY = re.compile(r"<onlyinclude\s*>(.*?)(?:</onlyinclude\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INCLUDEONLY = re.compile(r"</?(?:includeonly|noinclude|onlyinclude)\s*/?>", re.IGNORECASE)
# What a call does where it is saved, and nothing where it is shown.
_SUBST = re.compile(r"\{\{\s*(?:\{\{\{\|\s*safesubst:\s*\}\}\}|safesubst:)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"\{\{\s*#(?:invoke|lst|lsth|section)\s*:", re.IGNORECASE)
_OTHER_PAGE = re.compile(r"\{\{\s*#(?:lst|lsth|section)\s*:", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_HIDDEN = "\x1c"  # in the place of a character within braces


def prepare(text: str) -> tuple[str, Reason]:
    """(the wikitext that a call of a template stands for, "simple" or "script"), or ("", why not); `text`: its page's.

    A "script" is text as far as its modules are known here (lua_modules.py).
    """
    body = _COMMENT.sub("", clean(text))
    body = _NOINCLUDE.sub("", body)
    if parts := _ONLY.findall(body):
        body = "".join(parts)
    body = _SUBST.sub("{{", _INCLUDEONLY.sub("", body))
    if not body.strip():
        return "", "empty"
    ignored_links: Counter[str] = Counter()
    body = strip_references(strip_opaque(body, ignored_links, Counter()), ignored_links, Counter())
    whole, body = body, _without_boxes(body)
    if not body.strip(f" \n{NOTHING}"):
        return "", "box" if whole.strip(f" \n{NOTHING}") else "empty"
    if begins_with_box(body) or only_silent_scripts(body):
        return "", "box"
    if len(body) > MAX_LENGTH:
        return "", "box" if has_box_class(body) else "long"
    if _SCRIPT.search(body):
        return ("", "script") if _OTHER_PAGE.search(body) else (body, "script")
    return body, "simple"


def _without_boxes(body: str) -> str:
    """The body without tables and boxes that stand outside all braces; nothing where rows of a table are left."""
    spans, _ = outermost(body)
    masked_pieces: list[str] = []
    last = 0
    for start, end, _ in spans:
        masked_pieces += (body[last:start], _HIDDEN * (end - start))
        last = end
    seen = "".join((*masked_pieces, body[last:]))
    remaining = without_boxes(body, seen)
    if remaining is None or ROW.search(remaining[1]):
        return ""
    if remaining[0] == body:
        return body
    # What surrounded a box is not text that begins a line: of most boxes categories are left.
    visible_text = _TAG.sub("", remaining[1])
    return remaining[0].strip() if any(map(str.isalnum, visible_text)) or _HIDDEN in visible_text else ""
