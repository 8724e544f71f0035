"""What template calls show: template_cases/*.txt, one `call => text` a line, links as [[shown|Target]]."""

from pathlib import Path

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Paragraph
from wikiprep.wikitext.extract import extract

CASES = Path(__file__).parent / "template_cases"
SITES: dict[str, Site] = {}


def read_cases() -> list[tuple[str, str, str, int]]:
    """(language, call, expected text, line) of every case; a file's name is `LANGUAGE` or starts with `LANGUAGE.`."""
    cases: list[tuple[str, str, str, int]] = []
    for path in sorted(CASES.glob("*.txt")):
        code = "en" if path.stem == "convert" else path.stem.partition(".")[0]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("#"):
                call, _, expected = line.partition(" => ")
                cases.append((code, call.replace("\\n", "\n"), expected, number))
    return cases


def as_marked(paragraph: Paragraph) -> str:
    """The paragraph's text with its links as [[shown|Target]], or [[shown]] where the target is what is shown."""
    text, last, out = paragraph.text, 0, []
    for link in paragraph.links:
        shown = text[link.start : link.end]
        out += [text[last : link.start], f"[[{shown}]]" if shown == link.target else f"[[{shown}|{link.target}]]"]
        last = link.end
    return "".join(out) + text[last:]


@pytest.mark.parametrize(("code", "call", "expected", "line"), read_cases())
def test_template_shows(code: str, call: str, expected: str, line: int) -> None:
    site = SITES.setdefault(code, Site.for_language(code))
    shown = " / ".join(as_marked(p) for p in extract(call, "Title", site).paragraphs)
    assert shown == expected, f"line {line}"
