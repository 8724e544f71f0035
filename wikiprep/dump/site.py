"""All that later rooms need to know of a wiki, in one object that travels to the workers; and what follows from it:
addresses of pages, from that of the main page in a dump's header, and which titles lie in namespace 0."""

from dataclasses import dataclass, replace
from urllib.parse import quote

from wikiprep.dump.siteinfo import Siteinfo, default_siteinfo, with_default_namespaces
from wikiprep.dump.title_rules import TitleRules
from wikiprep.languages.language import Language, content_language, has_subpages, language

# What MediaWiki leaves as it is in the addresses that it makes (wfUrlencode in GlobalFunctions.php).
_PLAIN = "-_.~;@$!*(),/:"


@dataclass(frozen=True)
class Site:
    """A wiki: its header, its language's facts and its title rules. Picklable."""

    siteinfo: Siteinfo
    language: Language
    titles: TitleRules

    @classmethod
    def of(cls, siteinfo: Siteinfo, override_language: str | None = None) -> "Site":
        """The wiki of a dump's header; `override_language` where the header names the wrong language."""
        if override_language:
            siteinfo = replace(siteinfo, language=content_language(override_language))
            if not siteinfo.dbname and not siteinfo.sitename:  # there was no header: its namespaces were a guess
                siteinfo = with_default_namespaces(siteinfo)
        lang = language(siteinfo.language)
        return cls(siteinfo, lang, TitleRules(siteinfo, lang))

    @property
    def subpages(self) -> bool:
        """Whether its articles have subpages, which `[[/x]]` names."""
        return has_subpages(self.siteinfo.dbname, self.siteinfo.family)

    @classmethod
    def for_language(cls, code: str, project: str = "wikipedia") -> "Site":
        """A language's wiki of a project, with its default namespaces, where there is no dump."""
        return cls.of(default_siteinfo(code, project))


class PageUrls:
    """Addresses of pages; `base` is siteinfo's, as https://en.wikipedia.org/wiki/Main_Page. None without one."""

    def __init__(self, base: str | None) -> None:
        base = f"https:{base}" if base and base.startswith("//") else base or ""
        self._query = "title=" in base
        if "/wiki/" in base:
            self._before = base[: base.index("/wiki/") + len("/wiki/")]
        elif self._query:
            self._before = base[: base.rindex("title=") + len("title=")]
        else:
            scheme, slashes, rest = base.partition("://")
            self._before = f"{scheme}{slashes}{rest.rpartition('/')[0]}/" if slashes and "/" in rest else ""

    def of(self, title: str) -> str | None:
        """The address of the page with that full title: "AC/DC" ends in AC/DC, "What?" in What%3F."""
        if not self._before:
            return None
        return self._before + quote(title.replace(" ", "_"), safe="-_.~" if self._query else _PLAIN)


class MainNamespace:
    """A callable for full normalised titles. Only a title with a colon can be elsewhere, so most cost one search."""

    def __init__(self, titles: TitleRules) -> None:
        self._titles = titles
        self._main_by_prefix: dict[str, bool] = {}  # by what stands before the colon

    def __call__(self, title: str) -> bool:
        """True for "2001: A Space Odyssey", False for "Category:Films"."""
        prefix, colon, _ = title.partition(":")
        if not colon:
            return True
        is_main = self._main_by_prefix.get(prefix)
        if is_main is None:
            target = self._titles.parse(f"{prefix}:X")
            is_main = self._main_by_prefix[prefix] = target.kind == "page" and target.namespace == 0
        return is_main
