"""The extractor beside mwparserfromhell, on every document of the real dumps: each difference has a named kind.

`pytest -m slow -s -k second` prints the list: kinds with their counts and an example each.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import mwparserfromhell
import pytest

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.errors import WikiprepError
from wikiprep.wikitext.differences import Difference, differences, reading_of
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.mwparserfromhell_text import KNOWN_VERSIONS, Reading, SecondReader
from wikiprep.wikitext.why_different import KINDS, Comparison, ExplainedDifference

EN = Site.for_language("en")
FAST_CHARACTERS = 100_000  # of each dump, in the default run
DUMPS = (
    "aawiki-20260101-schema011-507pages.xml.bz2",
    "enwiki-196pages-allns.xml.bz2",
    "enwiki-2016-206pages.xml.bz2",
    "enwiki-232pages-noredirects.xml.bz2",
    "enwiki-27pages-longarticles.xml.bz2",
    "enwiki-3pages.xml.bz2",
    "enwiki-schema011-70pages.xml.bz2",
    "enwiktionary-20150224-300pages-multistream.xml.bz2",
    "jawiki-20250801-234pages-truncated.xml.bz2",
    "ltgwiki-whole-2004pages.xml.bz2",
    "simplewiki-7pages.xml.bz2",
    "quirks/bgwiki-utf16-bom.xml.bz2",
    "quirks/schema-0.5-no-ns.xml",
    "quirks/utf8-bom.xml",
    "quirks/zhwiki-broken-1.xml",
    "quirks/zhwiki-broken-3.xml",
)


def documents(path: Path) -> Iterator[tuple[Site, Page]]:
    """The pages that a build would extract; damage is left out."""
    parts = find_parts([str(path)])
    site = Site.of(parts[0].siteinfo)
    for piece in plan_ranges(parts, 32_000_000):
        for page in RangeReader(piece, site.siteinfo, keep_damaged=True):
            if isinstance(page, Page) and page.namespace == 0 and page.redirect is None and page.model == "wikitext":
                yield site, page


def explained(path: Path, most: int | None) -> list[tuple[str, ExplainedDifference]]:
    """(title, difference) of all documents, or of as many as have `most` characters together."""
    found: list[tuple[str, ExplainedDifference]] = []
    comparison: Comparison | None = None
    for site, page in documents(path):
        comparison = comparison or Comparison(site)
        if most is not None:
            if len(page.text) > most:
                continue
            most -= len(page.text)
        found += [(page.title, it) for it in comparison.of(page.text, page.title)]
    return found


def listed(found: list[tuple[str, ExplainedDifference]]) -> str:
    """Kinds with their counts, and the first example of each."""
    counts = Counter(it.kind for _, it in found)
    examples = {it.kind: f"{title}: {it.difference}" for title, it in reversed(found)}
    return "\n".join(f"{n:>6} {kind or 'NO KIND'}\n       {examples[kind][:300]}" for kind, n in counts.most_common())


@pytest.mark.parametrize("name", DUMPS)
def test_every_difference_has_a_kind_on_a_part_of_each_dump(name: str, shared_data: Path) -> None:
    found = explained(shared_data / "dumps" / name, FAST_CHARACTERS)
    assert None not in {it.kind for _, it in found}, listed([row for row in found if row[1].kind is None])


@pytest.mark.slow
def test_second_opinion_on_every_document(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = {p.name for p in (shared_data / "dumps").rglob("*.xml*")} - {Path(name).name for name in DUMPS}
    assert missing == {"no-text.xml"}  # a stub, without any text
    found = [row for name in DUMPS for row in explained(shared_data / "dumps" / name, None)]
    with capsys.disabled():
        print("\n" + listed(found))
    assert None not in {it.kind for _, it in found}, listed([row for row in found if row[1].kind is None])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bold and italic marks", "a<ref>''b</ref> c ''d''"),
        ("parser function", "a {{formatnum:{{#expr:{{x}}+1}}}} {{#if:y|b c|d}}"),
        ("wide space in an external link", "[http://a.b/c\u3000words of it]"),
        ("HTML tags without partner", "{|\n<tr><td>a\n|}\nb"),
        ("indented table", "a\n:{| x\n| b\n|}"),
        ("unclosed table", "a\n{|\n| b\n\nc"),
        ("bracket in a label", "[[Kyrios|k ['L']]]"),
        ("comment before a mark", "<!-- x -->== A ==\nb"),
        ("gap of a formula", "a (<math>b</math> or so), c"),
        ("language variant", "-{zh-cn:甲; zh-tw:乙}-"),
        ("unclosed template", "a {{b|c\nd"),
    ],
)
def test_kinds(kind: str, text: str) -> None:
    found = Comparison(Site.for_language("zh") if "zh" in text else EN).of(text, "T")
    assert [it.kind for it in found] == [kind] * len(found) and found


def test_every_kind_is_tested_and_named_once() -> None:
    cases = next(m for m in test_kinds.pytestmark if m.name == "parametrize").args[1]
    assert [kind.name for kind in KINDS] == [kind for kind, _ in cases]


def test_a_difference_of_no_kind_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiprep.wikitext.why_different.KINDS", ())
    assert [it.kind for it in Comparison(EN).of("a {{formatnum:1000}}", "T")] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "'''A''' is [[b]]s, [[c|d]] and [[e#f|''g'']]. [[File:x|thumb|h [[i]]]] [[Category:J]] [[de:K]]",
        "a<ref>b [[c]]</ref> {{d|e}} f<!-- g --> &amp; [http://h.i j] <nowiki>[[k]]</nowiki> <math>l</math>",
        "* a\n** b [[c]]\n; d : e\n\n== f ==\n{|\n| g\n|}\n h i\n<blockquote>j\n k</blockquote>",
        "a\n<gallery>\nl\n</gallery> b <div class='navbox'>h</div> <foo>i</foo>",
        '[[T]] [[T#a|b]] [[#c]] [[w:d]] [[:Category:e]] [[f|{{g}}]] a<br />b <div class="navbox">h</div> <foo>i</foo>',
    ],
)
def test_both_read_plain_pages_alike(text: str) -> None:
    theirs = SecondReader(EN).read(text, "T")
    assert differences(reading_of(extract(text, "T", EN, templates="drop", link_numbers="drop")), theirs) == []
    assert theirs.blocks


def test_what_a_second_reading_holds() -> None:
    made = SecondReader(EN).read("'''A''' is [[b]]s.\n\n== x ==\n* [[c d#e|f]]", "T")
    assert made.blocks == ["A is bs.", "f"]
    assert made.links == {("bs", "B", None): 1, ("f", "C d", "e"): 1}


def test_differences() -> None:
    ours = Reading(["one two three", "four", "five"], Counter({("a", "A", None): 2}))
    theirs = Reading(["one three", "fo ur", "five"], Counter({("a", "A", None): 1, ("b", "B", "c"): 1}))
    assert differences(ours, theirs) == [
        Difference("words", "two", "", "one"),
        Difference("spacing", "four", "fo ur", "one two three"),
        Difference("link", "[a] -> A", ""),
        Difference("link", "", "[b] -> B#c"),
    ]
    assert [d.what for d in differences(Reading(["ab"], Counter()), Reading(["a b"], Counter()))] == ["spacing"]
    cut = Reading(["one two", "three"], Counter()), Reading(["one two three"], Counter())
    assert differences(*cut) == []


def test_an_unknown_version_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mwparserfromhell.__version__ in KNOWN_VERSIONS
    monkeypatch.setattr(mwparserfromhell, "__version__", "9.9")
    with pytest.raises(WikiprepError, match=r"mwparserfromhell 9\.9 is not known here.*\n.*mwparserfromhell==0\.7\.2"):
        SecondReader(EN)


def test_builds_do_not_load_the_parser() -> None:
    """So its version is no part of a fingerprint (docs/reproduce.md)."""
    code = (
        "import sys, wikiprep.stages.extract_range as e, wikiprep.stages.build, wikiprep.dump.site as s;"
        "from wikiprep.wikitext.extract import extract;"
        "extract('{{a|[[b]]}} <ref>c</ref> {| d', 'T', s.Site.for_language('en'));"
        "sys.exit('mwparserfromhell' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
