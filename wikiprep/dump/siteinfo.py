"""The header of a dump: which wiki it is, its namespaces, its first-letter rule.

Every schema from 0.3 to 0.11 is read. What a header lacks (excerpts often have none) comes from the file's name,
then from the language's own table.
"""

import functools
import html
import re
from dataclasses import dataclass, replace
from typing import Any

from wikiprep.dump.source import read_head
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.language import CANONICAL, content_language, family_aliases, language, wiki

FAMILIES = (
    "wiktionary",
    "wikibooks",
    "wikinews",
    "wikiquote",
    "wikisource",
    "wikiversity",
    "wikivoyage",
    "wikimedia",
    "wiki",
)


@dataclass(frozen=True)
class Namespace:
    """`case` is "first-letter" or "case-sensitive". `name` has spaces; that of articles is empty."""

    id: int
    name: str
    case: str


@dataclass(frozen=True)
class Siteinfo:
    """`language` is a content language ("nb" for nowiki, "en" for simplewiki). `schema` is "" where none is named."""

    dbname: str
    language: str
    sitename: str
    base: str
    generator: str
    case: str
    namespaces: tuple[Namespace, ...]
    schema: str

    @functools.cached_property
    def prefix(self) -> str:
        """The wiki's part in addresses, which is also its interwiki prefix: "simple", "no", "zh-yue"."""
        return split_dbname(self.dbname)[0] or (_parse_address(self.base) or (self.language,))[0]

    @functools.cached_property
    def family(self) -> str:
        """ "wikipedia", "wiktionary", …: the Wikimedia project that the wiki is a language of; "" where it is of none.

        The database's name says so, else the address, else the wiki's own name. A wiki at another's address is of a
        project only where it calls itself as that does (a mirror). Without a header it is taken for a Wikipedia.
        """
        suffix, address = split_dbname(self.dbname)[1], _parse_address(self.base)
        if (self.dbname or address) and self.prefix not in language_prefixes():
            return ""
        family = "wikipedia" if suffix == "wiki" else suffix or (address[1] if address else "")
        if not self.sitename or (family and (address or not self.base)):
            return family or ("" if self.dbname else "wikipedia")
        is_known_name = wiki(self.dbname).get("project") == self.sitename
        candidates = [family] if family else ["wikipedia", *FAMILIES[:-1]]
        return next((f for f in candidates if is_known_name or self.sitename in family_aliases(f)), "")

    @property
    def project(self) -> str:
        """Whose templates the wiki has: "wikipedia", "wiktionary", …, "fandom"; "" for a wiki of its own."""
        return self.family or ("fandom" if _FANDOM.match(self.base) else "")


_FANDOM = re.compile(r"(?:https?:)?//(?:[\w-]+\.)+(?:fandom\.com|wikia\.(?:com|org))(?![\w.-])")


def split_dbname(dbname: str) -> tuple[str, str]:
    """ "zh_yuewiki" -> ("zh-yue", "wiki"); ("", "") where the name follows no such rule."""
    for family in FAMILIES:
        if dbname.endswith(family) and dbname != family:
            return dbname.removesuffix(family).replace("_", "-"), family
    return "", ""


_ADDRESS = re.compile(rf"(?:https?:)?//([\w-]+)\.(?:m\.)?({'|'.join(FAMILIES[:-1])}|wikipedia)\.org(?![\w.-])")


def _parse_address(base: str) -> tuple[str, str] | None:
    """ "https://simple.wikipedia.org/wiki/…" -> ("simple", "wikipedia"); None at another address."""
    match = _ADDRESS.match(base)
    return (match[1], match[2]) if match else None


def _language(dbname: str, xml_lang: str, base: str) -> str:
    prefix = split_dbname(dbname)[0]
    if prefix in language_prefixes():
        return content_language(prefix)
    if xml_lang:
        return content_language(xml_lang)
    host = re.match(r"(?:https?:)?//([\w-]+)\.(?:m\.)?\w+\.org", base)
    if host and host[1] in language_prefixes():
        return content_language(host[1])
    return content_language(prefix) if prefix else "en"


def _attribute(tag: str, name: str) -> str:
    match = re.search(rf"""\b{name}\s*=\s*(?:"([^"]*)"|'([^']*)')""", tag)
    return html.unescape(match[1] or match[2] or "") if match else ""


