"""Normal forms of names: stated cases, and idempotence over all of Unicode."""

import sys
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from make_mentions import article, mentions_of, paragraph
from make_tables import page

from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.tables.mentions.normalize import (
    REFUSALS,
    folded_name,
    is_name,
    loose_name,
    loosen,
    normal_name,
    plain_name,
    refusal,
)

# Characters that compose, fold to several, or count as white space meet more often than in st.text() alone.
SPACES, MARKS = " \t\u00a0\u2000\u3000\u200b", "\u0301\u0308\u0323\u0345\u1161"
TRICKY = st.text(st.sampled_from(f"aAeEßſiİıςσΣŉǰﬁαΑᾳᾼΐκᲙᎠꭰ가ᄀ{SPACES}{MARKS}"))
ANY = st.one_of(TRICKY, st.text(st.characters()))
APOSTROPHES = "'’‘‚‛ʼʻ′´`＇ʹʾ"
HYPHENS = "-‐‑‒–—―−﹣－\u00ad"
QUOTES = '"“”„‟«»″＂'
SIGN_SPACES = " \u00a0\u202f\u2009\u3000"
TITLES = ["O'Brien", "Jean-Luc Picard", 'The "Doors"', "Rock ’n’ Roll", "Austria–Hungary", "AC/DC 2", "トキョ"]


@pytest.mark.parametrize(
    ("text", "normal", "folded"),
    [
        ("New York", "New York", "new york"),
        ("  New\u00a0\u2009York\n", "New York", "new york"),
        ("Cafe\u0301", "Café", "café"),
        ("STRASSE", "STRASSE", "strasse"),
        ("Straße", "Straße", "strasse"),
        ("Ὀδυσσεύς", "Ὀδυσσεύς", "ὀδυσσεύσ"),
        ("\u212bngström", "Ångström", "ångström"),  # ANGSTROM SIGN is the letter
        ("東京\u3000都", "東京 都", "東京 都"),
        ("a\u200bb", "a\u200bb", "a\u200bb"),
        ("J\u030c", "J\u030c", "ǰ"),
        ("a_b", "a_b", "a_b"),
        ("", "", ""),
        (" \t\u3000", "", ""),
    ],
)
def test_stated_forms(text: str, normal: str, folded: str) -> None:
    assert normal_name(text) == normal
    assert folded_name(text) == folded


@settings(deadline=None)
@given(ANY)
def test_forms_are_idempotent_and_in_nfc(text: str) -> None:
    normal, folded = normal_name(text), folded_name(text)
    assert normal_name(normal) == normal
    assert folded_name(folded) == folded == folded_name(normal)
    assert normal_name(folded) == folded
    assert unicodedata.is_normalized("NFC", normal)
    assert unicodedata.is_normalized("NFC", folded)


@settings(deadline=None)
@given(ANY)
def test_equivalent_spellings_are_one_name(text: str) -> None:
    assert normal_name(unicodedata.normalize("NFD", text)) == normal_name(text)
    assert normal_name(f"\u2003{text.replace(' ', chr(0xA0) + ' ')}\t") == normal_name(text)


def test_every_character_alone_and_before_a_mark() -> None:
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in ("Cn", "Co", "Lo"):
            continue  # neither folds nor composes with what stands before it; TRICKY has some of Lo
        for text in (chr(code), f"a{chr(code)}\u0345\u0301"):
            for form in (normal_name, folded_name):
                once = form(text)
                assert form(once) == once, hex(code)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \u3000", "empty"),
        ("...", "no_letter_or_digit"),
        ("\U0001f600", "no_letter_or_digit"),
        ("\u0301", "no_letter_or_digit"),
        ("a\ud800", "unwritable"),
        ("a\0", "unwritable"),
        ("x" * 1001, "too_long"),
        ("x" * 1000, None),
        ("C++", None),
        ("4", None),
        ("ⅷ", None),
        ("東", None),
        ("\u0e01\u0e34", None),
        ("𐍈", None),
    ],
)
def test_what_is_no_name(text: str, reason: str | None) -> None:
    name = normal_name(text)
    assert refusal(name) == reason
    assert is_name(name) == (reason is None)
    assert reason is None or reason in REFUSALS


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
    for kind in (APOSTROPHES, HYPHENS, QUOTES, SIGN_SPACES):
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
@given(st.text(st.sampled_from([*"aZé ß\u0301\u3099", *APOSTROPHES, *HYPHENS, *QUOTES, *SIGN_SPACES, *"ｶﾞＡ…\u200bŉ"])))
def test_loose_forms_are_idempotent_and_of_one_mind(text: str) -> None:
    assert loose_name(loose_name(text)) == loose_name(text) == loose_name(folded_name(text))
    assert loose_name(plain_name(text)) == loose_name(text)
    assert plain_name(plain_name(text)) == plain_name(text) == plain_name(normal_name(text))
