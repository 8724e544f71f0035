"""All that later rooms need to know of a wiki, in one object that travels to the workers."""

from dataclasses import dataclass, replace

from wikiprep.dump.siteinfo import Siteinfo, default_siteinfo, with_default_namespaces
from wikiprep.dump.titles import TitleRules
from wikiprep.languages.language import Language, content_language, has_subpages, language


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
