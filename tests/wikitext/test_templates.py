"""Rendered templates, and the tables that say which."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.convert_input import read_quantity
from wikiprep.wikitext.templates.functions.convert_options import options_of
from wikiprep.wikitext.templates.functions.convert_outputs import find_outputs
from wikiprep.wikitext.templates.functions.units import lines, unit
from wikiprep.wikitext.templates.template_table import DATA, load_table

SITES = {code: Site.for_language(code) for code in ("en", "de", "fr", "ja")}


def show(text: str, code: str = "en") -> str:
    return " / ".join(p.text for p in extract(text, "T", SITES[code]).paragraphs)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{convert|468|km2|sqmi|sp=us}}", "468 square kilometers (181 sq mi)"),
        ("{{convert|25|km|mi|abbr=on}}", "25 km (16 mi)"),
        ("{{convert|25|km|</i>mi}} {{convert|25|km|<x:mi;yd}}", "25 kilometres 25 kilometres"),
        ("{{cvt|1,000,000|ha|acre}}", "1,000,000 ha (2,500,000 acres)"),
        ("{{convert|60|to|80|kg}}", "60 to 80 kilograms (130 to 180 lb)"),
        ("{{convert|14|-|16|m|ft}}", "14–16 metres (46–52 ft)"),
        ("{{convert|10|x|20|m}}", "10 by 20 metres (33 ft × 66 ft)"),
        ("{{convert|6|ft|2|in|m}}", "6 feet 2 inches (1.88 m)"),
        ("{{convert|183|cm|ftin}}", "183 centimetres (6 ft 0 in)"),
        ("{{convert|100|nmi}}", "100 nautical miles (190 km; 120 mi)"),
        ("{{convert|20|C}}", "20 °C (68 °F)"),
        ("{{convert|-40|°C|°F}}", "−40 °C (−40 °F)"),
        ("a {{convert|10|km|adj=on}} walk", "a 10-kilometre (6.2 mi) walk"),
        ("{{convert|5|ft|m|2}}", "5 feet (1.52 m)"),
        ("{{convert|1|mi|km|disp=or}}", "1 mile or 1.6 kilometres"),
        ("{{convert|100|m|ft|order=flip}}", "330 feet (100 m)"),
        ("of {{convert|1|blob|m}}, and", "of 1 blob, and"),
        ("{{convert|8|ft|blob}}", "8 feet"),
        ("{{convert|1.39|e6km|e6mi|abbr=unit}}", "1.39 million km (0.86 million mi)"),
        ("{{convert|1.39|e6km|e6mi}}", "1.39 million kilometres (0.86×106 mi)"),
        ("{{convert|1|e6acre|e6ha|abbr=off}}", "1 million acres (0.40 million hectares)"),
        ("{{cvt|477|koilbbl/d}}", "477 kbbl/d (75.8×103 m3/d)"),
        ("{{convert|166|Goilbbl}}", "166 billion barrels (26.4×109 m3)"),
        ("{{convert|10|Gm|e6mi|abbr=off}}", "10 gigametres (6.2 million miles)"),
        ("{{convert|175|-|180|cm|ftin}}", "175–180 centimetres (5 ft 9 in – 5 ft 11 in)"),
        ("a {{convert|204|m|ft|adj=mid|sp=us|-high}} tower", "a 204-meter-high (669 ft) tower"),
        ("{{val|879.6|0.8|u=[[second|s]]}}", "879.6±0.8 s"),
        ("{{val|6.241|e=18}}", "6.241×1018"),
        ("{{frac|3|1|2}} {{frac|1|2}} {{sfrac|1|2}}", "3+1⁄2 1⁄2 1/2"),
        ("{{lang-de|Haus}}", "German: Haus"),
        ("{{lang-ru|дом|dom|house}}", "Russian: дом, romanized: dom, lit. 'house'"),
        ("{{transl|ar|DIN|kitāb}} {{lang|ar|كتاب}}", "kitāb كتاب"),
        ("{{nihongo|Aikido|合気道|Aikidō}} is", "Aikido (合気道, Aikidō) is"),
        ("{{zh|s=简|t=簡|p=jiǎn}}", "simplified Chinese: 简; traditional Chinese: 簡; pinyin: jiǎn"),
        ("{{as of|2010|4|lc=y}}, {{As of|2009}}", "as of April 2010, As of 2009"),
        ("{{circa|1450}} {{c.|1|2}} {{reign|5|9}} {{fl.|7}}", "c. 1450 c. 1 – c. 2 r. 5–9 fl. 7"),
        ("{{birth date|1950|3|5}} {{birth date|1950|3|5|df=y}}", "March 5, 1950 5 March 1950"),
        ("{{death date and age|1999|3|5|1920|4|2}}", "March 5, 1999 (aged 78)"),
        ("{{HMS|Belfast|C35|6}} {{ship||Titanic}}", "HMS Belfast Titanic"),
        ("{{ill|Fjord|no|Fjorden}} {{ill|A|de|B|lt=c}}", "Fjord c"),
        ("{{nowrap|{{lang|de|{{small|[[Berlin]]}}}}}}", "Berlin"),
        ("{{quote|text|Author|Book}}", "text / — Author, Book"),
        ("{{chem|H|2|O}} {{sub|2}} {{angbr|a}}", "H2O 2 ⟨a⟩"),
        ("({{IPA|x}}) and ({{lang|fr|a}}, {{IPA|x}})", "and (a)"),
        ("{{flag|France}} {{sic|teh}}", "France teh [sic]"),
        ("{{#if: |a|b}} {{#ifeq:a|a|c|d}} {{#switch:x|y=1|x=2|3}}", "b c 2"),
        ("{{bulleted list|a|b}}", "a / b"),
        ("{{nowrap|a=b}} {{nowrap|1=a=b}}", "a=b"),
    ],
)
def test_english(text: str, expected: str) -> None:
    assert show(text) == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("fr", "né le {{date de naissance|3|mai|1850}} au {{s-|XX|e}}", "né le 3 mai 1850 au XXe siècle"),
        ("fr", "{{unité|12345|km|2}}", "12 345 km2"),
        ("de", "({{enS|word}})", "(englisch word)"),
        ("ja", "{{読み仮名|漢字|かんじ}}と{{仮リンク|猫|en|Cat}}", "漢字（かんじ）と猫"),
    ],
)
def test_other_languages(code: str, text: str, expected: str) -> None:
    assert show(text, code) == expected


@pytest.mark.parametrize("path", sorted(p.stem for p in DATA.glob("*.txt") if p.stem not in ("units", "dropped")))
def test_every_line_of_a_table_compiles(path: str) -> None:
    assert load_table("en" if path == "common" else path).find("Nowrap")


def test_every_unit_has_outputs_of_its_kind() -> None:
    for code in lines():
        known = unit(code)
        assert known is not None and known.scale > 0, code
        default = known.default
        for either in default.partition(":")[2].split(";") if default.startswith("<") else [default]:
            quantity = read_quantity(["1", code, either.strip()], options_of(Arguments("", str, "Convert", "en"), ""))
            assert quantity is not None
            assert not either or find_outputs(either.strip(), quantity), code


def test_links_of_rendered_templates_are_links() -> None:
    result = extract("{{lang|de|[[Berlin]]}} {{lang-fr|a}} {{x|[[y]]}} {{nihongo|A|[[b]]|c}}", "T", SITES["en"])
    assert [link.target for p in result.paragraphs for link in p.links] == ["Berlin", "French language", "B"]
    assert result.links == {"found": 4, "kept": 3, "template": 1}
