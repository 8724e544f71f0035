"""Reads tests/data/wikitext_cases.txt and the files by kind in tests/data/wikitext_cases/."""

import re
from dataclasses import dataclass
from pathlib import Path

from wikiprep.wikitext.article import Extraction

DATA = Path(__file__).resolve().parents[1] / "data"
FILE = DATA / "wikitext_cases.txt"
FOLDER = DATA / "wikitext_cases"
_HEAD = re.compile(r"@ (.*?)(?: \[([a-z-]+)\])?(?: \[ours: (.*)\])?$")
_KIND = re.compile(r"\((prose|list_item|term|definition|quote|caption) (\d+)\) ")
_LINK = re.compile(r"(.*) -> ([^#]*)(?:#(.*))?")


@dataclass(frozen=True)
class Case:
    """One case: wikitext, and what it shows on a page named "Page"."""

    name: str
    language: str
    ours: str | None  # why we differ from MediaWiki, if we do
    text: str
    blocks: list[str]
    kinds: list[tuple[str, int]]  # of the blocks, with depth; [] where the case does not say
    links: list[tuple[str, str, str | None]]
    counted: list[str] | None  # what else came of it (`account`); None where the case does not say


def _read(path: Path) -> list[Case]:
    cases = []
    for part in re.split(r"\n(?=@ )", path.read_text(encoding="utf-8"))[1:]:
        head, _, body = part.partition("\n")
        match = _HEAD.match(head)
        assert match, head
        text, shown, linked, *rest = re.split(r"\n?^---$\n?", body, flags=re.M)
        lines = shown.splitlines()
        kinds = [(m[1], int(m[2])) for m in map(_KIND.match, lines) if m]
        links = [m.groups() for m in map(_LINK.fullmatch, linked.splitlines()) if m]
        name = match[1] if path == FILE else f"{path.stem}: {match[1]}"
        blocks = [_KIND.sub("", line, count=1) if kinds else line for line in lines]
        counted = sorted(rest[0].split("\n")) if rest and rest[0].strip() else None
        counted = [line for line in counted if line] if counted else None
        cases.append(Case(name, match[2] or "en", match[3], text, blocks, kinds, links, counted))
    return cases


def read_cases() -> list[Case]:
    """All cases, file by file, in order."""
    return [case for path in (FILE, *sorted(FOLDER.glob("*.txt"))) for case in _read(path)]


def account(result: Extraction) -> list[str]:
    """What became of the page beside its text: links by reason, flags, categories, interlanguage links."""
    reasons = [f"{reason} {n}" for reason, n in result.links.items() if n and reason not in ("kept", "found")]
    flags = [f"flag {flag}" for flag in result.flags]
    categories = [f"category {name}" for name in result.categories]
    return sorted(reasons + flags + categories + [f"language {lang}:{title}" for lang, title in result.interlanguage])
