"""Numbers as MediaWiki 1.39 writes them; the right answers are those of its own `formatnum`."""

import pytest

from wikiprep.wikitext.templates.numbers import format_number, group, plain_number

NUMBERS = ("1234567.891", "1234", "-5.5", "12345")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "1,234,567.891 1,234 −5.5 12,345"),
        ("de", "1.234.567,891 1.234 −5,5 12.345"),
        ("de-ch", "1'234'567,891 1'234 −5,5 12'345"),
        ("fr", "1 234 567,891 1 234 −5,5 12 345"),
        ("es", "1 234 567,891 1234 −5,5 12 345"),
        ("ru", "1 234 567,891 1234 −5,5 12 345"),
        ("pl", "1 234 567,891 1234 −5,5 12 345"),
        ("it", "1 234 567,891 1 234 −5,5 12 345"),
        ("pt", "1 234 567,891 1 234 −5,5 12 345"),
        ("nl", "1.234.567,891 1.234 −5,5 12.345"),
        ("ja", "1,234,567.891 1,234 −5.5 12,345"),
        ("zh", "1,234,567.891 1,234 −5.5 12,345"),
        ("ltg", "1 234 567,891 1 234 −5,5 12 345"),
        ("ar", "١٬٢٣٤٬٥٦٧٫٨٩١ ١٬٢٣٤ −٥٫٥ ١٢٬٣٤٥"),
        ("fa", "۱٬۲۳۴٬۵۶۷٫۸۹۱ ۱٬۲۳۴ −۵٫۵ ۱۲٬۳۴۵"),
        ("hi", "१२,३४,५६७.८९१ १,२३४ −५.५ १२,३४५"),
        ("ta", "12,34,567.891 1,234 −5.5 12,345"),
        ("my", "၁၂၃၄၅၆၇.၈၉၁ ၁၂၃၄ −၅.၅ ၁၂၃၄၅"),
        ("la", "1 234 567.891 1 234 −5.5 12 345"),
    ],
)
def test_numbers_of_languages(language: str, expected: str) -> None:
    assert " ".join(format_number(number, language) for number in NUMBERS).replace("\xa0", " ") == expected


def test_numbers_in_text_and_back() -> None:
    assert format_number("about 12345 or -5", "en") == "about 12,345 or −5"
    assert group("1234567", ".") == "1.234.567"
    assert [group("1234567"[:size], ",", (3, 2)) for size in range(8)] == [
        *("", "1", "12", "123", "1,234", "12,345", "1,23,456", "12,34,567")
    ]
    for language in ("en", "de", "fr", "ar", "es"):
        assert plain_number(format_number("-1234567.5", language), language) == "-1234567.5"
