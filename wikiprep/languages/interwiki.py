"""Prefixes of links that leave a wiki: language codes of the Wikipedias, sister projects and their short forms.

The list is that of the Wikimedia wikis; a dump does not hold it.
"""

import functools
from typing import Any

import orjson

from wikiprep.languages.language import DATA


@functools.cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = orjson.loads((DATA / "interwiki.json").read_bytes())
    return table


@functools.cache
def language_prefixes() -> frozenset[str]:
    """Prefixes that lead to a Wikipedia of that language, lower case: an interlanguage link where no colon leads."""
    return frozenset(_table()["languages"]) | frozenset(_table()["language_aliases"])


@functools.cache
def project_prefixes() -> dict[str, str]:
    """Prefix, lower case -> family ("wiktionary"), for the sister projects and other sites MediaWiki knows."""
    return {prefix: family for family, prefixes in _table()["projects"].items() for prefix in prefixes}


@functools.cache
def interwiki_prefixes() -> frozenset[str]:
    """Every prefix that leads away from a wiki, lower case."""
    return language_prefixes() | frozenset(project_prefixes())


def same_language(prefix: str, other: str) -> bool:
    """Whether two language prefixes lead to one wiki ("nb" and "no")."""
    aliases = _table()["language_aliases"]
    return bool(aliases.get(prefix, prefix) == aliases.get(other, other))
