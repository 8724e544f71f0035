"""Magic words: what `{{PAGENAME}}`, `{{CURRENTYEAR}}` and their kin show, in the words of the wiki's own language.

Nothing comes from the clock: words of the present day show the date of the page's revision, as `{{REVISIONYEAR}}` does,
and nothing where that is not known. What depends on the state of a live wiki (`{{NUMBEROFARTICLES}}`, `{{PAGEID}}`)
leaves a placeholder and is counted as a dropped template.
"""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote

from wikiprep.dump.site import Site
from wikiprep.wikitext.control_marks import shield
from wikiprep.wikitext.templates.function_context import PageContext
from wikiprep.wikitext.templates.numbers import in_digits


def magic_word(name: str, page: PageContext, argument: str | None = None) -> str | None:
    """What the word of that id shows, of the page `argument` where one is named; None for what is not known here."""
    page_function = _PAGE.get(name)
    if page_function is not None:
        title = page.title if argument is None else _title_of(argument, page.site)
        return shield(page_function(title, page.site)) if title else ""
    if name.endswith("e") and (page_function := _PAGE.get(name[:-1])) is not None:
        title = page.title if argument is None else _title_of(argument, page.site)
        return shield(in_address(page_function(title, page.site))) if title else ""
    if argument is not None:
        return None
    simple = _SIMPLE.get(name)
    if simple is not None:
        return simple(page)
    for period in ("current", "local", "revision"):
        if name.startswith(period) and (form := _DATES.get(name.removeprefix(period))) is not None:
            if page.date is None:
                return None
            text = form(page.date, page)
            return text if period == "revision" else in_digits(text, page.language)
    return None


def in_address(text: str) -> str:
    """A title as addresses have it: underscores, percent signs."""
    return quote(text.replace(" ", "_"), safe=";@$!*(),/~:-._", errors="replace")


def _title_of(argument: str, site: Site) -> str:
    target = site.titles.parse(argument)
    return target.title if target.kind == "page" else ""


def _namespace(title: str, site: Site) -> int:
    return site.titles.namespace_of(title)


def _bare(title: str, site: Site) -> str:
    return title.partition(":")[2] if _namespace(title, site) else title


def _talk(title: str, site: Site, bit: int) -> str:
    number = _namespace(title, site)
    return site.titles.full_title(number & ~1 | bit, _bare(title, site)) if number >= 0 else title


def _part(title: str, site: Site, which: str) -> str:
    """Its base, root or last part, where articles have subpages; else these are all of it."""
    bare = _bare(title, site)
    if not site.subpages or _namespace(title, site) or "/" not in bare:
        return bare
    base, _, last = bare.rpartition("/")
    return base if which == "base" else last if which == "last" else bare.partition("/")[0]


_PAGE: dict[str, Callable[[str, Site], str]] = {
    "pagename": _bare,
    "basepagename": lambda title, site: _part(title, site, "base"),
    "rootpagename": lambda title, site: _part(title, site, "root"),
    "subpagename": lambda title, site: _part(title, site, "last"),
    "fullpagename": lambda title, site: title,
    "subjectpagename": lambda title, site: _talk(title, site, 0),
    "talkpagename": lambda title, site: _talk(title, site, 1),
    "namespace": lambda title, site: site.titles.names.get(_namespace(title, site), ""),
    "subjectspace": lambda title, site: site.titles.names.get(_namespace(title, site) & ~1, ""),
    "talkspace": lambda title, site: site.titles.names.get(_namespace(title, site) | 1, ""),
    "namespacenumber": lambda title, site: str(_namespace(title, site)),
}
_SIMPLE: dict[str, Callable[[PageContext], str]] = {
    "!": lambda page: "|",
    "=": lambda page: "=",
    "sitename": lambda page: shield(page.site.siteinfo.sitename or "Wikipedia"),
    "contentlanguage": lambda page: page.language,
    "pagelanguage": lambda page: page.language,
    "directionmark": lambda page: "",
}


def _in_calendar(kind: str, index_of: Callable[[datetime], int]) -> Callable[[datetime, PageContext], str]:
    return lambda date, page: page.words.calendar[kind][index_of(date)]


def _iso(form: str) -> Callable[[datetime, PageContext], str]:
    return lambda date, page: date.strftime(form)


_DATES: dict[str, Callable[[datetime, PageContext], str]] = {
    "year": lambda date, page: str(date.year),
    "month": _iso("%m"),
    "month1": lambda date, page: str(date.month),
    "monthname": _in_calendar("names", lambda date: date.month - 1),
    "monthnamegen": _in_calendar("genitives", lambda date: date.month - 1),
    "day": lambda date, page: str(date.day),
    "day2": _iso("%d"),
    "dayname": _in_calendar("days", lambda date: date.isoweekday() % 7),
    "dow": lambda date, page: str(date.isoweekday() % 7),
    "week": lambda date, page: str(date.isocalendar().week),
    "time": _iso("%H:%M"),
    "hour": _iso("%H"),
    "timestamp": _iso("%Y%m%d%H%M%S"),
}
