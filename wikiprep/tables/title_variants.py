"""Titles across the scripts of a wiki: what `LanguageConverter::findVariantLink` of MediaWiki tries for a missing page.

On a Chinese or Serbian wiki a link may be written in another script or regional spelling than the page's title. Where
no page has the title, MediaWiki tries its writing in each variant, in the order of the converter's variants; the first
that is a page, a redirect too, is where the link leads. It does so for pages that readers ask for, and so for red links
that they follow. While it draws a page it makes the same search for all red links (LinkHolderArray::doVariants): where
two writings have pages of their own it takes the one that the database names first, findVariantLink and this file the
first variant's. What a redirect names is searched for nowhere.
"""

import re
from dataclasses import dataclass

import orjson

from wikiprep.dump.site import Site
from wikiprep.dump.title_rules import first_upper
from wikiprep.languages.converter import Converter, converter_of

KEY = b"wikiprep.variants"  # in the metadata of titles.arrow, on wikis that have variants alone
_SPACES = re.compile(" {2,}")


@dataclass(frozen=True)
class TitleVariants:
    """How a wiki's titles are written in the variants of its language; `capital`: titles begin with one."""

    language: str
    capital: bool = True
    dotted_i: bool = False

    @classmethod
    def of_site(cls, site: Site) -> "TitleVariants | None":
        """None for a wiki of one script."""
        code = site.language.code
        if converter_of(code) is None:
            return None
        return cls(code, site.titles.capitals(0), site.language.dotted_i)

    def metadata(self) -> dict[bytes, bytes]:
        """As it is kept beside the title table."""
        return {KEY: orjson.dumps([self.language, self.capital, self.dotted_i])}

    @classmethod
    def of_metadata(cls, metadata: dict[bytes, bytes]) -> "TitleVariants | None":
        """What `metadata` gave; None where nothing was kept."""
        return cls(*orjson.loads(metadata[KEY])) if KEY in metadata else None

    def others(self, title: str) -> list[str]:
        """The title in the variants that write it otherwise, in their order."""
        converter = converter_of(self.language)
        assert isinstance(converter, Converter)
        variants = [self._normal(text) for text in converter.others(title)]
        return [text for text in dict.fromkeys(variants) if text and text != title]

    def _normal(self, text: str) -> str:
        text = _SPACES.sub(" ", text).strip(" ")
        return first_upper(text, self.dotted_i) if self.capital else text
