"""What one language brings to reading a dump: names, words and patterns. Data files, no code per language.

`languages.jsonl` holds every language of MediaWiki 1.39 with its fallbacks applied (see generate.py); the other files
are written by hand: `disambiguation.json` (template names, many of them from pywikibot's published lists),
`interwiki.json` (prefixes), `wikis.json` (prefixes that are not language codes, and what single
wikis or all of a family configure: namespaces, aliases, subpages).
"""

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

DATA = Path(__file__).parent / "data"

# MediaWiki's canonical names: they work on every wiki, whatever its language.
CANONICAL = {
    -2: "Media",
    -1: "Special",
    1: "Talk",
    2: "User",
    3: "User talk",
    4: "Project",
    5: "Project talk",
    6: "File",
    7: "File talk",
    8: "MediaWiki",
    9: "MediaWiki talk",
    10: "Template",
    11: "Template talk",
    12: "Help",
    13: "Help talk",
    14: "Category",
    15: "Category talk",
    828: "Module",
    829: "Module talk",
}
CANONICAL_ALIASES = {"Image": 6, "Image talk": 7}


@dataclass(frozen=True)
class Language:
    """One language. Names are written with spaces; patterns are for `re`, to be matched at one position."""

    code: str
    fallback: tuple[str, ...]
    namespaces: dict[int, str]  # its own names; "$1" stands for the project's name
    aliases: dict[str, int]  # further names, gender forms too
    redirect: tuple[str, ...]  # "#REDIRECT" and its translations; case does not matter
    link_trail: str  # letters after ]] that join the link; "" if none do
    link_prefix: str  # letters before [[ that join the link; "" if none do
    disambiguation: tuple[str, ...]  # names of templates that mark a disambiguation page, English family included
    dotted_i: bool = False  # the capital of i is İ

    def __reduce__(self) -> tuple[Any, ...]:
        return language, (self.code,)


# MediaWiki overrides ucfirst() for these.
_DOTTED_I = {"az", "gag", "kaa", "kiu", "kk-latn", "kk-tr", "lez", "lzz", "tr"}


@functools.cache
def _rows() -> dict[str, bytes]:
    rows = {}
    for line in (DATA / "languages.jsonl").read_bytes().splitlines():
        start = line.index(b'"code":"') + 8
        rows[line[start : line.index(b'"', start)].decode()] = line
    return rows


@functools.cache
def _read_data(name: str) -> Any:
    return orjson.loads((DATA / name).read_bytes())


def languages() -> list[str]:
    """The codes of all shipped languages, ordered."""
    return sorted(_rows())


def is_language(code: str) -> bool:
    """Whether that very code, in lower case, is a shipped language's."""
    return code in _rows()


def wiki(name: str) -> dict[str, Any]:
    """What is known by hand of the wiki of a database name ("enwiki"): language, namespaces, aliases; {} if nothing."""
    facts: dict[str, Any] = _read_data("wikis.json")["wikis"].get(name, {})
    return facts


def family_aliases(family: str) -> dict[str, int]:
    """Names of the project namespace that all wikis of a family have beside their own ("wikipedia"), {} if none."""
    names: list[str] = _read_data("wikis.json")["families"].get(family, [])
    return dict.fromkeys(names, 4) | {f"{name} talk": 5 for name in names[:1]}


def has_subpages(dbname: str, family: str) -> bool:
    """Whether `[[/x]]` in an article is a page below it: on the wikis where Wikimedia's configuration says so."""
    subpages = _read_data("wikis.json")["subpages"]
    return family in subpages["families"] or dbname in subpages["wikis"]


def content_language(prefix: str) -> str:
    """The language code of a wiki's prefix in addresses and database names: "no" is Bokmål, "simple" is English."""
    code = prefix.lower().replace("_", "-")
    language_code: str = _read_data("wikis.json")["languages"].get(code, code)
    return language_code


@functools.cache
def language(code: str) -> Language:
    """The language of `code` ("de", "zh-yue", "no", "simple"); English facts under that code where it is unknown."""
    key = content_language(code)
    rows = _rows()
    facts = orjson.loads(rows.get(key) or rows.get(key.partition("-")[0]) or rows["en"])
    templates: dict[str, list[str]] = _read_data("disambiguation.json")
    chain = dict.fromkeys([code.lower(), key, facts["code"], *facts["fallback"], "en"])
    return Language(
        code=key,
        fallback=tuple(facts["fallback"]),
        namespaces={int(n): name for n, name in facts["namespaces"].items()},
        aliases=facts["aliases"],
        redirect=tuple(facts["redirect"]),
        link_trail=facts["link_trail"],
        link_prefix=facts["link_prefix"],
        disambiguation=tuple(dict.fromkeys(name for c in chain for name in templates.get(c, []))),
        dotted_i=key in _DOTTED_I,
    )


@functools.cache
def _pattern(code: str) -> re.Pattern[str]:
    words = sorted({*language(code).redirect, "#REDIRECT"}, key=lambda w: (-len(w), w))
    either = "|".join(re.sub("[İı]", r"(?-i:\g<0>)", re.escape(word)) for word in words)  # they have no other case
    return re.compile(rf"\s*(?:{either})\s*+:?\s*\[\[([^\]\[|\n]*)(?:\|[^\n\]]*)?\]\]", re.IGNORECASE)


def redirect_target(text: str, lang: Language) -> str | None:
    """The target as written; None for wikitext that is no redirect of this language.

    "" where the link is blank: MediaWiki shows that as text.
    """
    match = _pattern(lang.code).match(text)
    return match[1].strip() if match else None
