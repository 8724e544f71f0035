"""What stands in braces and is no template: magic words and parser functions, in the words of the wiki's language."""

import re
from collections import Counter
from collections.abc import Callable
from urllib.parse import quote, quote_plus, unquote_plus

from wikiprep.dump.title_rules import first_upper
from wikiprep.wikitext.control_marks import (
    CONTROL,
    ERROR,
    NOTHING,
    clean,
    decode_entities,
    shield,
    unshield,
    without_marks,
)
from wikiprep.wikitext.extension_tags import DROPPED_TAGS, strip_opaque
from wikiprep.wikitext.template_calls import split_arguments, split_name
from wikiprep.wikitext.templates import language_functions, string_functions, title_functions
from wikiprep.wikitext.templates.date_styles import format_date_as
from wikiprep.wikitext.templates.expressions import calculate, format_value
from wikiprep.wikitext.templates.function_context import Expand, PageContext, part_of
from wikiprep.wikitext.templates.magic_words import in_address, magic_word
from wikiprep.wikitext.templates.numbers import format_number, plain_number

Function = Callable[[list[str], PageContext, Expand], str | None]

# Functions of extensions that show nothing and whose words are not in MediaWiki's tables.
_SILENT_EXTENSIONS = frozenset(("#seo", "#coordinates", "#related", "#set", "#babel"))


def evaluate(body: str, page: PageContext, expand: Expand) -> str | None:
    """What `{{body}}` shows if it is a parser function or magic word known here; else None."""
    head, bar, _ = body.partition("|")
    name, colon, _ = head.partition(":")
    meaning = page.words.meaning(name.strip())
    if not colon:
        return magic_word(meaning, page) if meaning is not None and not bar else None
    if meaning is None:
        return NOTHING if name.strip().lower() in _SILENT_EXTENSIONS else None
    if meaning in _SILENT:
        return NOTHING
    parts = split_arguments(body[len(name) + 1 :])
    function = _FUNCTIONS.get(meaning)
    if function is not None:
        return function(parts, page, expand)
    return magic_word(meaning, page, without_marks(expand(parts[0])).strip())


_SILENT = frozenset(("defaultsort", "displaytitle"))


_SPACE = " \t\n\r\v"  # PHP's; a no-break space counts as text


def _formatnum(parts: list[str], page: PageContext, expand: Expand) -> str:
    value = expand(parts[0]).strip()
    how = expand(parts[1]).strip() if len(parts) > 1 else ""
    if how == "R":
        return plain_number(value, page.language)
    return format_number(value, page.language, separators=how.upper() != "NOSEP")


def _if(parts: list[str], page: PageContext, expand: Expand) -> str:
    return part_of(parts, 1 if expand(parts[0]).strip(_SPACE) else 2, expand)


def _ifeq(parts: list[str], page: PageContext, expand: Expand) -> str:
    if len(parts) < 3:
        return ""
    return part_of(
        parts, 2 if _equal(_comparable_text(expand(parts[0])), _comparable_text(expand(parts[1]))) else 3, expand
    )


def _comparable_text(text: str) -> str:
    """What `#ifeq` and `#switch` look at: entities and the stand-ins of a page's name are the characters they mean."""
    if "&" in text:
        text = decode_entities(text).replace(NOTHING + " ", " ")
    return unshield(text).strip(_SPACE)


_NUMBER = re.compile(r"\s*[-+]?(?:[0-9]+(\.[0-9]*)?|(\.[0-9]+))([eE][-+]?[0-9]+)?\s*", re.ASCII)


def _equal(one: str, other: str) -> bool:
    """As PHP compares: numbers by value."""
    if one == other:
        return True
    numbers = _NUMBER.fullmatch(one), _NUMBER.fullmatch(other)
    if numbers[0] is None or numbers[1] is None:
        return False
    if not any(numbers[0].groups() + numbers[1].groups()):
        return int(one) == int(other) if max(len(one), len(other)) < 100 else False
    return float(one) == float(other)


def _switch(parts: list[str], page: PageContext, expand: Expand) -> str:
    subject = _comparable_text(expand(parts[0]))
    found = falls_to_default = False
    default = ""
    last: str | None = ""
    for part in parts[1:]:
        key, equals, value = split_name(part)
        last = expand(key).strip()
        case = _comparable_text(last)
        if not found and not _equal(case, subject):
            if page.words.meaning(case) == "default" or (falls_to_default and equals):
                default, falls_to_default = value, not equals
        elif equals:
            return expand(value).strip()
        else:
            found = True
        if equals:
            last = None
    return expand(default).strip() if last is None else last


def _expr(parts: list[str], page: PageContext, expand: Expand) -> str | None:
    text = expand(parts[0]).strip()
    value = calculate(text) if text else None
    return None if text and value is None else "" if value is None else format_value(value)


def _ifexpr(parts: list[str], page: PageContext, expand: Expand) -> str | None:
    value = calculate(expand(parts[0]).strip() or "0")
    return None if value is None else part_of(parts, 1 if value else 2, expand)


def _iferror(parts: list[str], page: PageContext, expand: Expand) -> str:
    """An error is what a function that fails leaves, or MediaWiki's mark of one."""
    value = expand(parts[0]).strip()
    if ERROR in value or _ERROR.search(value):
        return part_of(parts, 1, expand)
    return part_of(parts, 2, expand) if len(parts) > 2 else value