def _element(text: str, name: str) -> str:
    match = re.search(rf"<{name}(?:\s[^>]*)?>([^<]*)</{name}>", text)
    return html.unescape(match[1]).strip() if match else ""


def _decode(head: bytes) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head[: len(head) & ~1].decode("utf-16", "replace")
    return head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def parse_siteinfo(head: bytes, path: str = "") -> Siteinfo:
    """The header in the first unpacked bytes of a dump; `path` names the wiki where the header does not."""
    text = _decode(head)
    start = text.find("<mediawiki")
    root = text[start : text.find(">", start) + 1] if start >= 0 else ""
    page = text.find("<page>")
    text = text[: page if page >= 0 else len(text)]
    dbname = _element(text, "dbname") or wiki_in_name(path)
    base = _element(text, "base")
    code = _language(dbname, _attribute(root, "xml:lang"), base)
    case = _element(text, "case") or ("case-sensitive" if dbname.endswith("wiktionary") else "first-letter")
    namespaces = []
    for tag, name in re.findall(r"<namespace\b([^>]*?)(?:/>|>([^<]*)</namespace>)", text):
        key = _attribute(tag, "key")
        if re.fullmatch(r"-?\d{1,6}", key):
            number = int(key)
            name = html.unescape(name).strip().replace("_", " ")
            namespaces.append(Namespace(number, name, _attribute(tag, "case") or _case(number, case)))
    schema = _attribute(root, "version")
    info = Siteinfo(
        dbname, code, _element(text, "sitename"), base, _element(text, "generator"), case, tuple(namespaces), schema
    )
    return info if namespaces else with_default_namespaces(info)


def wiki_in_name(path: str) -> str:
    """The wiki that the name of a dump file begins with ("enwiki-20260901-…"), "" where it begins with none."""
    match = re.match(rf"([a-z][a-z0-9_]*?(?:{'|'.join(FAMILIES)}))(?=-)", re.split(r"[/\\]", path)[-1])
    return match[1] if match else ""


def _case(namespace: int, case: str) -> str:
    """MediaWiki capitalises special pages, users and messages on every wiki."""
    return "first-letter" if namespace in (-1, 2, 3, 8, 9) else case


def known_wiki_facts(info: Siteinfo) -> dict[str, Any]:
    """What is known by hand of the wiki (languages.language.wiki); nothing of one that is of no Wikimedia project."""
    return wiki(info.dbname or f"{info.language}wiki") if info.family else {}


def with_default_namespaces(info: Siteinfo) -> Siteinfo:
    """`info` with the namespaces that its language and its wiki have by default."""
    lang, facts = language(info.language), known_wiki_facts(info)
    project = facts.get("project") or info.sitename or ("Wikipedia" if info.family else "Project")
    names = CANONICAL | {4: project, 5: f"{project} talk"} | lang.namespaces
    names |= {int(n): name for n, name in facts.get("namespaces", {}).items()} | {0: ""}
    namespaces = (Namespace(n, names[n].replace("$1", project), _case(n, info.case)) for n in sorted(names))
    return replace(info, namespaces=tuple(namespaces))


# Whose wikis `default_siteinfo` knows: those of `Siteinfo.project`.
PROJECTS = ("wikipedia", *(family for family in FAMILIES if family not in ("wiki", "wikimedia")), "fandom")


def default_siteinfo(code: str, project: str = "wikipedia") -> Siteinfo:
    """The header that a language's wiki of one of `PROJECTS` has, as far as it is known without one."""
    if project == "fandom":
        base = f"https://community.fandom.com/{'' if code == 'en' else f'{code}/'}wiki/"
        return with_default_namespaces(Siteinfo("", content_language(code), "Fandom", base, "", "first-letter", (), ""))
    dbname = f"{code.replace('-', '_')}{'wiki' if project == 'wikipedia' else project}"
    base, case = f"https://{code}.{project}.org/wiki/", "case-sensitive" if project == "wiktionary" else "first-letter"
    return with_default_namespaces(
        Siteinfo(dbname, content_language(code), project.capitalize(), base, "", case, (), "")
    )


def read_siteinfo(path: str) -> Siteinfo:
    """The header of the dump file at `path`. Raises WikiprepError where the file cannot be read."""
    _, head = read_head(path, until=b"<page>")
    return parse_siteinfo(head, path)
