"""What stands in braces and is no template: magic words and parser functions. Nothing that depends on the clock."""

from collections.abc import Callable

from wikiprep.wikitext.braces import split_arguments
from wikiprep.wikitext.marks import NOTHING, shield
from wikiprep.wikitext.templates.numbers import format_number, plain_number

Expand = Callable[[str], str]

_CONSTANTS = {"!": "|", "=": "="}
_PAGE = frozenset(("PAGENAME", "FULLPAGENAME", "BASEPAGENAME", "ROOTPAGENAME", "SUBPAGENAME", "ARTICLEPAGENAME"))
_SILENT = frozenset(
    (
        *("defaultsort", "defaultsortkey", "defaultcategorysort", "displaytitle", "sortierung", "デフォルトソート"),
        *("#invoke", "#tag", "#seo", "#coordinates", "#statements", "#property"),
    )
)


def evaluate(body: str, page: str, language: str, expand: Expand) -> str | None:
    """What `{{body}}` shows if it is a parser function or magic word known here; else None."""
    head, bar, _ = body.partition("|")
    head = head.strip()
    if head in _CONSTANTS and not bar:
        return _CONSTANTS[head]
    if head in _PAGE and not bar:
        return shield(page)
    name, colon, _ = head.partition(":")
    if not colon:
        return None
    name = name.strip().lower()
    if name in _SILENT:
        return NOTHING
    function = _FUNCTIONS.get(name)
    if function is None:
        return None
    body_rest = body.partition(":")[2]
    return function(split_arguments(body_rest), language, expand)


def _formatnum(parts: list[str], language: str, expand: Expand) -> str:
    value = expand(parts[0]).strip()
    if len(parts) > 1 and parts[1].strip() in ("R", "NOSEP"):
        return plain_number(value, language) if parts[1].strip() == "R" else value
    return format_number(value, language)


def _if(parts: list[str], language: str, expand: Expand) -> str:
    chosen = 1 if expand(parts[0]).strip() else 2
    return expand(parts[chosen]).strip() if chosen < len(parts) else ""


def _ifeq(parts: list[str], language: str, expand: Expand) -> str:
    if len(parts) < 3:
        return ""
    same = expand(parts[0]).strip() == expand(parts[1]).strip()
    chosen = 2 if same else 3
    return expand(parts[chosen]).strip() if chosen < len(parts) else ""


def _switch(parts: list[str], language: str, expand: Expand) -> str:
    subject = expand(parts[0]).strip()
    falls = False
    default = ""
    for i, part in enumerate(parts[1:], 1):
        key, equals, value = part.partition("=")
        key = expand(key).strip()
        if not equals:
            falls = falls or key == subject
            if i == len(parts) - 1:
                default = key
        elif falls or key == subject:
            return expand(value).strip()
        elif key == "#default":
            default = expand(value).strip()
    return default


def _case(change: Callable[[str], str]) -> Callable[[list[str], str, Expand], str]:
    return lambda parts, language, expand: change(expand(parts[0]).strip())


_FUNCTIONS: dict[str, Callable[[list[str], str, Expand], str]] = {
    "formatnum": _formatnum,
    "#if": _if,
    "#ifeq": _ifeq,
    "#switch": _switch,
    "lc": _case(str.lower),
    "uc": _case(str.upper),
    "lcfirst": _case(lambda text: text[:1].lower() + text[1:]),
    "ucfirst": _case(lambda text: text[:1].upper() + text[1:]),
}
