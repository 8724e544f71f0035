"""The words that wikitext gives a meaning in each language: image options, switches, magic words, parser functions.

`words.jsonl` holds what MediaWiki 1.39 knows (generate_words.py); a wiki understands the words of its language, of
those it falls back on, and English ones. A row that is `whole` has all words of its language.
"""

import functools
import re
from dataclasses import dataclass
from typing import Any

import orjson

from wikiprep.languages.language import DATA, Language, language

# Extensions that the Wikimedia wikis have and MediaWiki itself lacks.
_MORE_SWITCHES = (
    "__NOGLOBAL__",
    "__ARCHIVEDTALK__",
    "__NOTALK__",
    "__EXPECTUNUSEDTEMPLATE__",
    "__EXPECTWITHOUTSCANS__",
)
_MORE_OPTIONS = ("start=$1", "end=$1", "thumbtime=$1", "noicon", "noplayer", "disablecontrols=$1", "muted", "loop")

# Image options that take the image out of the line.
_BLOCKS = ("img_thumbnail", "img_framed", "img_left", "img_right", "img_center", "img_none")


@dataclass(frozen=True)
class WikiWords:
    """One wiki's words. Ids are MediaWiki's: "pagename", "currentyear", "if"."""

    code: str
    option: re.Pattern[str]  # a whole part of a file's markup that is an option, spaces around it included
    block_options: frozenset[str]  # those that make an image a block of its own
    thumbnail_of: tuple[str, ...]  # what `thumb=other file`, which does so too, starts with
    switch: re.Pattern[str]  # a behaviour switch, anywhere in a text; its group is one that stands for the contents
    switch_hints: tuple[str, ...]  # a text that holds none of these, "__" first, holds no switch
    heeding: dict[str, str]  # word -> id, of words that must be in the given case
    folded: dict[str, str]  # lower case -> id, of the others
    right_to_left: bool
    calendar: dict[str, list[str]]  # "names" and "genitives" of the months from January, "days" from Sunday

    def meaning(self, word: str) -> str | None:
        """The id of a magic word or parser function, without braces and colon; None for what is neither."""
        return self.heeding.get(word) or self.folded.get(word.lower())


@functools.cache
def _rows() -> dict[str, dict[str, Any]]:
    rows = map(orjson.loads, (DATA / "words.jsonl").read_bytes().splitlines())
    return {row["code"]: row for row in rows}


def rows_of(own: Language) -> list[dict[str, Any]]:
    """The rows that hold a language's words: its own, that of each it falls back on, English; its own if `whole`."""
    rows = _rows()
    if rows.get(own.code, {}).get("whole"):
        return [rows[own.code]]
    return [rows[c] for c in dict.fromkeys([own.code, *own.fallback, "en"]) if c in rows]


@functools.cache
def calendar(code: str) -> dict[str, list[str]]:
    """What months and days are called in a language; as `Words.calendar`."""
    own = language(code)
    rows = (_rows()[c] for c in (own.code, *own.fallback, "en") if c in _rows())
    names = dict(next(row["calendar"] for row in rows if "calendar" in row))
    names.setdefault("genitives", names["names"])
    return names


@functools.cache
def words(code: str) -> WikiWords:
    """The words of a wiki in the language `code`."""
    own = language(code)
    rows = rows_of(own)
    case_sensitive_ids = frozenset(_rows()["en"]["heed_case"])
    heeding: dict[str, str] = {}
    folded: dict[str, str] = {}
    for row in reversed(rows):  # English first: where a language names two things alike, MediaWiki takes that meaning
        for kind in ("functions", "variables"):
            for name, forms in row.get(kind, {}).items():
                for form in forms:
                    if name in case_sensitive_ids:
                        heeding.setdefault(form, name)
                    else:
                        folded.setdefault(form.lower(), name)
    switches = [(name, w) for row in rows for name, ws in row.get("switches", {}).items() for w in ws]
    options = [w for row in rows for forms in row.get("image", {}).values() for w in forms] + [*_MORE_OPTIONS]
    images = [row["image"] for row in rows if "image" in row]
    blocks = [w.strip() for image in images for name in _BLOCKS for w in image.get(name, ())]
    others = [w for image in images for w in image.get("img_manualthumb", ())]
    blocks += [w for w in others if "$1" not in w]  # Icelandic has one word for both
    others = [w for w in others if w.endswith("=$1")]
    hints = dict.fromkeys(("__", *(word[:2] for _, word in switches)))
    rtl = bool(_rows().get(own.code, {}).get("rtl"))
    return WikiWords(
        own.code,
        _option_pattern(options),
        frozenset(blocks),
        tuple([w.removesuffix("$1") for w in others]),
        _switch_pattern(switches, case_sensitive_ids),
        tuple(hints),
        heeding,
        folded,
        rtl,
        calendar(own.code),
    )


def _switch_pattern(words: list[tuple[str, str]], case_sensitive_ids: frozenset[str]) -> re.Pattern[str]:
    # A literal first, where all have it: `re` then skips to each place that may be one.
    start = "__" if all(word.startswith("__") for _, word in words) else ""
    contents = _any_of([word.removeprefix(start) for name, word in words if name == "toc"])
    exact = _any_of(
        [word.removeprefix(start) for name, word in words if name in case_sensitive_ids]
        + [word.removeprefix(start) for word in _MORE_SWITCHES]
    )
    others = _any_of(
        [word.removeprefix(start) for name, word in words if name != "toc" and name not in case_sensitive_ids]
    )
    return re.compile(f"{start}(?:((?i:{contents}))|{exact}|(?i:{others}))")


def _any_of(forms: list[str]) -> str:
    return "|".join(re.escape(form) for form in sorted(set(forms), key=lambda form: (-len(form), form)))


def _option_pattern(forms: list[str]) -> re.Pattern[str]:
    """Which parts are options. A width is `200px`, `200x100px`, `x100px`; any other `$1` is anything."""
    patterns = set()
    for form in forms:
        if form.startswith("$1"):
            patterns.add(r"\d*(?:x\d*)?\s*" + re.escape(form[2:].strip()) + r"(?:\s*px)?")
        else:
            patterns.add(re.escape(form).replace(re.escape("$1"), ".*"))
    return re.compile(rf"\s*+(?:{'|'.join(sorted(patterns))}|)\s*", re.S)
