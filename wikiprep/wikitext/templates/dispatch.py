"""Who decides what a template's call shows: the first of these that knows it.

1. a user's own table, by the name as called or the one that it redirects to;
2. the wiki's own definition, where it is text, or script whose modules are all known (lua_modules.py);
3. the table of the project, then that of the language, for what the definition does not say here;
4. the common table, where the dump has no page of that name: what is common elsewhere says nothing against it.
"""

from dataclasses import dataclass
from typing import Protocol

from wikiprep.wikitext.templates.definition import Definition
from wikiprep.wikitext.templates.lua_modules import DROP, calls_in, template_of
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.patterns import Renderer
from wikiprep.wikitext.templates.template_table import TemplateTable, drop, load_own_table, load_table, load_wiki_table


class DefinitionLookup(Protocol):
    """The wiki's own templates, as its dump has them."""

    def find(self, name: str) -> Definition | None:
        """What a call stands for (`definition.prepare`), by canonical name without its namespace; None: no page."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a call is rendered. Neither: it shows nothing.

    `name`: the template's, behind redirects. `body`: its definition. `renderer`: a table's, where `body` is set only
    for when not all that the definition calls is known. `known`: where it shows nothing, that is what a table or the
    definition says of it.
    """

    name: str
    renderer: Renderer | None = None
    body: str | None = None
    known: bool = True

    @property
    def shows_nothing(self) -> bool:
        """Whatever the call is given."""
        return self.body is None and self.renderer is None


class RendererChooser:
    """Chooses by canonical name, and remembers."""

    def __init__(
        self, language: str, own: OwnTable | None, definitions: DefinitionLookup | None, project: str = "wikipedia"
    ) -> None:
        self.table: TemplateTable = load_table(language, own, project)
        self._own = load_own_table(own) if own else None
        self._wiki = load_wiki_table(language, project)
        self._definitions = definitions
        self._choices: dict[str, Choice] = {}

    def choose(self, name: str) -> Choice:
        """How a call of that name is rendered."""
        choice = self._choices.get(name)
        if choice is None:
            choice = self._choose(name)
            # Of names that show nothing there are as many as pages invent, and the reader remembers these as text.
            if not choice.shows_nothing and len(self._choices) < 100_000:
                self._choices[name] = choice
        return choice

    def of_module(self, module: str, function: str, code: str = "") -> tuple[str, Renderer | None]:
        """(the name of the template that stands for a module's function, its renderer: None for no running text).

        Raises KeyError for a function that is not known. `code`: the call's argument of that name.
        """
        template = template_of(module, function)
        if template == DROP:
            return module, None
        name = "" if template is None else template.replace("{code}", code)
        name = name[:1].upper() + name[1:]
        renderer = self.table.find(name) if name else None
        if renderer is None:
            raise KeyError(f"{module}|{function}")
        return name, None if renderer is drop else renderer

    def _choose(self, name: str) -> Choice:
        definition = self._definitions.find(name) if self._definitions is not None else None
        if definition is None:
            renderer = self.table.find(name)
            return Choice(name, _unless_dropped(renderer), known=renderer is not None)
        final_name = definition.name
        if self._own is not None:
            own = self._own.find(name) or self._own.find(final_name)
            if own is not None:
                return Choice(final_name, _unless_dropped(own))
        if definition.kind == "absent":
            renderer = self.table.find(name) or self.table.find(final_name)
            return Choice(final_name, _unless_dropped(renderer), known=renderer is not None)
        if definition.kind == "nothing":
            return Choice(final_name)
        wiki_renderer = self._wiki.find(final_name) or self._wiki.find(name)
        renderer = _unless_dropped(wiki_renderer)
        if definition.kind == "text" or (definition.kind == "script" and self._all_known(definition.body or "")):
            return Choice(final_name, renderer, definition.body)
        return Choice(final_name, renderer, known=(wiki_renderer or self.table.find(final_name)) is not None)

    def _all_known(self, body: str) -> bool:
        for module, function in calls_in(body):
            try:
                self.of_module(module, function, "en")
            except KeyError:
                return False
        return True


def _unless_dropped(renderer: Renderer | None) -> Renderer | None:
    return None if renderer is drop else renderer
