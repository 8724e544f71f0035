"""One page of Parsoid's HTML to paragraphs with links, and an account of what was left out: as `wikitext/extract.py`.

Lexbor (through selectolax) parses as browsers do; the tree is walked once, without recursion, and what carries no
running text is passed over whole. Blocks get the marks of `wikitext/control_marks.py`, so that spans, white space
and what is dropped within a sentence are decided by the code that does it for wikitext.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from wikiprep.config import ExtractConfig
from wikiprep.dump.site import Site
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.wikitext_words import words
from wikiprep.parsoid.calls import name_of
from wikiprep.parsoid.hrefs import HrefReader
from wikiprep.parsoid.walk import Walk
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.cleanup import joins_of
from wikiprep.wikitext.control_marks import clean, invisible_of
from wikiprep.wikitext.disambiguation_pages import DisambiguationNames
from wikiprep.wikitext.extract import WITHOUT_FORMULAS

_LANGUAGE_HOST = re.compile(r"https?://([\w-]+)\.\w+\.org/wiki/(.+)", re.S)


class HtmlExtractor:
    """Extracts pages of one site; remembers what addresses mean, so keep one for many pages."""

    def __init__(self, site: Site, options: ExtractConfig = WITHOUT_FORMULAS, **changes: Any) -> None:
        """As `wikitext.extract.Extractor`; what HTML has decided already (templates, variants) is not looked at."""
        self.site, self.options = site, replace(options, **changes)
        self.hrefs = HrefReader(site)
        language = site.language.code
        self.joins = joins_of(language)
        self.invisible = invisible_of(language, words(language).right_to_left)
        self._disambiguation = DisambiguationNames(site.language)

    def extract(self, html: str, title: str, templates: Sequence[str] = ()) -> Extraction:
        """The page's paragraphs. Never raises on any text; what was met is in `flags`, as `name` or `name:detail`.

        `templates`: names of those that the page is known to use beside what the HTML says. `links["found"]` counts
        the links that are written in double brackets, images and categories with them; every other count says what
        became of them. `templates` of the result counts the calls of the page itself.
        """
        result = Extraction()
        parser = LexborHTMLParser(clean(html))
        body = parser.body
        if body is None:
            return result
        self._read_head(parser, result)
        walk = Walk(self, result, title)
        walk.run(body)
        all_templates = result.templates + Counter({(name_of(name), "rendered"): 1 for name in templates})
        if parser.css_first('meta[property="mw:PageProp/disambiguation"]') is not None:
            result.disambiguation = True
        result.disambiguation = result.disambiguation or self._disambiguation.marks(all_templates)
        result.flags = sorted(name for name, count in walk.flags.items() if count)
        return result

    def _read_head(self, parser: LexborHTMLParser, result: Extraction) -> None:
        """Categories and interlanguage links, wherever in the page they stand."""
        categories: dict[str, None] = {}
        for node in parser.css('link[rel="mw:PageProp/Category"], link[rel="mw:PageProp/Language"]'):
            attributes = node.attributes
            href = attributes.get("href") or ""
            result.links["found"] += 1
            if attributes.get("rel") == "mw:PageProp/Category":
                namespace, name = self.hrefs.page(href)
                result.links["category" if namespace == 14 else "invalid"] += 1
                if namespace == 14:
                    categories[name.partition(":")[2]] = None
                continue
            result.links["interlanguage"] += 1
            host = _LANGUAGE_HOST.match(href)
            if host and host[1] in language_prefixes():
                result.interlanguage.append((host[1], unquote(host[2]).replace("_", " ")))
        result.categories = list(categories)
        result.interlanguage = list(dict.fromkeys(result.interlanguage))
