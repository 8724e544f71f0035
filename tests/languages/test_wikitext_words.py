"""Image options, switches, magic words and numbers of every language, as MediaWiki's tables have them."""

import pytest

from wikiprep.languages.language import languages
from wikiprep.languages.wikitext_words import words


@pytest.mark.parametrize(
    ("code", "option"),
    [
        ("de", "mini"),
        ("de", "hochkant=0.8"),
        ("fr", "vignette"),
        ("fr", "redresse"),
        ("es", "miniaturadeimagen"),
        ("ja", "サムネイル"),
        ("ja", "250ピクセル"),
        ("ru", "мини"),
        ("ru", "200пкс"),
        ("uk", "міні"),
        ("ar", "تصغير"),
        ("ar", "200بك"),
        ("zh", "缩略图"),
        ("pl", "mały"),
        ("en", "thumb"),
        ("en", " 200x300px "),
        ("en", "alt=a|b"),
        ("sv", "miniatyr"),
        ("sr", "мини"),
    ],
)
def test_options_of_images(code: str, option: str) -> None:
    assert words(code).option.fullmatch(option)


@pytest.mark.parametrize(
    ("code", "own", "others"),
    [
        ("se", "thumb", "høgre"),  # of Nynorsk, on which Bokmål falls back, on which Northern Sámi does
        ("ku-arab", "thumb", "çep"),
        ("sr-el", "mini", "мини"),
        ("tg-latn", "thumb", "миниатюра"),
    ],
)
def test_words_of_other_languages_are_none(code: str, own: str, others: str) -> None:
    assert own in words(code).block_options and others not in words(code).block_options


@pytest.mark.parametrize("caption", ["A thumb", "Right", "200 men", "a=b"])
def test_captions_are_no_options(caption: str) -> None:
    assert not words("en").option.fullmatch(caption)


@pytest.mark.parametrize(
    ("code", "word", "meaning"),
    [
        ("en", "PAGENAME", "pagename"),
        ("en", "pagename", None),
        ("en", "#IF", "if"),
        ("de", "SEITENNAME", "pagename"),
        ("de", "SORTIERUNG", "defaultsort"),
        ("ru", "СТРАНИЦА", None),
        ("ru", "НАЗВАНИЕ_СТРАНИЦЫ", "pagename"),
        ("ja", "デフォルトソート", "defaultsort"),
        ("ar", "اسم_الصفحة", "pagename"),
        ("zh", "CURRENTYEAR", "currentyear"),
    ],
)
def test_magic_words(code: str, word: str, meaning: str | None) -> None:
    assert words(code).meaning(word) == meaning


def test_every_language_has_english_words_and_a_calendar() -> None:
    for code in languages():
        own = words(code)
        assert own.switch.search("a __NOTOC__ b")
        assert any(hint in "__NOTOC__" for hint in own.switch_hints)
        assert own.option.fullmatch("thumb")
        assert own.meaning("PAGENAME") == "pagename"
        assert {kind: len(names) for kind, names in own.calendar.items()} == {"names": 12, "genitives": 12, "days": 7}


def test_right_to_left() -> None:
    assert [code for code in ("ar", "fa", "he", "ur", "yi", "en", "ja", "ru") if words(code).right_to_left] == [
        *("ar", "fa", "he", "ur", "yi")
    ]
