"""`[[/Chapter 1]]` and `[[../]]` where articles have subpages: on Wikibooks, Wikisource and some other wikis.

As MediaWiki 1.39 (`Linker::normalizeSubpageLink`): a slash at the end is not shown. On other wikis, and where `../`
leads above the first part of the title, such a link says what is written.
"""

import re

_LINK = re.compile(r"\[\[ *((?:/(?!/)|\.\./)[^\[\]|\n{}]*)(\||\]\])")


def with_whole_titles(text: str, title: str) -> str:
    """The wikitext of the page `title` with its links to subpages as links to their whole titles."""
    if "[[/" not in text and "../" not in text and "[[ " not in text:
        return text

    def whole(match: re.Match[str]) -> str:
        named, _, fragment = match[1].partition("#")
        fragment = match[1][len(named) :]
        found = _named(named.rstrip(), title)
        if found is None:
            return match[0]
        target, shown = found
        return f"[[{target}{fragment}|" + ("" if match[2] == "|" else f"{shown}{fragment}]]")

    return _LINK.sub(whole, text)


def _named(link: str, title: str) -> tuple[str, str] | None:
    """(the page's title, what the link shows without a label)."""
    if link[0] == "/":
        below = link[1:].rstrip("/")
        return f"{title}/{below.strip()}", below if link.endswith("/") else link
    parts, rest, shown = title.split("/"), link, ""
    while rest.startswith("../"):
        rest = rest[3:]
        if len(parts) < 2:
            return None
        parts.pop()
    if rest.endswith("/"):
        rest = shown = rest.rstrip("/")
    parts += [rest.strip()] if rest.strip() else []
    return "/".join(parts), shown or "/".join(parts)
