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
