"""Magic words in the words of a wiki's language, numbers in its digits, and no clock."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.numbers import format_number, plain_number


def show(text: str, code: str = "en", timestamp: str = "", title: str = "Ab c") -> str:
    result = extract(text, title, Site.for_language(code), templates="drop", timestamp=timestamp)
    return " / ".join(p.text for p in result.paragraphs)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "{{PAGENAME}}, {{FULLPAGENAME}}, {{PAGENAMEE}}, {{TALKPAGENAME}}", "Ab c, Ab c, Ab_c, Talk:Ab c"),
        ("en", "{{PAGENAME:Help:a_b}} {{FULLPAGENAME:help:a}} {{NAMESPACE:Help:a}}{{NAMESPACE}}.", "A b Help:A Help."),
        ("de", "{{SEITENNAME}} {{ZAHLENFORMAT:1234.5}} {{NR:6}}", "Ab c 1.234,5 Datei"),
        ("ru", "{{НАЗВАНИЕ_СТРАНИЦЫ}} __БЕЗ_ОГЛАВЛЕНИЯ__ x", "Ab c x"),
        ("ja", "＿＿目次＿＿ {{PAGENAME}}{{デフォルトソート:あ}}", "Ab c"),
        ("en", "{{pagename}}x", "x"),
        ("en", "__NOSUCH__ x __noindex__ y __NoToc__", "__NOSUCH__ x __noindex__ y"),
        ("en", "{{urlencode:a b&ü}} {{padleft:7|3|0}} {{padright:7|3|ab}}", "a+b%26%C3%BC 007 7ab"),
        ("en", "{{#ifeq:01|1|same|other}} {{#tag:nowiki|''a''}} [{{fullurl:A|action=edit}} edit]", "same ''a'' edit"),
        ("en", "{{formatnum:1e5}} {{formatnum:-12345.60}} {{formatnum:12345.67|NOSEP}}", "100,000 −12,345.60 12345.67"),
    ],
)
def test_shown(code: str, text: str, expected: str) -> None:
    assert show(text, code) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#ifeq:{{PAGENAME}}|Jean-Paul's: a = b (*1)|same|other}}", "same"),
        ("{{#ifeq:{{PAGENAME}}|Jean-Paul&#39;s: a = b (*1)|same|other}}", "same"),
        ("{{#switch:{{PAGENAME}}|x=1|Jean-Paul's: a &#61; b (*1)=yes}}", "yes"),
        ("{{#titleparts:{{PAGENAME}}/c|1}}", "Jean-Paul's: a = b (*1)"),
        ("{{PAGENAMEE:{{PAGENAME}}}}", "Jean-Paul%27s:_a_%3D_b_(*1)"),
        ("{{#ifexist:{{FULLPAGENAME}}|there|not}}", "there"),
        ("{{urlencode:{{PAGENAME}}|WIKI}}", "Jean-Paul%27s:_a_%3D_b_(*1)"),
        ("{{urlencode:{{#expr:1+}}}}x", "x"),
    ],
)
def test_a_name_with_signs_of_markup(text: str, expected: str) -> None:
    """What `{{PAGENAME}}` shows is the page's name to other functions too, whatever stands for its signs."""
    assert show(text, title="Jean-Paul's: a = b (*1)") == expected


def test_dates_are_the_revisions() -> None:
    text = "{{CURRENTYEAR}} {{LOCALMONTH}} {{CURRENTDAY}} {{REVISIONYEAR}} {{CURRENTMONTHNAME}}"
    assert show(text, timestamp="2019-03-05T23:30:00Z") == "2019 03 5 2019 March"
    assert show("{{JETZIGES_JAHR}} {{CURRENTMONTHNAME}}", "de", "2019-03-05T23:30:00Z") == "2019 März"
    assert show("{{CURRENTYEAR}} {{REVISIONYEAR}}", "fa", "2019-03-05T23:30:00Z") == "۲۰۱۹ 2019"
    assert show("{{CURRENTMONTHNAMEGEN}}", "ru", "2019-03-05T23:30:00Z") == "марта"


@pytest.mark.parametrize("timestamp", ["", "no date", "9999-99-99"])
def test_without_a_date_nothing_is_made_up(timestamp: str) -> None:
    result = extract("In {{CURRENTYEAR}}; {{NUMBEROFARTICLES}} x", "T", Site.for_language("en"), timestamp=timestamp)
    assert [p.text for p in result.paragraphs] == ["In x"]
    assert result.templates == {("CURRENTYEAR", "dropped"): 1, ("NUMBEROFARTICLES", "dropped"): 1}


@pytest.mark.parametrize(
    ("code", "number", "expected"),
    [
        ("en", "1234567.891", "1,234,567.891"),
        ("de", "1234", "1.234"),
        ("pl", "1234", "1234"),
        ("es", "12345", "12\xa0345"),
        ("hi", "1234567", "१२,३४,५६७"),
        ("my", "1234567", "၁၂၃၄၅၆၇"),
        ("fa", "-12345.6", "−۱۲٬۳۴۵٫۶"),
        ("en", "+12345", "12,345"),
        ("en", "a 1234 b 5678", "a 1,234 b 5,678"),
        ("en", "1e99999999", "1e99,999,999"),
        # Kashmiri, Manipuri and Sindhi have other digits in numbers with separators than elsewhere.
        ("ks", "-12345.6", "−۱۲٬۳۴۵٫۶"),
        ("mni", "12345.6", "১২,৩৪৫.৬"),
        ("sd", "12345.6", "١٢٬٣٤٥٫٦"),
        ("lzh", "12345.6", "一二三四五點六"),
        ("en", "1.5e-3", "0.002"),
        ("pt", "1.5E+3", "1\xa0500"),
        ("pl", "1.5e-3", "1,5e−3"),
        ("pl", "+12345", "+12345"),
        ("km", "1e5", "១e៥"),
    ],
)
def test_numbers(code: str, number: str, expected: str) -> None:
    assert format_number(number, code) == expected


def test_numbers_without_separators() -> None:
    shown = {code: format_number("-12345.6", code, separators=False) for code in ("ks", "mni", "sd", "de")}
    assert shown == {"ks": "−١٢٣٤٥.٦", "mni": "−꯱꯲꯳꯴꯵.꯶", "sd": "−12345.6", "de": "−12345.6"}
    assert format_number("1e5", "en", separators=False) == "1e5"


def test_plain_numbers() -> None:
    assert plain_number("1.234,5", "de") == "1234.5"
    assert plain_number("۱٬۲۳۴٫۵", "fa") == "1234.5"
