"""What wikis call languages: data/languages/LANGUAGE.txt.

The first lines say how a label is made, `label`, `link` and `colon`; then `code name` or `code name | article` a line.

    label = {name}            what is shown; {name} is the language's name
    link = {name} language    the article it leads to
    colon = :                 what stands between label and words, a space where it is empty
    before = in               a word before the label (`comma = no`: none before a transliteration)

A Wiktionary has further names of its own: data/projects/languages.LANGUAGE.txt (`language_name`).
"""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).parent.parent / "data" / "languages"
_QUALIFIED = re.compile(r"\s*\([^()]*\)")
_LONGEST_CODE = 60  # characters of a code that are looked at: each of its parts is tried


@dataclass(frozen=True)
class Labels:
    """Names of languages on one wiki, and how a label is made of them."""

    before: str
    shown: str
    link: str
    colon: str
    romanized: bool  # a comma before a transliteration
    names: dict[str, tuple[str, str]]

    def name(self, code: str) -> str:
        """The language's name: of the whole code, else of shorter ones; "" where it is not known."""
        return self._entry(code)[0]

    def full_name(self, code: str) -> str:
        """The name of just that code; "" where it is not known, or only in short."""
        name = self.names.get(code, ("", ""))[0]
        return "" if name.endswith(".") else name

    def _entry(self, code: str) -> tuple[str, str]:
        code = code.lower().replace("_", "-")[:_LONGEST_CODE]
        while code:
            if entry := self.names.get(code):
                return entry
            code = code.rpartition("-")[0]
        return "", ""

    def label(self, code: str, *, linked: bool = True) -> str:
        """The label with what stands behind it; "" where the language is not known."""
        name, article = self._entry(code)
        if not name:
            return ""
        plain_name = _QUALIFIED.sub("", name)
        text = self.shown.replace("{name}", plain_name)
        if linked and self.link:
            target = article or (name if name.endswith("languages") else self.link.replace("{name}", plain_name))
            text = f"[[{target}]]" if target == text else f"[[{target}|{text}]]"
        return self.before + text + self.colon + ("" if self.colon.endswith("：") else " ")


@functools.cache
def labels_of(language: str) -> Labels:
    """The labels on the wikis of a language; none where it has no file."""
    path = _DATA / f"{language.partition('-')[0]}.txt"
    if not path.is_file():
        return Labels("", "{name}", "", ":", True, {})
    heads: dict[str, str] = {}
    names: dict[str, tuple[str, str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        key, equals, value = line.partition(" =")
        if equals:
            heads[key] = value.strip()
            continue
        code, _, rest = line.partition(" ")
        name, _, article = rest.partition(" | ")
        names[code] = (name, article)
    before = f"{heads['before']} " if "before" in heads else ""
    return Labels(before, heads["label"], heads["link"], heads["colon"], heads.get("comma") != "no", names)


_PROJECTS = Path(__file__).parent.parent / "data" / "projects"
_QUALIFIER = re.compile(r"\s*\([^()]*\)")


@functools.cache
def _own_names(wiki: str) -> dict[str, str]:
    path = _PROJECTS / f"languages.{wiki}.txt"
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.partition(" ")[::2] for line in lines if line and not line.startswith("#"))


def language_name(code: str, wiki: str) -> str:
    """The name of a language on the Wiktionary of the language `wiki`; "" where it is not known."""
    if not code or len(code) > 20:
        return ""
    return _own_names(wiki).get(code) or _QUALIFIER.sub("", labels_of(wiki).name(code))
