"""Why the extractor and mwparserfromhell read a page differently: kinds, each found by an experiment.

A kind is a construct with a change that takes its difficulty away (quotes go, a parser function goes, …). If a
difference is gone once both have read the changed page, the construct was its cause. The kinds are tried in order, each
on top of those before; what stays is of no kind, and worth a look: one of the two has a fault.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from wikiprep.dump.site import Site
from wikiprep.wikitext.differences import Difference, differences, reading_of
from wikiprep.wikitext.extract import Extractor
from wikiprep.wikitext.mwparserfromhell_text import Reading, SecondReader
from wikiprep.wikitext.tags import KNOWN_TAGS
from wikiprep.wikitext.template_calls import outermost


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause. `why` says who does what, and `change` gives the wikitext without the construct's difficulty."""

    name: str
    why: str
    change: Callable[[str], str]


def _without(pattern: str, by: str = "") -> Callable[[str], str]:
    compiled = re.compile(pattern, re.S)
    return lambda text: compiled.sub(by, text)


_FUNCTION = re.compile(r"\{\{\s*(?:#[a-z]+|formatnum|lc|uc|lcfirst|ucfirst|[A-Z]{4,}(?=\s*\}))\s*:?[^{}]*\}\}")
_INNER = re.compile(r"\{\{[^{}]*\}\}")


def _without_functions(text: str) -> str:
    """Parser functions and magic words gone, and the templates inside them first."""
    while True:
        smaller = _FUNCTION.sub("", text)
        if smaller == text:
            outer = re.compile(r"(\{\{\s*(?:#[a-z]+|formatnum)\s*:(?:[^{}]|\{\{\s*#[a-z]+:)*)" + _INNER.pattern)
            smaller = outer.sub(r"\1", text)
        if smaller == text:
            return text
        text = smaller


def _without_open_braces(text: str) -> str:
    for start, count in reversed(outermost(text)[1]):
        text = text[:start] + text[start + count :]
    return text


_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?:\s[^<>]*)?(?<!/)>")


def _without_unpaired_tags(text: str) -> str:
    stack: list[re.Match[str]] = []
    lone: list[re.Match[str]] = []
    for match in _TAG.finditer(text):
        name = match[2].lower()
        if name not in KNOWN_TAGS or name in ("br", "hr"):
            continue
        if not match[1]:
            stack.append(match)
        elif any(tag[2].lower() == name for tag in stack[-50:]):
            while stack[-1][2].lower() != name:
                lone.append(stack.pop())
            stack.pop()
        else:
            lone.append(match)
    for match in sorted((*lone, *stack), key=lambda m: -m.start()):
        text = text[: match.start()] + text[match.end() :]
    return text


_TABLE = re.compile(r"(?:\A|(?<=\n))[ \t:]*(\{\||\|\})")


def _without_open_tables(text: str) -> str:
    stack: list[int] = []
    for match in _TABLE.finditer(text):
        if match[1] == "{|":
            stack.append(match.start(1))
        elif stack:
            stack.pop()
    for start in reversed(stack):
        text = text[:start] + text[start + 2 :]
    return text


KINDS = (
    Cause(
        "bold and italic marks",
        "'' or ''' that nothing closes: the parser leaves the tag, link or table around them as text",
        _without("''+"),
    ),
    Cause(
        "parser function",
        "{{formatnum:…}}, {{#if:…}}, {{PAGENAME}}: the extractor evaluates them, the parser calls them templates",
        _without_functions,
    ),
    Cause(
        "wide space in an external link",
        "U+3000 and its like end the address for MediaWiki and the extractor, not for the parser",
        _without(r"(?<=\[)((?:https?:)?//[^\s\[\]]*)[\u3000\u2002-\u200a]", r"\1 "),
    ),
    Cause(
        "HTML tags without partner",
        "<td>, <font>, … that nothing closes: the parser leaves the table or tag around them as text",
        _without_unpaired_tags,
    ),
    Cause(
        "indented table",
        ":{| begins a table for MediaWiki and the extractor, not for the parser",
        _without(r"(?<=\n)[:*#; \t]+(?=\{\|)"),
    ),
    Cause(
        "unclosed table",
        "{| without |}: the extractor drops its rows up to a blank line, the parser keeps all as text",
        _without_open_tables,
    ),
    Cause(
        "bracket in a label",
        "[[a|b [c]]]: the extractor closes the inner bracket first, as MediaWiki does, the parser the link",
        _without(r"(\[\[[^\[\]|]*\|[^\[\]]*)\[([^\[\]]*)\](?=[^\[\]]*\]\])", r"\1\2"),
    ),
    Cause(
        "comment before a mark",
        "a comment at a line's start: what follows is at the line's start for MediaWiki and the extractor",
        _without(r"<!--(?:(?!-->).)*-->(?=[=*#:;{|])"),
    ),
    Cause(
        "gap of a formula",
        "the extractor takes a link that holds only a formula, or a bracket's lone `or` beside one, for debris",
        _without(r"<math[^<>]*>(?:(?!</math).)*</math\s*>", "formula"),
    ),
    Cause(
        "language variant",
        "-{zh-cn:…;zh-tw:…}-: the extractor shows one form, the parser the markup",
        _without(r"-\{[^{}]*\}-"),
    ),
    Cause(
        "unclosed template",
        "{{ that nothing closes: the extractor takes the braces and the name out, the parser keeps them as text",
        _without_open_braces,
    ),
)


@dataclass(frozen=True, slots=True)
class ExplainedDifference:
    """A difference and the name of its kind; None where no experiment took it away."""

    kind: str | None
    difference: Difference


class Comparison:
    """Compares pages of one site, every template as nothing on both sides."""

    def __init__(self, site: Site) -> None:
        """Raises WikiprepError for a version of mwparserfromhell that is not known."""
        self._first = Extractor(site, templates="drop", link_numbers="drop")
        self._second = SecondReader(site)

    def of(self, text: str, title: str) -> list[ExplainedDifference]:
        """Every difference of a page with its kind."""
        remaining = self._differences(text, title)
        explained: list[ExplainedDifference] = []
        for kind in KINDS:
            if not remaining:
                break
            changed_text = kind.change(text)
            if changed_text == text:
                continue
            text = changed_text
            before, remaining = remaining, self._differences(text, title)
            remaining_keys = [(d.what, d.ours, d.theirs) for d in remaining]
            for difference in before:
                key = (difference.what, difference.ours, difference.theirs)
                if key in remaining_keys:
                    remaining_keys.remove(key)
                else:
                    explained.append(ExplainedDifference(kind.name, difference))
        return [*explained, *(ExplainedDifference(None, difference) for difference in remaining)]

    def _differences(self, text: str, title: str) -> list[Difference]:
        ours: Reading = reading_of(self._first.extract(text, title))
        return differences(ours, self._second.read(text, title))