_ERROR = re.compile(r'<(?:strong|span|p|div)\s(?:[^<>]*\s)?class="(?:[^"<>]*\s)?error(?:\s[^"<>]*)?"')
_CONTROLS = re.compile(f"({CONTROL.pattern}+)")
# What fails and is no dropped template to `{{#iferror:…}}`.
CAN_FAIL = frozenset(("expr", "ifexpr", "time", "timel", "rel2abs"))


def _case(change: Callable[[str], str]) -> Function:
    return lambda parts, page, expand: change(expand(parts[0]).strip())


def _decode_address(text: str) -> str:
    """Marks that stand in the text stay; what is decoded is none."""
    parts = _CONTROLS.split(text)
    return "".join([part if i % 2 else clean(unquote_plus(part)) for i, part in enumerate(parts)])


def _namespace(parts: list[str], page: PageContext, expand: Expand) -> str | None:
    value = expand(parts[0]).strip()
    number = int(value[:20]) if value.isdecimal() else page.site.titles.namespace_id(value)
    return None if number is None else shield(page.site.titles.names.get(number, ""))


def _pad(parts: list[str], expand: Expand) -> tuple[str, str]:
    """The value, and what is set before or behind it."""
    value = expand(parts[0]).strip()
    width = expand(parts[1]).strip() if len(parts) > 1 else ""
    filling = expand(parts[2]).strip() if len(parts) > 2 else "0"
    missing = min(int(width[:20]), 500) - len(value) if width.isdecimal() else 0
    return value, (filling * missing)[: max(0, missing)]


def _padleft(parts: list[str], page: PageContext, expand: Expand) -> str:
    value, filling = _pad(parts, expand)
    return filling + value


def _padright(parts: list[str], page: PageContext, expand: Expand) -> str:
    value, filling = _pad(parts, expand)
    return value + filling


def _address(parts: list[str], page: PageContext, expand: Expand) -> str:
    """An address in the wiki; links to it show their label."""
    query = "&" + expand(parts[1]).strip() if len(parts) > 1 else ""
    title = in_address(without_marks(expand(parts[0])).strip())
    return f"https://{page.site.siteinfo.prefix}.wikipedia.org/w/index.php?title={title}{query.replace(' ', '_')}"


def _urlencode(parts: list[str], page: PageContext, expand: Expand) -> str:
    """For a query of an address, or as the second word says: for a `PATH` of any, for a title of a `WIKI`."""
    text, style = without_marks(expand(parts[0])).strip(), part_of(parts, 1, expand)
    if style == "PATH":
        return quote(text, safe="", errors="replace")
    if style == "WIKI":
        return quote(text.replace(" ", "_"), safe=";@$!*(),/~:", errors="replace")
    return quote_plus(text, errors="replace")


def _gender(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{gender:user|he|she|they}}`: no user is known here, so the last form; the first where no user is named."""
    is_named = expand(parts[0]).strip() not in ("", ".")
    return part_of(parts, len(parts) - 1 if is_named and len(parts) > 3 else 1, expand)


def _tag(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{#tag:nowiki|text}}` is as `<nowiki>text</nowiki>`; tags that are not known here (`ref`) are nothing."""
    name = expand(parts[0]).strip().lower()
    if len(parts) < 2 or (name not in _HTML and name not in _OPAQUE):
        return NOTHING
    element = f"<{name}>{expand(parts[1])}</{name}>"
    return element if name in _HTML else strip_opaque(element, Counter(), Counter())


_OPAQUE = frozenset((*DROPPED_TAGS, "nowiki", "poem"))
_INLINE_TAGS = "b i u s em strong sub sup span small big code kbd samp var cite q"
_HTML = frozenset([*_INLINE_TAGS.split(), "div", "p", "center", "blockquote"])


_FUNCTIONS: dict[str, Function] = {
    "formatnum": _formatnum,
    "if": _if,
    "ifeq": _ifeq,
    "switch": _switch,
    "expr": _expr,
    "ifexpr": _ifexpr,
    "lc": _case(str.lower),
    "uc": _case(str.upper),
    "lcfirst": _case(lambda text: text[:1].lower() + text[1:]),
    "ucfirst": lambda parts, page, expand: first_upper(expand(parts[0]).strip(), page.site.language.dotted_i),
    "ns": _namespace,
    "padleft": _padleft,
    "padright": _padright,
    "localurl": _address,
    "fullurl": _address,
    "canonicalurl": _address,
    "urlencode": _urlencode,
    "urldecode": _case(_decode_address),
    "anchorencode": _case(lambda text: text.replace(" ", "_")),
    "bidi": lambda parts, page, expand: expand(parts[0]).strip(),
    "formatdate": format_date_as,
    "grammar": lambda parts, page, expand: part_of(parts, 1, expand),  # the word uninflected
    "gender": _gender,
    "tag": _tag,
    "iferror": _iferror,
    "ifexist": title_functions.if_exists,
    "titleparts": title_functions.title_parts,
    "rel2abs": title_functions.absolute_title,
    "time": language_functions.time,
    "timel": language_functions.time,
    "language": language_functions.language,
    "plural": language_functions.plural,
    "len": string_functions.length,
    "pos": string_functions.position,
    "rpos": string_functions.last_position,
    "sub": string_functions.part,
    "count": string_functions.count,
    "replace": string_functions.replaced,
    "explode": string_functions.piece,
}
