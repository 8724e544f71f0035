"""Walks over a page's outermost templates and puts in their place what they show.

A rendered template gives wikitext, so links in it are read with the page's own. Inner templates are rendered when an
outer one asks for the argument they stand in, down to `_DEPTH`; a page may render `_STEPS` templates, write twice and
read four times as much text as it is long (twenty times and 1 MB in definitions); what is beyond is dropped. So time
stays linear whatever is nested.

A definition, the wikitext of a template's page on the wiki (definition.py), is read in a frame: `{{{1|}}}` there is an
argument of the call. What it makes is freed of boxes and notices, and shows nothing where nothing else is left. A
template that calls itself, through whichever others, ends there, as in MediaWiki. Whether definition or table decides
a call says dispatch.py.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

from wikiprep.compiled import fastest
from wikiprep.dump.site import Site
from wikiprep.wikitext.control_marks import ERROR, NOTHING, PLACEHOLDER, shield
from wikiprep.wikitext.template_calls import Span, outermost, split_arguments
from wikiprep.wikitext.templates.arguments import Arguments, given_words
from wikiprep.wikitext.templates.box_markup import without_boxes
from wikiprep.wikitext.templates.dispatch import Choice, DefinitionLookup, RendererChooser
from wikiprep.wikitext.templates.function_context import PageContext, page_context
from wikiprep.wikitext.templates.lua_modules import INVOKE
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.parser_functions import CAN_FAIL, evaluate
from wikiprep.wikitext.templates.template_table import canonical

__all__ = ["DefinitionLookup", "TemplateReader"]

_new_arguments = fastest(Arguments)
_DEPTH = 40  # MediaWiki allows 100, each of which counts once here for its call and once for each function around it
_STEPS = 20_000
_UNSEEN = f"{PLACEHOLDER}{NOTHING} \n"
# Elements around nothing; `<br>` and list items are no such.
_AROUND = re.compile(r"</?(?:div|span|center|small|big|sup|sub|b|i|font|p)(?:\s[^<>]*)?>", re.IGNORECASE)
_NO_NAME = re.compile(r"[\[\]<>]|\S[ \t]*\n\s*\S")  # what can be no title
_UNCLOSED = re.compile(r"\{\{+(?:[^{}|\n\[\]]{0,100}\|)?")


class TemplateReader:
    """Renders the templates of pages of one site. `drop` renders all of them as nothing, without a trace."""

    def __init__(
        self,
        site: Site,
        policy: str,
        own: OwnTable | None = None,
        definitions: DefinitionLookup | None = None,
    ) -> None:
        self.site = site
        self.names: dict[str, str] = {}  # as written -> canonical, of names that can be no magic word
        self.gone: dict[str, tuple[str, bool]] = {}  # those that show nothing whatever they are given, whether known so
        self.chooser = RendererChooser(site.language.code, own, definitions, site.siteinfo.project)
        self.calls: dict[str, list[Span]] = {}  # of definitions, where the calls in them stand
        self.drop = policy == "drop"

    def read(
        self,
        text: str,
        title: str,
        links: Counter[str],
        templates: Counter[tuple[str, str]],
        flags: Counter[str],
        timestamp: str = "",
        dropped: Counter[str] | None = None,
    ) -> str:
        """The text with templates rendered; links that go with them are counted as `template`.

        `dropped`: by template, the words that calls were given of which nothing here knows what they show.
        """
        if "{{" not in text:
            return text
        page = _Page(self, page_context(title, self.site, timestamp), templates, flags, dropped)
        return page.read(text, links)


class _Page:
    """The budget and counts of one page."""

    def __init__(
        self,
        reader: TemplateReader,
        context: PageContext,
        templates: Counter[tuple[str, str]],
        flags: Counter[str],
        lost_words: Counter[str] | None,
    ) -> None:
        self._lost_words: Counter[str] = Counter() if lost_words is None else lost_words
        self._chooser, self._calls, self._titles = reader.chooser, reader.calls, reader.site.titles
        self._context, self._drop, self._names = context, reader.drop, reader.names
        self._silent_names = reader.gone
        self._unknown_calls = 0  # calls within definitions of which is not known what they show
        self._templates, self._flags = templates, flags
        self._steps = 0
        self._depth = 0
        self._room = self._work = self._definition_room = 0

    def read(self, text: str, links: Counter[str]) -> str:
        self._room = 2 * len(text) + 10_000
        self._work = 4 * len(text) + 50_000
        self._definition_room = 20 * len(text) + 1_000_000
        spans, unclosed = outermost(text)
        out: list[str] = []
        last = 0
        lost_links = 0
        for span in spans:
            output = self._show(text, span, None)
            start, end, _ = span
            if links_inside := text.count("[[", start, end):
                lost_links += max(0, links_inside - output.count("[["))
            out.append(text[last:start])
            out.append(output)
            last = end
        out.append(text[last:])
        if lost_links:
            links["found"] += lost_links
            links["template"] += lost_links
        result = "".join(out)
        if unclosed:
            self._flags["unclosed:template"] += len(unclosed)
            result = _UNCLOSED.sub(NOTHING, result)
        return result

    def _spans(self, body: str) -> list[Span]:
        """Where the calls stand in a definition, which is read at every call of its template."""
        spans = self._calls.get(body)
        if spans is None:
            spans, _ = outermost(body)
            if len(self._calls) < 20_000:
                self._calls[body] = spans
        return spans

    def _expand(self, text: str, frame: Arguments | None = None, *, whole: bool = False) -> str:
        """`text` with its templates rendered, for an argument or in the frame of a definition's call.

        `whole`: it is the definition's body.
        """
        if "{{" not in text:
            return text
        if frame is None:
            self._work -= len(text)
        else:
            self._definition_room -= len(text)
        if self._depth >= _DEPTH or self._work < 0 or self._definition_room < 0:
            self._flags["limit:template depth"] += 1
            return ""
        self._depth += 1
        spans = self._spans(text) if whole else outermost(text)[0]
        out: list[str] = []
        last = 0
        for span in spans:
            start, end, _ = span
            out.append(text[last:start])
            out.append(output := self._show(text, span, frame))
            last = end
            if frame is not None:
                self._definition_room -= len(output)
                if self._definition_room < 0:
                    break
        out.append(text[last:])
        self._depth -= 1
        return "".join(out)

    def _show(self, text: str, span: Span, frame: Arguments | None) -> str:
        start, end, width = span
        if width == 3:
            return self._argument(text[start + 3 : end - 3], frame)
        at = text.find("|", start + 2, end - 2)
        silent = self._silent_names.get(text[start + 2 : at if at >= 0 else end - 2])
        if silent is not None:
            return self._drop_call(silent[0], frame, text[at + 1 : end - 2] if at >= 0 else "", silent[1])
        body = text[start + 2 : end - 2]
        raw, bar, rest = body.partition("|")
        expand = self._expand if frame is None else partial(self._expand, frame=frame)
        name_text, function = "", False
        if "{" in raw:  # a name that is computed: known only where a definition computes it, or of a parser function
            function = ":" in raw.partition("{")[0]
            name_text = split_arguments(body)[0]
            bar, rest = ("|", body[len(name_text) + 1 :]) if len(name_text) < len(body) else ("", "")
            raw = name_text if function else expand(name_text) if frame is not None else ""
        name = self._names.get(raw)
        if name is None and (":" in raw or self._context.words.meaning(raw.strip()) is not None):
            output = evaluate(body, self._context, expand)
            if output is not None:
                return output
            word = raw.partition(":")[0].strip()
            if self._context.words.meaning(word) in CAN_FAIL:
                self._drop_call(word, frame, "", True)
                return ERROR
            if function:
                raw = expand(name_text) if frame is not None else ""
            name = self._name_with_colon(raw) or canonical(raw)
        elif name is None:
            name = canonical(raw)
            if len(self._names) < 100_000:
                self._names[raw] = name
        if not name and bar and not raw and "{" not in body:
            return rest  # braces without a name are no template
        if _NO_NAME.search(raw) is not None and not self._drop:
            return shield("{{") + expand(body) + shield("}}")  # as typed
        if name.startswith("#") and (call := INVOKE.match(body)) is not None and not self._drop:
            return self._invoke(call, body[call.end() + 1 :], frame, expand)
        if frame is not None and name in frame.callers:
            self._flags["template loop"] += 1
            return ERROR
        choice = None if self._drop else self._chooser.choose(name)
        output = None if choice is None else self._render(choice, rest if bar else None, expand, frame)
        if output is not None:
            self._room -= len(output)
            if frame is None:
                counts = self._templates
                counts[name, "rendered"] = counts.get((name, "rendered"), 0) + 1
            # Rendered text is a span of its own: link trails neither leave nor enter it.
            if output.endswith("]]"):
                return output + NOTHING
            return NOTHING + output if text[start - 2 : start] == "]]" else output
        if (
            (choice is None or choice.shows_nothing)
            and name
            and raw in self._names
            and len(self._silent_names) < 100_000
        ):
            self._silent_names[raw] = name, choice is None or choice.known
        if name.startswith("#"):
            name = name.partition(":")[0]
        known = choice is None or choice.known or not choice.shows_nothing
        return self._drop_call(name or "(computed name)", frame, rest, known)

    def _drop_call(self, name: str, frame: Arguments | None, raw_arguments: str, known: bool) -> str:
        """A placeholder.

        Counts the calls that the page writes, not those in definitions, and the words of `raw_arguments`, what stands
        behind the name and its `|`: those are lost where the template is not `known` to show nothing.
        """
        if frame is None:
            counts = self._templates
            counts[name, "dropped"] = counts.get((name, "dropped"), 0) + 1  # (a Counter's `+=` is slow for the first)
            if words := given_words(raw_arguments):
                counts[name, "words"] = counts.get((name, "words"), 0) + words
                if not known:
                    self._lost_words[name] += words
        return "" if self._drop else PLACEHOLDER

    def _render(
        self, choice: Choice, raw_arguments: str | None, expand: Callable[[str], str], frame: Arguments | None
    ) -> str | None:
        """What a table or the wiki's own definition makes of a call; None where there is neither, or no room.

        `raw_arguments`: what stands behind the name and its `|`.
        """
        if choice.shows_nothing:
            return None
        self._steps += 1
        if self._steps > _STEPS or self._room <= 0:
            self._flags["limit:templates"] += 1
            return None
        arguments = _new_arguments(raw_arguments, expand, choice.name, self._context.language)
        arguments.title = self._context.title
        body, renderer = choice.body, choice.renderer
        if body is not None:
            arguments.callers = (frame.callers if frame is not None else frozenset()) | {choice.name}
            unknown = self._unknown_calls
            output = _visible_text(self._expand(body, arguments, whole=True))
            if renderer is None or self._unknown_calls == unknown:
                return output
            self._unknown_calls = unknown
        assert renderer is not None
        output = renderer(arguments)
        return output if output and not output.isspace() else None  # nothing to show leaves a placeholder to be closed

    def _invoke(
        self, call: re.Match[str], raw_arguments: str, frame: Arguments | None, expand: Callable[[str], str]
    ) -> str:
        """What a Lua module shows, where the tables have a template that shows the same."""
        arguments = _new_arguments(raw_arguments, expand, "", self._context.language, frame)
        try:
            name, renderer = self._chooser.of_module(call[1], call[2], arguments["code"])
        except KeyError:
            self._unknown_calls += 1
            return self._drop_call("#invoke", frame, raw_arguments, False)
        if renderer is None:
            return NOTHING  # a placeholder would take the punctuation beside it
        arguments.name, arguments.title = name, self._context.title
        output = renderer(arguments)
        if not output or output.isspace():
            return self._drop_call("#invoke", frame, raw_arguments, True)
        if frame is None:
            self._templates["#invoke", "rendered"] += 1
        self._room -= len(output)
        return output

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


def _visible_text(text: str) -> str | None:
    """What a definition made, without boxes; None where no text is left."""
    if "class" in text or "{|" in text or "display" in text or "<table" in text:
        cut = without_boxes(text)
        if cut is not None:
            text = cut[0]
    seen = text.strip(_UNSEEN)
    if not seen:
        return text if ERROR in text else None
    if seen[0] == "<" and seen[-1] == ">":
        rest, count = _AROUND.subn("", seen)
        if count and not rest.strip(_UNSEEN) and seen.count("</") * 2 == count:
            return None
    return "\n" + text if text[0] in "*#:;" or text.startswith("{|") else text  # as MediaWiki: it begins a line
