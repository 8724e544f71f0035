"""Reads tests/data/wikitext_cases.txt."""

import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "data" / "wikitext_cases.txt"
_HEAD = re.compile(r"@ (.*?)(?: \[([a-z-]+)\])?(?: \[ours: (.*)\])?$")


@dataclass(frozen=True)
class Case:
    """One case: wikitext, and what it shows on a page named "Page"."""

    name: str
    language: str
    ours: str | None  # why we differ from MediaWiki, if we do
    text: str
    blocks: list[str]
    links: list[tuple[str, str]]


def read_cases() -> list[Case]:
    """All cases of the file, in order."""
    cases = []
    for part in re.split(r"\n(?=@ )", FILE.read_text(encoding="utf-8"))[1:]:
        head, _, body = part.partition("\n")
        match = _HEAD.match(head)
        assert match, head
        text, blocks, links = re.split(r"\n?^---$\n?", body, flags=re.M)
        pairs = [tuple(line.split(" -> ")) for line in links.splitlines() if line.strip()]
        cases.append(Case(match[1], match[2] or "en", match[3], text, blocks.splitlines(), pairs))  # type: ignore[arg-type]
    return cases
