"""Walks over a page's outermost templates and puts in their place what they show.

A rendered template gives wikitext, so links in it are read with the page's own. Inner templates are rendered when an
outer one asks for the argument they stand in, down to `_DEPTH`; a page may render `_STEPS` templates, write twice and
read four times as much text as it is long (twenty times and 1 MB in definitions); what is beyond is dropped. So time
stays linear whatever is nested.

A template that no table names can have a definition, the wikitext of its page on the wiki (definition.py). It is read
in a frame: `{{{1|}}}` there is an argument of the call.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Protocol

from wikiprep.dump.site import Site
from wikiprep.wikitext.braces import Span, outermost, split_arguments
from wikiprep.wikitext.marks import ERROR, HOLE, NOTHING
from wikiprep.wikitext.policies import TemplatePolicy
from wikiprep.wikitext.templates.arguments import Arguments, given_words
from wikiprep.wikitext.templates.magic_words import PageFacts, page_facts
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.parser_functions import CAN_FAIL, evaluate
from wikiprep.wikitext.templates.table import canonical, drop, load_table


class Definitions(Protocol):
    """The wiki's own templates, as far as they are simple."""

    def find(self, name: str) -> str | None:
        """The wikitext that a call stands for (`definition.prepare`), by canonical name without its namespace."""


_DEPTH = 12
_STEPS = 20_000
_UNCLOSED = re.compile(r"\{\{+(?:[^{}|\n\[\]]{0,100}\|)?")


class TemplateReader:
    """Renders the templates of pages of one site. `drop` renders all of them as nothing, without a trace."""

    def __init__(
        self,
        site: Site,
        policy: TemplatePolicy,
        own: OwnTable | None = None,
        definitions: Definitions | None = None,
    ) -> None:
        self.definitions = definitions
        self.site = site
        self.names: dict[str, str] = {}  # as written -> canonical, of names that can be no magic word
        self.gone: dict[str, str] = {}  # those of them that show nothing whatever they are given
        self.table = load_table(site.language.code, own)
        self.drop = policy == "drop"

    def read(
        self,
        text: str,
        title: str,
        links: Counter[str],
        templates: Counter[tuple[str, str]],
        flags: Counter[str],
        timestamp: str = "",
    ) -> str:
        """The text with templates rendered; links that go with them are counted as `template`."""
        if "{{" not in text:
            return text
        page = _Page(self, page_facts(title, self.site, timestamp), templates, flags)
        return page.read(text, links)


