"""Text between the variants of a language: MediaWiki's answers, and PHP's strtr by its definition.

`converter_cases.jsonl` holds texts written for this project with what `autoConvertToAllVariants` of MediaWiki 1.39.17
makes of them (tables of the code alone, no pages of a wiki).
"""

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.languages.converter import _mapped, converter_of
from wikiprep.languages.language import DATA
from wikiprep.wikitext.variants import variants_of

CASES = [orjson.loads(line) for line in (Path(__file__).parent / "converter_cases.jsonl").read_bytes().splitlines()]
CODES = [orjson.loads(line)["code"] for line in (DATA / "converters.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']} {case['text']}")
def test_text_is_as_mediawiki_converts_it(case: dict[str, object]) -> None:
    converter = converter_of(str(case["language"]))
    assert converter is not None
    text, theirs = str(case["text"]), case["mediawiki"]
    assert isinstance(theirs, dict)
    assert {variant: converter.convert(text, variant) for variant in converter.variants} == theirs
    assert converter.others(text) == list(dict.fromkeys(made for made in theirs.values() if made != text))


def test_every_language_with_variants_has_a_converter_but_one() -> None:
    """Balinese needs ICU's transliterator."""
    assert {case["language"] for case in CASES} == set(CODES)
    with_variants = [line for line in orjson.loads((DATA / "variants.json").read_bytes()) if line != "ban"]
    assert sorted(with_variants) == CODES
    for code in CODES:
        converter, variants = converter_of(code), variants_of(code)
        assert converter is not None and variants is not None
        assert list(converter.variants) == list(variants.names)
    assert [code for code in ("en", "ban", "yue", "sh", "") if converter_of(code)] == []


def strtr(text: str, pairs: dict[str, str]) -> str:
    """By its definition: at each place the longest key, never in what was put there."""
    made, at = "", 0
    while at < len(text):
        key = max((old for old in pairs if old and text.startswith(old, at)), key=len, default="")
        made += pairs[key] if key else text[at]
        at += len(key) or 1
    return made


LETTERS = st.text("abcAÄ頭", max_size=12)


@given(text=LETTERS, pairs=st.dictionaries(st.text("abcAÄ頭", min_size=1, max_size=4), LETTERS, max_size=8))
def test_the_longest_key_counts_and_nothing_is_read_twice(text: str, pairs: dict[str, str]) -> None:
    assert _mapped(pairs)(text) == strtr(text, pairs)


@given(st.text("發发髮头頭干乾後后里裡面麵台臺灣湾软體 aA.1", max_size=20))
def test_what_is_in_a_variant_stays_so(text: str) -> None:
    """Simplified text has no more characters to simplify."""
    converter = converter_of("zh")
    assert converter is not None
    once = converter.convert(text, "zh-hans")
    assert len(once) == len(text)
    assert converter.convert(once, "zh-hans") == once
    assert converter.convert(text, "zh") == text
    assert text not in converter.others(text)


@pytest.mark.parametrize(
    ("code", "variant", "text", "rules", "made"),
    [
        ("zh", "zh-tw", "软件的软", {"软": "硬"}, "軟體的硬"),
        ("zh", "zh-tw", "软件", {"软件": "程式"}, "程式"),
        ("sr", "sr-el", "Петар I", {"Петар": "Pjetar"}, "Pjetar I"),
        ("kk", "kk-latn", "Қазақ тау", {"тау": "ТАУ"}, "Qazaq TAW"),
        ("iu", "ike-cans", "IGLU", {"iglu": "ᑲ"}, "ᑲ"),
    ],
)
def test_rules_of_a_page_go_before_the_table(
    code: str, variant: str, text: str, rules: dict[str, str], made: str
) -> None:
    converter = converter_of(code)
    assert converter is not None
    assert converter.convert(text, variant, rules) == made


def test_which_variant_serbian_text_is_in() -> None:
    converter = converter_of("sr")
    assert converter is not None
    assert converter.is_in("Љубав и ћирилица", "sr-ec") and not converter.is_in("Љубав и ћирилица", "sr-el")
    assert converter.is_in("Ljubav i još šećera", "sr-el")
    assert not converter.is_in("Ljubav", "sr-el")  # none of its letters is Latin alone
