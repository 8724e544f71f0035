"""Footnotes: `<ref>…</ref>`, `<ref/>` and the list of them.

A body never crosses another `<ref`: of two openings before one closing mark, the first is taken for a stray tag, so a
forgotten `</ref>` costs no prose. Constant replacements keep this in C; every attempt ends at the next `<ref`.
"""

import re
from collections import Counter

from wikiprep.wikitext.marks import BREAK, NOTHING

_REF = re.compile(r"<[Rr][Ee][Ff](?:\s[^<>]*)?(?:/>|>[^<]*+(?:<(?!/?[Rr][Ee][Ff][\s>/])[^<]*+)*+</[Rr][Ee][Ff]\s*>)")
_LIST = re.compile(
    r"<[Rr]eferences(?:\s[^<>]*)?(?:/>|>[^<]*+(?:<(?!/?[Rr]eferences[\s>/])[^<]*+)*+</[Rr]eferences\s*>)"
)
_STRAY = re.compile(r"</?[Rr][Ee][Ff](?:erences)?(?:[\s/][^<>]*)?>")
_LOOSE = re.compile(r" \x04+(?=[\s,.;:!?)\]]|$)")


def strip_references(text: str, links: Counter[str], flags: Counter[str]) -> str:
    """The text without footnotes; links in them are counted as `reference`."""
    if "<" not in text:
        return text
    before = text.count("[[")
    text, notes = _REF.subn(NOTHING, text)
    if "<references" in text or "<References" in text:
        text = _LIST.sub(BREAK, text)
    flags["ref"] += notes
    if inside := before - text.count("[["):
        links["found"] += inside
        links["reference"] += inside
    if "<ref" in text or "</ref" in text:
        text, strays = _STRAY.subn(NOTHING, text)
        flags["unclosed:ref"] += strays
    if " \x04" in text:
        text = _LOOSE.sub(NOTHING, text)
    return text
