"""Makes data/languages.jsonl from a MediaWiki tree: names, words and patterns of every language it knows.

    python -m wikiprep.languages.generate FACTS.jsonl

FACTS.jsonl is what `facts.php`, run as a maintenance script, prints:

    cp facts.php MEDIAWIKI/maintenance/ && php MEDIAWIKI/maintenance/facts.php > FACTS.jsonl

The other files of data/ are written by hand. A user of wikiprep never runs this; it is here so that the next
MediaWiki release takes a minute.
"""

import re
import sys
from pathlib import Path
from typing import Any

import orjson

from wikiprep.languages.language import DATA

_GRAMMAR = re.compile(r"\{\{grammar:[^|}]*\|\$1\}\}", re.IGNORECASE)
_TRAIL = re.compile(r"/\^\((.*)\)\(\.\*\)\$/[suD]+", re.DOTALL)


def python_pattern(pcre: str) -> str:
    """`pcre` (a part of a pattern) with its `\\x{1F00}` and `\\x80` escapes as the characters themselves."""

    def character(match: re.Match[str]) -> str:
        char = chr(int(match[1] or match[2], 16))
        return "\\" + char if char in "\\]^-[" else char

    return re.sub(r"\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))", character, pcre)


def trail_pattern(pcre: str) -> str:
    """MediaWiki's `/^(letters+)(.*)$/sDu` -> `letters+`; "" where a language has no link trail."""
    match = _TRAIL.fullmatch(pcre)
    if match is None:
        raise ValueError(f"not a link trail: {pcre}")
    return python_pattern(match[1])


def row(facts: dict[str, Any]) -> dict[str, Any]:
    """One line of languages.jsonl from one of FACTS.jsonl. Names have spaces; namespace 4 is named by the wiki."""
    # One language file quotes the constant, 'NS_TALK', and so has no such alias.
    alias_pairs = [(alias, n) for alias, n in facts["aliases"].items() if isinstance(n, int)]
    alias_pairs += [(form, int(n)) for n, forms in facts["gender"].items() for form in forms.values()]
    aliases = {alias.replace("_", " ").strip(): n for alias, n in alias_pairs if "{{" not in alias}
    case_sensitive, *redirect = facts["redirect"]
    if case_sensitive:
        raise ValueError(f"{facts['code']}: redirect words that heed case")
    # The project's name is inflected by code in some languages; a dump's header has the result.
    names = {n: _GRAMMAR.sub("$1", name).replace("_", " ").strip() for n, name in facts["namespaces"].items() if name}
    return {
        "code": facts["code"],
        "fallback": facts["fallback"],
        "namespaces": {n: names[n] for n in sorted(names, key=int)},
        "aliases": {a: aliases[a] for a in sorted(aliases) if a not in names.values()},
        "redirect": redirect,
        "link_trail": trail_pattern(facts["trail"]),
        "link_prefix": f"[{python_pattern(facts['prefix'])}]+" if facts["prefix"] else "",
    }


def main(source: str) -> None:
    """Write data/languages.jsonl, ordered by code."""
    lines = Path(source).read_bytes().splitlines()
    rows = sorted((row(orjson.loads(line)) for line in lines), key=lambda r: str(r["code"]))
    (DATA / "languages.jsonl").write_bytes(b"".join(orjson.dumps(r) + b"\n" for r in rows))


if __name__ == "__main__":
    main(sys.argv[1])
