"""Where the links of Parsoid's HTML lead, as `wikitext/link_meanings.py` says it of wikitext.

A page of the wiki is `./Title#fragment` with `rel="mw:WikiLink"`; another wiki is an address with
`rel="mw:WikiLink/Interwiki"` and the link as written for its `title`. See
https://www.mediawiki.org/wiki/Specs/HTML, "Wiki links".
"""

from collections.abc import Mapping

from wikiprep.dump.site import Site
from wikiprep.wikitext.link_meanings import Meaning

PAGE, INTERWIKI, MEDIA, EXTERNAL = "mw:WikiLink", "mw:WikiLink/Interwiki", "mw:MediaLink", "mw:ExtLink"
OF_WIKI = frozenset((PAGE, INTERWIKI, MEDIA))  # what is written in double brackets
_CACHE_SIZE = 300_000
_INVALID, _SECTION, _INTERWIKI, _FILE, _SPECIAL = map(Meaning, ("invalid", "section", "interwiki", "file", "special"))


class HrefReader:
    """Reads links of pages of one site; remembers what an address means, bounded."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._meanings: dict[str, Meaning] = {}

    def meaning(self, rel: str, attributes: Mapping[str, str | None], title: str) -> Meaning:
        """What a link on the page `title` leads to; `rel` is one of OF_WIKI. A link to the page itself is "self"."""
        if rel == MEDIA:
            return _FILE
        if rel == INTERWIKI:
            return self._interwiki(attributes.get("title") or "")
        href = attributes.get("href") or ""
        meaning = self._meanings.get(href)
        if meaning is None:
            meaning = self._resolve(href)
            if len(self._meanings) >= _CACHE_SIZE:
                self._meanings.clear()
            self._meanings[href] = meaning
        if meaning.title == title and not meaning.reason:
            if meaning.fragment is None:
                return Meaning("self")
            if not attributes.get("title"):  # `[[#Section]]`, not `[[Page#Section]]`
                return _SECTION
        return meaning

    def page(self, href: str) -> tuple[int, str]:
        """Namespace and full title that an address names; (0, "") if none: for categories and the page itself."""
        target = self._site.titles.parse(":" + _title(href))
        return (target.namespace, target.title) if target.kind == "page" else (0, "")

    def _resolve(self, href: str) -> Meaning:
        if href.startswith("#"):
            return _SECTION
        target = self._site.titles.parse(":" + _title(href))
        if target.kind != "page" or not target.title:
            return _INTERWIKI if target.kind == "interwiki" else _INVALID
        if target.namespace < 0:
            return _SPECIAL
        return Meaning("", target.title, target.fragment or None)

    def _interwiki(self, link: str) -> Meaning:
        """Prefixes that lead back to the own wiki lead to a page of it, as in wikitext."""
        target = self._site.titles.parse(":" + link)
        if target.kind != "page" or not target.title or target.namespace < 0:
            return _INTERWIKI
        return Meaning("", target.title, target.fragment or None)


def _title(href: str) -> str:
    """The title in an address, still percent-encoded, with its fragment: "Foo%3F#Bar"."""
    while href.startswith(("./", "../")):  # a subpage is not where the wiki's pages are
        href = href[href.index("/") + 1 :]
    before, hash_sign, fragment = href.partition("#")
    return before.partition("?")[0] + hash_sign + fragment
