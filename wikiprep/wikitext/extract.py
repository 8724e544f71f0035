"""One page of wikitext to paragraphs with links, and an account of what was left out.

The order is MediaWiki's: comments and extension tags, references, templates, tables, entities and tags, links, external
links, then lines. Each step is one pass over the whole page in C (`re`, `str.split`), so time and memory are linear,
and no tree is built. What a step takes out leaves a mark (control_marks.py) where the next ones must know of it.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

from wikiprep.compiled import fastest
from wikiprep.config import ExtractConfig
from wikiprep.dump.site import Site
from wikiprep.languages.converter import converter_of
from wikiprep.languages.wikitext_words import words
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.article_columns import columns_of
from wikiprep.wikitext.blocks import BlockReader
from wikiprep.wikitext.control_marks import PLACEHOLDER, clean, decode_entities, invisible_of, without_invisible
from wikiprep.wikitext.definition_lists import shield_colons
from wikiprep.wikitext.disambiguation_pages import DisambiguationNames
from wikiprep.wikitext.extension_tags import strip_opaque
from wikiprep.wikitext.external_links import strip_external
from wikiprep.wikitext.formulas import with_signs
from wikiprep.wikitext.link_numbers import LinkNumbers, PageSource
from wikiprep.wikitext.links import LinkReader
from wikiprep.wikitext.one_variant import PageVariant
from wikiprep.wikitext.page_links import PageLinks
from wikiprep.wikitext.references import strip_references
from wikiprep.wikitext.tables import strip_tables
from wikiprep.wikitext.tags import strip_boxes, strip_tags
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.reader import DefinitionLookup, TemplateReader
from wikiprep.wikitext.variants import strip_variants, variants_of

_template_reader = fastest(TemplateReader)
_link_reader = fastest(LinkReader)
_block_reader = fastest(BlockReader)
WITHOUT_FORMULAS = ExtractConfig(math="drop")  # nothing of a page that is no running text


class Extractor:
    """Extracts pages of one site; remembers what link targets mean, so keep one for many pages."""

    def __init__(
        self,
        site: Site,
        options: ExtractConfig = WITHOUT_FORMULAS,
        *,
        own_templates: OwnTable | None = None,
        definitions: DefinitionLookup | None = None,
        **changes: Any,
    ) -> None:
        """Of templates `own_templates` decide first, then `definitions`, then the shipped tables.

        `own_templates`: see `read_own_table` (`options.template_table` is not read); `definitions`: the wiki's own
        templates; tables: templates/dispatch.py. `options.variant` is one that the language has (`require_variant`).
        `changes`: single options in the place of those of `options`.
        """
        options = replace(options, **changes)
        variant, templates = options.variant, options.templates
        self._site = site
        self._variant = variant
        self._converter = converter_of(site.language.code) if variant else None
        self._options = options
        self._no_templates = templates == "drop"
        # Templates are nothing, or what a label of nothing but templates shows is not known.
        self._blank = PLACEHOLDER if self._no_templates else ""
        self._words = words(site.language.code)
        self._invisible = invisible_of(site.language.code, self._words.right_to_left)
        self._links = _link_reader(site)
        self._templates = _template_reader(site, templates, own_templates, definitions)
        self._disambiguation = DisambiguationNames(site.language)

    def extract(self, text: str, title: str, timestamp: str = "", *, from_xml: bool = False) -> Extraction:
        """The page's paragraphs. Never raises on any text; what was met is in `flags`, as `name` or `name:detail`.

        `timestamp` is the revision's, as the dump writes it: magic words of the present day show it, never the clock.
        `from_xml`: the text is a dump's, which has no control characters but white space and U+007F.
        `links["found"]` counts the `[[` of the wikitext outside `<nowiki>`, and those that rendered
        templates add; every other count says what became of them.
        """
        result = Extraction()
        counts, flags = result.links, Counter[str]()
        # Compiled code takes `str` alone, and numpy's strings are of a class of their own.
        text, title = str(text), clean(str(title))
        if not from_xml or "\r" in text or "\x7f" in text:
            text = clean(text)
        variant = self._page_variant(text)
        if variant is not None:
            text = variant.literal(text)
        text = text_with_notes = strip_opaque(text, counts, flags, self._options.math)
        text = strip_references(text, counts, flags)
        switches = self._disambiguation.has_switch(text)
        text = self._templates.read(text, title, counts, result.templates, flags, timestamp, result.lost_words)
        if self._disambiguation.has_switch(text):  # which a template may bring, and no reader sees
            switches, text = True, self._disambiguation.without_switch(text)
        result.disambiguation = switches or self._disambiguation.marks(result.templates)
        page = PageLinks(title=title, variant=variant)
        text_with_tables = text
        text = _without_tables(text, counts, flags)
        text = self._read_links(text, page, counts, flags, captions=self._options.captions)

        def notes_text() -> str:
            """Where templates are nothing, so are the notes in them."""
            if not self._no_templates:
                return text_with_notes
            return self._templates.read(text_with_notes, title, Counter(), Counter(), Counter(), timestamp)

        # The list of notes is a template's nearly everywhere.
        all_listed = not self._no_templates and "{{" in text_with_notes
        source = PageSource(
            notes_text, all_listed, text_with_tables, text, _without_tables_uncounted, self._read_links_uncounted
        )
        text = self._without_external(text, page, source, flags)
        _block_reader(result, page, flags, self._site.language.code).read(text)
        if page.variant is not None:
            result.paragraphs = page.variant.convert(columns_of(result.paragraphs))
            result.variant = page.variant.counts
        for reason in ("unclosed", "nested"):
            if counts[reason]:
                flags[f"{reason}:link"] = counts[reason]
        result.categories = list(dict.fromkeys(page.categories))
        result.interlanguage = list(dict.fromkeys(page.interlanguage))
        result.flags = sorted(name for name, count in flags.items() if count)
        return result

    def _page_variant(self, text: str) -> PageVariant | None:
        if self._converter is None or self._variant is None:
            return None
        variants = variants_of(self._site.language.code)
        return PageVariant.of(text, self._converter, self._variant, variants.fallbacks if variants else {})

    def _read_links(
        self, text: str, page: PageLinks, counts: Counter[str], flags: Counter[str], *, captions: bool
    ) -> str:
        text = without_invisible(decode_entities(text), self._invisible)
        if self._options.superscripts == "unicode":
            text = with_signs(text)
        text = strip_tags(shield_colons(text), self._words, flags)
        text = strip_variants(text, self._site.language.code, counts, flags, page.variant)
        return self._links.read(text, page, counts, captions=captions)

    def _read_links_uncounted(self, text: str) -> tuple[str, list[str]]:
        page = PageLinks()
        text = self._read_links(text, page, Counter(), Counter(), captions=True)
        return text, [caption for caption, _ in page.captions]

    def _without_external(self, text: str, page: PageLinks, source: PageSource, flags: Counter[str]) -> str:
        in_text = in_caption = None
        if self._options.link_numbers == "keep":
            numbers = LinkNumbers(source, self._site.language.code, self._blank)
            in_text, in_caption = numbers.in_text, numbers.in_caption
        page.captions = [
            (strip_external(caption, flags, in_caption, self._blank), targets) for caption, targets in page.captions
        ]
        return strip_external(text, flags, in_text, self._blank)


def _without_tables(text: str, counts: Counter[str], flags: Counter[str]) -> str:
    return strip_boxes(strip_tables(text, counts, flags), counts, flags)


def _without_tables_uncounted(text: str) -> str:
    return _without_tables(text, Counter(), Counter())


_EXTRACTORS: dict[tuple[int, ExtractConfig, OwnTable | None, int], tuple[Site, Extractor]] = {}


def extract(
    text: str,
    title: str,
    site: Site,
    options: ExtractConfig = WITHOUT_FORMULAS,
    *,
    own_templates: OwnTable | None = None,
    definitions: DefinitionLookup | None = None,
    timestamp: str = "",
    from_xml: bool = False,
    **changes: Any,
) -> Extraction:
    """The paragraphs and links of one page's wikitext. Total and linear; see `Extractor`, also for the options.

    `config.ExtractConfig` says what each option does. Redirect pages are not meant to come here.
    """
    options = replace(options, **changes) if changes else options
    key = (id(site), options, own_templates, id(definitions))
    cached = _EXTRACTORS.get(key)
    if cached is None or cached[0] is not site:
        if len(_EXTRACTORS) > 16:
            _EXTRACTORS.clear()
        extractor = Extractor(site, options, own_templates=own_templates, definitions=definitions)
        cached = _EXTRACTORS[key] = (site, extractor)
    return cached[1].extract(text, title, timestamp, from_xml=from_xml)
