"""From what a link says to the page it means: MediaWiki's title rules, with the namespaces of one wiki.

Follows `MediaWikiTitleCodec::splitTitleString` and `Sanitizer::decodeCharReferences` of MediaWiki 1.39, after the
percent decoding that links get. Two differences, both towards the page that a reader reaches: a chain of prefixes that
leads back to the own wiki (`w:de:X` on dewiki) is a page of it, and capitals follow the Wikimedia wikis, which keep ß,
ŉ and Georgian letters. Subpage links (`[[/x]]`) are resolved before, where there are any
(wikitext/link_meanings.py).
"""

import re
import unicodedata
from dataclasses import dataclass
from html.entities import html5
from typing import Any, Literal
from urllib.parse import unquote_to_bytes

from wikiprep.dump.siteinfo import Siteinfo, known_wiki_facts
from wikiprep.languages.interwiki import interwiki_prefixes, language_prefixes, project_prefixes, same_language
from wikiprep.languages.language import CANONICAL, CANONICAL_ALIASES, Language, family_aliases

Kind = Literal["page", "interwiki", "section", "invalid"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a link points to.

    `title` is the full title with spaces and the wiki's own namespace name; "" for a section of the page itself.
    Behind an interwiki prefix it is the rest as written. `reason` is given for kind "invalid" alone.
    """

    kind: Kind
    namespace: int = 0
    title: str = ""
    fragment: str | None = None
    prefix: str | None = None
    colon: bool = False
    reason: str = ""


_BIDI = re.compile("[\u200e\u200f\u202a-\u202e]+")
_BLANKS = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_PREFIX = re.compile(r"(.+?) *: *(.*)")
# ASCII characters that MediaWiki's legalChars() leaves out, percent escapes, references, lone surrogates.
_ILLEGAL = re.compile("[\x00-\x1f#<>\\[\\]{}|\x7f\ud800-\udfff]|%[0-9A-Fa-f]{2}|&[A-Za-z0-9\x80-\U0010ffff]+;")
_REFERENCE = re.compile("&(?:#([0-9]{1,10})|#[xX]([0-9A-Fa-f]{1,8})|([A-Za-z0-9\x80-\U0010ffff]+));")
_RELATIVE = re.compile(r"\.\.?(?:/|\Z)|.*/\.\.?(?:/|\Z)", re.DOTALL)
# Titles that no rule but that of the first capital changes: letters of which none is composed of others that stand
# beside it or stands for another one (NFC leaves any row of them as it is), digits, and signs that mean nothing here.
_LETTERS = (
    r"A-Za-z0-9\u00c0-\u024f\u0400-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u064a"
    r"\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff"
)
_PLAIN = re.compile(rf"[{_LETTERS}](?:[{_LETTERS},.'!?()–-]| (?! ))*(?<! )").fullmatch
_PLAIN_LONGEST = 80  # characters; each of them has at most three bytes, a title at most 255
_LONGEST = 1 << 14  # characters as written; a title has at most 255 bytes, a long fragment comes on top
# As much is brought to NFC, which takes the square of a run of combining marks; behind a title there is but a fragment.
_NORMALISED = 1 << 11


def _reference(match: re.Match[str]) -> str:
    if match[3]:
        return html5.get(match[3] + ";", match[0])
    code = int(match[1]) if match[1] else int(match[2], 16)
    valid = code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF
    return chr(code) if valid else "\ufffd"


def first_upper(text: str, dotted_i: bool = False) -> str:
    """`text` with its first character in capitals where that is one character, as the Wikimedia wikis do it."""
    first = text[:1]
    if "a" <= first <= "z":
        return ("İ" if dotted_i and first == "i" else first.upper()) + text[1:]
    if first < "\x80" or "\u10d0" <= first <= "\u10ff":
        return text
    upper = first.upper()
    if len(upper) != 1:
        upper = first.title()
    return (upper if len(upper) == 1 else first) + text[1:]


class TitleRules:
    """The title rules of one wiki. `LinkReader` remembers what links mean, which repeat; nothing does here."""

    def __init__(self, siteinfo: Siteinfo, language: Language) -> None:
        self._init_arguments = (siteinfo, language)
        self._dotted_i = language.dotted_i
        self.names: dict[int, str] = {0: ""}  # namespace -> the wiki's own name
        facts = known_wiki_facts(siteinfo)
        project = siteinfo.sitename or ("Wikipedia" if siteinfo.family else "Project")
        language_names = {n: name.replace("$1", project) for n, name in language.namespaces.items()}
        self.names |= {n: name for n, name in (CANONICAL | language_names).items() if n < 828}
        self.names |= {space.id: space.name for space in siteinfo.namespaces}
        # Later entries win: MediaWiki looks at its canonical names first.
        self._ids: dict[str, int] = {}
        for table in (family_aliases(siteinfo.family), facts.get("aliases", {}), language.aliases, CANONICAL_ALIASES):
            self._add({name: n for name, n in table.items() if n in self.names})
        self._add({name: n for n, name in language_names.items() if n in self.names})
        self._add({name: n for n, name in self.names.items() if n})
        self._add({name: n for n, name in CANONICAL.items() if n in self.names})
        cases = {space.id: space.case for space in siteinfo.namespaces}
        self._first_letter = {
            n for n in self.names if n in (-1, 2, 3, 8, 9) or cases.get(n, siteinfo.case) == "first-letter"
        }
        self._own_family, self._own_prefix = siteinfo.family, siteinfo.prefix.lower()

    def __reduce__(self) -> tuple[Any, ...]:
        return TitleRules, self._init_arguments

    def _add(self, names: dict[str, int]) -> None:
        self._ids |= {_BLANKS.sub(" ", name).strip(" ").lower(): n for name, n in names.items()}

    def capitals(self, namespace: int) -> bool:
        """Whether titles of a namespace begin with a capital, whatever a link writes."""
        return namespace in self._first_letter

    def namespace_id(self, name: str) -> int | None:
        """The namespace that `name` means on this wiki, in any of its names; None if none."""
        return self._ids.get(_BLANKS.sub(" ", name).strip(" ").lower())

    def namespace_of(self, title: str) -> int:
        """The namespace of a page title as the dump writes it; for schemas without <ns>."""
        name, colon, _ = title.partition(":")
        return (self.namespace_id(name) or 0) if colon else 0

    def full_title(self, namespace: int, text: str) -> str:
        """`text` with the wiki's own name of the namespace before it."""
        name = self.names.get(namespace, "")
        return f"{name}:{text}" if name else text

    def parse(self, raw: str) -> Target:
        """What `[[raw]]` points to. Never raises: what cannot be a title is kind "invalid" with a reason."""
        plain = self.plain_title(raw)
        if plain is not None:
            return Target("page", 0, plain)
        if len(raw) > _LONGEST:
            return Target("invalid", reason="too long")
        text = raw
        if "%" in text:
            text = unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
        if "&" in text:
            text = _REFERENCE.sub(_reference, text)
        if not text.isascii():
            if len(text) <= _NORMALISED:
                text = unicodedata.normalize("NFC", text)
            text = _BIDI.sub("", text)
        text = _BLANKS.sub(" ", text).strip(" ")
        if "\ufffd" in text:
            return Target("invalid", reason="characters that are not Unicode")
        colon = text.startswith(":")
        if colon:
            text = text[1:].strip(" ")
        if not text:
            return Target("invalid", colon=colon, reason="empty")
        return self._split(text, colon)

    def plain_title(self, raw: str) -> str | None:
        """The title that `[[raw]]` points to where no rule but that of the first capital is asked for: nearly always.

        None where `parse` is to be asked.
        """
        if len(raw) > _PLAIN_LONGEST or _PLAIN(raw) is None:
            return None
        if 0 not in self._first_letter or "A" <= raw[0] <= "Z":
            return raw
        return first_upper(raw, self._dotted_i)

    def _split(self, text: str, colon: bool) -> Target:
        """`text` is decoded, with single spaces and without a leading colon."""
        namespace, prefix = 0, None
        while "\n" not in text and (match := _PREFIX.fullmatch(text)):  # which fails at a line end, for each colon
            name = match[1].lower()
            if name in self._ids:
                namespace, text = self._ids[name], match[2]
                if namespace == 1 and self._has_prefix(text):
                    return Target("invalid", 1, colon=colon, reason="a namespace or prefix behind the talk namespace")
            elif name in interwiki_prefixes():
                own_title = self._strip_own_prefixes(text)
                if own_title is not None:
                    text, colon = own_title, True
                    continue
                prefix, text = name, match[2]
                if text.startswith(":"):
                    text = text[1:].strip(" ")
            break
        text, hash_sign, fragment = text.partition("#")
        if hash_sign:
            text = text.rstrip(" ")
        return self._check(text, namespace, prefix, fragment if hash_sign else None, colon)

    def _check(self, text: str, namespace: int, prefix: str | None, fragment: str | None, colon: bool) -> Target:
        def invalid(reason: str) -> Target:
            return Target("invalid", namespace, colon=colon, reason=reason)

        illegal = _ILLEGAL.search(text)
        if illegal:
            return invalid(f"illegal {illegal[0]!r}")
        if "." in text and _RELATIVE.match(text):
            return invalid("relative path")
        if "~~~" in text:
            return invalid("tildes")
        if len(text) > 63 and len(text.encode()) > (512 if namespace == -1 else 255):
            return invalid("too long")
        if prefix is not None:
            return Target("interwiki", 0, text, fragment, prefix, colon)
        if not text:
            if namespace or fragment is None:
                return invalid("empty")
            return Target("section", 0, "", fragment, None, colon)
        if namespace in self._first_letter:
            text = first_upper(text, self._dotted_i)
        if text.startswith(":"):
            return invalid("leading colon")
        return Target("page", namespace, self.full_title(namespace, text), fragment, None, colon)

    def _has_prefix(self, text: str) -> bool:
        match = _PREFIX.fullmatch(text)
        if match is None:
            return False
        name = match[1].lower()
        return bool(self._ids.get(name)) or name in interwiki_prefixes()

    def _strip_own_prefixes(self, text: str) -> str | None:
        """What follows the prefixes of `text` if they lead back to this wiki, else None."""
        family, code = self._own_family, self._own_prefix
        if not family:
            return None  # no prefix that is known here leads to a wiki outside Wikimedia
        while match := _PREFIX.fullmatch(text):
            prefix = match[1].lower()
            if prefix in language_prefixes():
                code = prefix
            elif prefix in project_prefixes():
                # The own project's prefix leads to its English wiki; another's to that of the same language.
                code = "en" if project_prefixes()[prefix] == self._own_family == family else code
                family = project_prefixes()[prefix]
            else:
                return None
            text = match[2]
            if family == self._own_family and same_language(code, self._own_prefix):
                return text.removeprefix(":").strip(" ")
        return None
