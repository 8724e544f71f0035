"""What the target of a link means: a page of the wiki, or why it is none; and what a link without a label shows.

`[[/Chapter 1]]` and `[[../]]` mean subpages where articles have them: on Wikibooks, Wikisource and some other wikis. As
MediaWiki 1.39 (`Linker::normalizeSubpageLink`): a slash at the end is not shown. On other wikis, and where `../` leads
above the first part of the title, such a link says what is written.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from wikiprep.dump.site import Site
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.wikitext.control_marks import NOTHING, TAG, shield, without_marks
from wikiprep.wikitext.external_links import SCHEME

# What is shown ends with no space, so white space is looked through once for each run of it.
_PIPE_TRICK = re.compile(r"^:?(?:[^:]*:)?\s*+(.+?)(?<!\s)(?:\s*[(（][^()（）]*[)）])?\s*$", re.S)
IS_ADDRESS = re.compile(rf"\s*{SCHEME}", re.I).match
_MARKED = re.compile(f"[\x01-\x08{TAG}]")
_CONTROL = re.compile(r"%(?:[01][0-9A-Fa-f]|7[Ff])")
_LINK = re.compile(r"\[\[ *((?:/(?!/)|\.\./)[^\[\]|\n{}]*)(\||\]\])")


class Meaning(NamedTuple):
    """What a link's target says: why it is no entity ("" if it is one), and where it leads."""

    reason: str
    title: str = ""
    fragment: str | None = None
    prefix: str = ""
    shown: str = ""  # for a page: what the link shows without a label


# One for all: what the garbage collector has to look at grows with a page's links to pages alone.
_INVALID, _ADDRESS, _SECTION, _INTERWIKI, _FILE, _SPECIAL = map(
    Meaning, ("invalid", "address", "section", "interwiki", "file", "special")
)


def resolve(raw: str, site: Site) -> Meaning:
    """What `raw`, the part of a link before `|`, leads to on that wiki."""
    plain_title = site.titles.plain_title(raw)
    if plain_title is not None:
        return Meaning("", plain_title, shown=as_written(raw))
    unmarked = without_marks(raw)
    if "\n" in raw:
        return _INVALID
    if (":" in unmarked or "//" in unmarked) and IS_ADDRESS(unmarked):
        return _ADDRESS
    target = site.titles.parse(unmarked)
    if target.kind == "section":
        return _SECTION
    if target.kind == "interwiki":
        prefix = target.prefix or ""
        own = site.language.code
        if NOTHING in raw:
            return _INVALID
        if not target.colon and prefix != own and prefix in language_prefixes():
            return Meaning("interlanguage", target.title, prefix=prefix)
        return _INTERWIKI
    if target.kind != "page" or not target.title:
        return _INVALID
    if not target.colon and target.namespace == 14:
        if NOTHING in raw:
            return Meaning("invalid", prefix="category")
        return Meaning("category", target.title.partition(":")[2])
    if not target.colon and target.namespace == 6:
        return _FILE
    if target.namespace < 0:
        return _SPECIAL
    if not raw.isprintable() and _MARKED.search(raw):  # a tag, a note, a template without text
        return _INVALID
    return Meaning("", target.title, target.fragment or None, shown=as_written(raw))


def as_written(raw: str) -> str:
    """What a link without a label shows. Control characters behind a `%` are no marks of ours: they show a space.

    Quotes are the title's there, not markup: Neapolitan has `[[d''o]]`. Those around a whole one are a slip and go.
    """
    text = raw.lstrip().removeprefix(":")
    if "''" in text.strip(" '"):
        text = text.replace("'", shield("'"))
    return unquote(_CONTROL.sub(" ", text)) if "%" in text else text


def shown_without_label(raw: str, *, empty_label: bool) -> str:
    """What a link shows without a label, or with one that is empty once templates are gone."""
    return without_qualifier(raw) if empty_label else as_written(raw)


def without_qualifier(raw: str) -> str:
    """A title as the pipe trick shows it: without namespace and what stands in brackets at its end."""
    match = _PIPE_TRICK.match(raw)
    return match[1] if match else raw


def with_whole_titles(text: str, title: str) -> str:
    """The wikitext of the page `title` with its links to subpages as links to their whole titles."""
    if "[[/" not in text and "../" not in text and "[[ " not in text:
        return text

    def replace_link(match: re.Match[str]) -> str:
        path, _, fragment = match[1].partition("#")
        fragment = match[1][len(path) :]
        resolved = _resolve_subpage(path.rstrip(), title)
        if resolved is None:
            return match[0]
        target, label = resolved
        return f"[[{target}{fragment}|" + ("" if match[2] == "|" else f"{label}{fragment}]]")

    return _LINK.sub(replace_link, text)


def _resolve_subpage(link: str, title: str) -> tuple[str, str] | None:
    """(the page's title, what the link shows without a label)."""
    if link[0] == "/":
        below = link[1:].rstrip("/")
        return f"{title}/{below.strip()}", below if link.endswith("/") else link
    parts, rest, label = title.split("/"), link, ""
    while rest.startswith("../"):
        rest = rest[3:]
        if len(parts) < 2:
            return None
        parts.pop()
    if rest.endswith("/"):
        rest = label = rest.rstrip("/")
    parts += [rest.strip()] if rest.strip() else []
    return "/".join(parts), label or "/".join(parts)
