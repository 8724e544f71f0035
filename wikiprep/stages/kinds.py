"""What kind a page is: the first of reject, other namespace, redirect, disambiguation, article that fits."""

from collections.abc import Callable
from dataclasses import dataclass

from wikiprep.config import ExtractConfig
from wikiprep.dump.pages import BadPage, Page
from wikiprep.dump.site import Site
from wikiprep.guard.shared_memory import GIVEN_UP
from wikiprep.parsoid.document import HtmlPage
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.reader import DefinitionLookup

HTML_PER_WIKITEXT = 10  # a page has at most some ten times as much HTML as wikitext


@dataclass(frozen=True, slots=True)
class Kind:
    """A page's kind with what decided it. `reason` and `detail` are a reject's, `extraction` a document's."""

    name: str
    reason: str = ""
    detail: str = ""
    extraction: Extraction | None = None


@dataclass(frozen=True, slots=True)
class KindRules:
    """What the decision needs beside the page.

    `is_disambiguation`: what lists say of it, beside its own text. `html` extracts pages whose text is HTML.
    """

    site: Site
    text: ExtractConfig
    is_disambiguation: Callable[[Page], bool]
    own_templates: OwnTable | None = None
    definitions: DefinitionLookup | None = None
    html: Callable[[HtmlPage], Extraction] | None = None

    @property
    def max_page_size(self) -> int:
        """Of a page, in bytes of wikitext."""
        return int(self.text.max_page_mb * 1e6)


def kind_of(page: Page | BadPage, reason: str | None, rules: KindRules) -> Kind:
    """Decide, and extract the text where there is any. `reason` is why an earlier attempt at this page failed."""
    if isinstance(page, BadPage):
        return Kind("reject", page.reason, page.detail)
    if reason is not None:
        return Kind("reject", reason, GIVEN_UP)
    if page.namespace != 0:
        return Kind("other_namespace")
    if page.redirect is not None:
        return Kind("redirect")
    if isinstance(page, HtmlPage) and rules.html is not None:
        if len(page.text) > (limit := rules.max_page_size * HTML_PER_WIKITEXT):
            return Kind("reject", "page too large", f"{len(page.text):,} characters of HTML, over {limit:,}")
        return _document(rules.html(page), page, rules)
    if page.model != "wikitext":
        return Kind("reject", "content model", page.model)
    # UTF-8 has at most four bytes a character: no page of common size is encoded to be measured.
    if len(page.text) * 4 > rules.max_page_size and (size := len(page.text.encode())) > rules.max_page_size:
        return Kind("reject", "page too large", f"{size:,} bytes of wikitext")
    extraction = extract(
        page.text,
        page.title,
        rules.site,
        rules.text,
        own_templates=rules.own_templates,
        definitions=rules.definitions,
        timestamp=page.timestamp or "",
        from_xml=True,
    )
    return _document(extraction, page, rules)


def _document(extraction: Extraction, page: Page, rules: KindRules) -> Kind:
    disambiguation = extraction.disambiguation or rules.is_disambiguation(page)
    return Kind("disambiguation" if disambiguation else "article", extraction=extraction)
