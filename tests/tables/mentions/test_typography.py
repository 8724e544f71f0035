"""Names that differ from what is asked for in signs alone: apostrophes, quotes, hyphens, widths, what is not seen."""

import sys
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from make_mentions import article, mentions_of, paragraph
from make_tables import page

from wikiprep.tables.mentions.normalize import folded_name, loose_name, loosen, normal_name, plain_name
from wikiprep.tables.mentions.table import MentionTable

APOSTROPHES = "'’‘‚‛ʼʻ′´`＇ʹʾ"
HYPHENS = "-‐‑‒–—―−﹣－\u00ad"
QUOTES = '"“”„‟«»″＂'
SPACES = " \u00a0\u202f\u2009\u3000"
TITLES = ["O'Brien", "Jean-Luc Picard", 'The "Doors"', "Rock ’n’ Roll", "Austria–Hungary", "AC/DC 2", "トキョ"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("typography")
    pages = [page(i, title) for i, title in enumerate(TITLES, 1)] + [page(90, "O’Neill"), page(91, "O'Neill")]
    rows = [article(i, title, paragraph("Of ", (title, title), ".")) for i, title in enumerate(TITLES, 1)]
    mentions_of(out, pages, rows)
    return out


@pytest.fixture(scope="module")
def table(corpus: Path) -> MentionTable:
    return MentionTable.open(corpus)


def spelled(title: str) -> list[str]:
    """A title with each of its signs in every writing, one writing for all of a kind at a time."""
    found = []
    for kind in (APOSTROPHES, HYPHENS, QUOTES, SPACES):
        if any(sign in title for sign in kind):
            found += ["".join(other if sign in kind else sign for sign in title) for other in kind]
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in title)
    return [*found, wide, title[:2] + "\u200b" + title[2:], title[:2] + "\u00ad" + title[2:], f"\u200e{title}\u200f"]


@pytest.mark.parametrize("title", TITLES)
def test_every_writing_finds_the_page(table: MentionTable, title: str) -> None:
    for name in spelled(title):
        assert [c.title for c in table.candidates(name)] == [title], ascii(name)
        assert table.prior(name, title) == 1.0
        counts = table.counts(name)
        assert counts is not None and counts.name == title, "the name that was found"
        for cased in (name, name.upper(), name.lower()):
            assert [c.title for c in table.candidates(cased, folded=True)] == [title], ascii(cased)


@pytest.mark.parametrize("title", TITLES)
def test_every_writing_is_found_in_text_with_folded(table: MentionTable, title: str) -> None:
    for name in spelled(title):
        if "\u00ad" in name and loose_name(name) != loose_name(title):
            continue  # in text a soft hyphen is what it is: not seen
        for cased in (name, name.upper()):
            text = f"Then {cased}, again."
            (one,) = table.detect(text, folded=True)
            assert one.best.title == title, ascii(name)
            assert one.text.strip("\u200e\u200f") == cased.strip("\u200e\u200f")
            assert loose_name(text[one.start : one.end]) == one.name


def test_case_is_kept_without_folded(table: MentionTable) -> None:
    assert table.candidates("o’brien") == []
    assert table.counts("O’BRIEN") is None
    assert [form.name for form in table.forms("o’brien")] == ["O'Brien"]


def test_the_exact_form_comes_first(table: MentionTable) -> None:
    for title in ("O’Neill", "O'Neill"):
        assert [c.title for c in table.candidates(title)] == [title]
    both = [c.title for c in table.candidates("OʼNeill")]
    assert both == ["O'Neill", "O’Neill"], "neither is meant more than the other"
    counts = table.counts("OʼNeill")
    assert counts is not None and counts.name == "O'Neill"


def test_the_command_finds_it(corpus: Path) -> None:
    from wikiprep.cli.main import cli

    for name in ("O’Brien", "O‘Brien", "Ｏ＇Ｂｒｉｅｎ"):
        done = CliRunner().invoke(cli, ["mentions", str(corpus), name], catch_exceptions=False)
        assert done.output.startswith("O'Brien\n")
    done = CliRunner().invoke(cli, ["mentions", str(corpus), "AUSTRIA−HUNGARY", "--folded"], catch_exceptions=False)
    assert "Forms: Austria–Hungary" in done.output


def test_no_sign_is_left_over_and_none_says_two_things() -> None:
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in ("Cs", "Co", "Cn"):
            continue
        for form, of in ((plain_name, normal_name), (loose_name, folded_name)):
            once = form(f"a{chr(code)}b")
            assert form(once) == once == of(once), hex(code)
    assert loosen('it\'s - "a"') == 'it\'s - "a"'


@settings(deadline=None)
@given(st.text(st.sampled_from([*"aZé ß\u0301\u3099", *APOSTROPHES, *HYPHENS, *QUOTES, *SPACES, *"ｶﾞＡ…\u200bŉ"])))
def test_loose_forms_are_idempotent_and_of_one_mind(text: str) -> None:
    assert loose_name(loose_name(text)) == loose_name(text) == loose_name(folded_name(text))
    assert loose_name(plain_name(text)) == loose_name(text)
    assert plain_name(plain_name(text)) == plain_name(text) == plain_name(normal_name(text))
