"""Walks over a page's outermost templates and puts in their place what they show.

A rendered template gives wikitext, so links in it are read with the page's own. Inner templates are rendered when an
outer one asks for the argument they stand in, down to `_DEPTH`; a page may render `_STEPS` templates, write twice and
read four times as much text as it is long; what is beyond is dropped. So time stays linear whatever is nested.
"""

import re
from collections import Counter
from typing import Literal

from wikiprep.dump.site import Site
from wikiprep.wikitext.braces import Span, outermost
from wikiprep.wikitext.marks import HOLE, NOTHING
from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.parser_functions import evaluate
from wikiprep.wikitext.templates.table import Table, canonical, load_table

TemplatePolicy = Literal["render", "drop"]
_DEPTH = 12
_STEPS = 20_000
_UNCLOSED = re.compile(r"\{\{+(?:[^{}|\n\[\]]{0,100}\|)?")


class TemplateReader:
    """Renders the templates of pages of one site. `drop` renders all of them as nothing, without a trace."""

    def __init__(self, site: Site, policy: TemplatePolicy, own: OwnTable | None = None) -> None:
        self._language = site.language.code
        self._table = load_table(site.language.code, own)
        self._drop = policy == "drop"

    def read(
        self, text: str, title: str, links: Counter[str], templates: Counter[tuple[str, str]], flags: Counter[str]
    ) -> str:
        """The text with templates rendered; links that go with them are counted as `template`."""
        if "{{" not in text:
            return text
        return _Page(self._language, self._table, self._drop, title, templates, flags).read(text, links)


class _Page:
    """The budget and counts of one page."""

    def __init__(
        self,
        language: str,
        table: Table,
        drop: bool,
        title: str,
        templates: Counter[tuple[str, str]],
        flags: Counter[str],
    ) -> None:
        self._language, self._table, self._drop, self._title = language, table, drop, title
        self._templates, self._flags = templates, flags
        self._steps = 0
        self._depth = 0
        self._room = self._work = 0

    def read(self, text: str, links: Counter[str]) -> str:
        self._room = 2 * len(text) + 10_000
        self._work = 4 * len(text) + 50_000
        spans, unclosed = outermost(text)
        out: list[str] = []
        last = 0
        lost = 0
        for span in spans:
            shown = self._show(text, span)
            lost += max(0, text.count("[[", span.start, span.end) - shown.count("[["))
            out.append(text[last : span.start])
            out.append(shown)
            last = span.end
        out.append(text[last:])
        if lost:
            links["found"] += lost
            links["template"] += lost
        result = "".join(out)
        if unclosed:
            self._flags["unclosed:template"] += len(unclosed)
            result = _UNCLOSED.sub(NOTHING, result)
        return result

    def _expand(self, text: str) -> str:
        """`text` with its templates rendered, for an argument."""
        if "{{" not in text:
            return text
        self._work -= len(text)
        if self._depth >= _DEPTH or self._work < 0:
            self._flags["limit:template depth"] += 1
            return ""
        self._depth += 1
        spans, _ = outermost(text)
        out: list[str] = []
        last = 0
        for span in spans:
            out.append(text[last : span.start])
            out.append(self._show(text, span))
            last = span.end
        out.append(text[last:])
        self._depth -= 1
        return "".join(out)

    def _show(self, text: str, span: Span) -> str:
        if span.width == 3:  # an argument outside a template shows its default
            return text[span.start + 3 : span.end - 3].partition("|")[2] or NOTHING
        body = text[span.start + 2 : span.end - 2]
        raw, bar, rest = body.partition("|")
        if "{" in raw:
            raw = ""
        name = _CANONICAL.get(raw)
        if name is None and (":" in raw or raw in _WORDS or raw.isupper()):
            shown = evaluate(body, self._title, self._language, self._expand)
            if shown is not None:
                return shown
            raw = raw.strip().removeprefix("Template:")
        if name is None:
            name = canonical(raw)
            if len(_CANONICAL) < 100_000 and ":" not in raw and not raw.isupper() and raw not in _WORDS:
                _CANONICAL[raw] = name
        if not name and bar and not raw and "{" not in body:
            return rest  # braces without a name are no template
        if not self._drop and (renderer := self._table.find(name)) is not None:
            self._steps += 1
            if self._steps <= _STEPS and self._room > 0:
                shown = renderer(Arguments(rest, self._expand, name, self._language))
                if shown is not None:
                    self._room -= len(shown)
                    self._templates[name, "rendered"] += 1
                    # Rendered text is a span of its own: link trails neither leave nor enter it.
                    if shown.endswith("]]"):
                        return shown + NOTHING
                    return NOTHING + shown if text[span.start - 2 : span.start] == "]]" else shown
            else:
                self._flags["limit:templates"] += 1
        if name.startswith("#"):
            name = name.partition(":")[0]
        self._templates[name or "(computed name)", "dropped"] += 1
        return "" if self._drop else HOLE


_WORDS = frozenset(("!", "="))
_CANONICAL: dict[str, str] = {}  # as written -> canonical, of names that can be no magic word