class _Page:
    """The budget and counts of one page."""

    def __init__(
        self, reader: TemplateReader, facts: PageFacts, templates: Counter[tuple[str, str]], flags: Counter[str]
    ) -> None:
        self._definitions, self._titles = reader.definitions, reader.site.titles
        self._facts, self._table, self._drop, self._names = facts, reader.table, reader.drop, reader.names
        self._gone = reader.gone
        self._templates, self._flags = templates, flags
        self._steps = 0
        self._depth = 0
        self._room = self._work = self._defined = 0

    def read(self, text: str, links: Counter[str]) -> str:
        self._room = 2 * len(text) + 10_000
        self._work = 4 * len(text) + 50_000
        self._defined = 20 * len(text) + 1_000_000
        spans, unclosed = outermost(text)
        out: list[str] = []
        last = 0
        lost = 0
        for span in spans:
            shown = self._show(text, span, None)
            start, end, _ = span
            if links_inside := text.count("[[", start, end):
                lost += max(0, links_inside - shown.count("[["))
            out.append(text[last:start])
            out.append(shown)
            last = end
        out.append(text[last:])
        if lost:
            links["found"] += lost
            links["template"] += lost
        result = "".join(out)
        if unclosed:
            self._flags["unclosed:template"] += len(unclosed)
            result = _UNCLOSED.sub(NOTHING, result)
        return result

    def _expand(self, text: str, frame: Arguments | None = None) -> str:
        """`text` with its templates rendered, for an argument or in the frame of a definition's call."""
        if "{{" not in text:
            return text
        if frame is None:
            self._work -= len(text)
        else:
            self._defined -= len(text)
        if self._depth >= _DEPTH or self._work < 0 or self._defined < 0:
            self._flags["limit:template depth"] += 1
            return ""
        self._depth += 1
        spans, _ = outermost(text)
        out: list[str] = []
        last = 0
        for span in spans:
            start, end, _ = span
            out.append(text[last:start])
            out.append(shown := self._show(text, span, frame))
            last = end
            if frame is not None:
                self._defined -= len(shown)
                if self._defined < 0:
                    break
        out.append(text[last:])
        self._depth -= 1
        return "".join(out)

    def _show(self, text: str, span: Span, frame: Arguments | None) -> str:
        start, end, width = span
        if width == 3:
            return self._argument(text[start + 3 : end - 3], frame)
        at = text.find("|", start + 2, end - 2)
        gone = self._gone.get(text[start + 2 : at if at >= 0 else end - 2])
        if gone is not None:
            return self._dropped(gone, text[at + 1 : end - 2] if at >= 0 else "")
        body = text[start + 2 : end - 2]
        raw, bar, rest = body.partition("|")
        expand = self._expand if frame is None else partial(self._expand, frame=frame)
        written, function = "", False
        if "{" in raw:  # a name that is computed: known only where a definition computes it, or of a parser function
            function = ":" in raw.partition("{")[0]
            written = split_arguments(body)[0]
            bar, rest = ("|", body[len(written) + 1 :]) if len(written) < len(body) else ("", "")
            raw = written if function else expand(written) if frame is not None else ""
        name = self._names.get(raw)
        if name is None and (":" in raw or self._facts.words.meaning(raw.strip()) is not None):
            shown = evaluate(body, self._facts, expand)
            if shown is not None:
                return shown
            word = raw.partition(":")[0].strip()
            if self._facts.words.meaning(word) in CAN_FAIL:
                self._templates[word, "dropped"] += 1
                return ERROR
            if function:
                raw = expand(written) if frame is not None else ""
            name = self._name_with_colon(raw) or canonical(raw)
        elif name is None:
            name = canonical(raw)
            if len(self._names) < 100_000:
                self._names[raw] = name
        if not name and bar and not raw and "{" not in body:
            return rest  # braces without a name are no template
        shown = None if self._drop else self._render(name, rest if bar else None, expand)
        counts = self._templates
        if shown is not None:
            self._room -= len(shown)
            counts[name, "rendered"] = counts.get((name, "rendered"), 0) + 1
            # Rendered text is a span of its own: link trails neither leave nor enter it.
            if shown.endswith("]]"):
                return shown + NOTHING
            return NOTHING + shown if text[start - 2 : start] == "]]" else shown
        if name and raw in self._names and self._shows_nothing(name) and len(self._gone) < 100_000:
            self._gone[raw] = name
        if name.startswith("#"):
            name = name.partition(":")[0]
        return self._dropped(name or "(computed name)", rest)

    def _dropped(self, name: str, given: str) -> str:
        """`given`: what stands behind the name and its `|`."""
        counts = self._templates
        counts[name, "dropped"] = counts.get((name, "dropped"), 0) + 1  # (a Counter's `+=` is slow for the first)
        if words := given_words(given):
            counts[name, "words"] = counts.get((name, "words"), 0) + words
        return "" if self._drop else HOLE

    def _shows_nothing(self, name: str) -> bool:
        renderer = self._table.find(name)
        return self._drop or renderer is drop or (renderer is None and self._definitions is None)

    def _render(self, name: str, given: str | None, expand: Callable[[str], str]) -> str | None:
        """What a table or the wiki's own definition makes of a call; None where there is neither, or no room.

        `given`: what stands behind the name and its `|`.
        """
        renderer = self._table.find(name)
        body = self._definitions.find(name) if renderer is None and self._definitions is not None else None
        if renderer is drop or (renderer is None and body is None):
            return None
        self._steps += 1
        if self._steps > _STEPS or self._room <= 0:
            self._flags["limit:templates"] += 1
            return None
        arguments = Arguments(given, expand, name, self._facts.language)
        if renderer is not None:
            shown = renderer(arguments)
            return shown if shown and not shown.isspace() else None  # nothing to show leaves a hole to be closed
        assert body is not None
        shown = self._expand(body, arguments)
        if not shown.strip():
            return HOLE
        return "\n" + shown if shown[0] in "*#:;" else shown  # as MediaWiki: a list begins a line

    def _argument(self, inside: str, frame: Arguments | None) -> str:
        """`{{{name|default}}}`: outside a definition it shows its default. What another `|` adds is never shown."""
        name, *default = split_arguments(inside, 2)
        if frame is not None and (key := self._expand(name, frame).strip()) in frame:
            return frame[key]
        return self._expand(default[0], frame) if default else NOTHING

    def _name_with_colon(self, raw: str) -> str | None:
        """The canonical name of a template called with its namespace; None for others."""
        if ":" not in raw:
            return None
        target = self._titles.parse(raw.strip())
        return canonical(target.title.partition(":")[2] if target.namespace == _TEMPLATES else raw)


_TEMPLATES = 10  # the namespace
