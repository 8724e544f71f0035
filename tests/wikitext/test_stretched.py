"""Every written case with one place of it made long: nothing raises, all links have a reason, and it comes to an end.

No time is asserted: what takes the square of a page's size does not get through the slow test in a day.
"""

import random
import re

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import Extractor
from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions import FUNCTIONS

from . import cases, test_template_cases

FUNCTION_CALLS = """
{{#if:a|b|c}} {{#ifeq:1|1.0|a|b}} {{#switch:a|a=b|c=d|#default=e}} {{#expr:1+2*3}} {{#ifexpr:1>2|a|b}}
{{#iferror:{{#expr:x}}|a|b}} {{#time:xrY xnY H:i|2001-02-03 12:30 +2 days}} {{#timel:j F Y|@981158400}}
{{#titleparts:A/b/c|1|2}} {{#rel2abs:../b|A/c}} {{#ifexist:A|b|c}} {{#language:de|fr}} {{#len:abc}} {{#pos:abc|b|1}}
{{#sub:abc|1|2}} {{#replace:abc|b|d}} {{#explode:a,b|,|1}} {{#count:aab|a}} {{#tag:nowiki|x}} {{#invoke:a|b}}
{{#formatdate:3 February 2001|mdy}} {{formatnum:1234.5e3|R}} {{formatnum:1234567}} {{plural:3|a|b}} {{grammar:a|b}}
{{gender:a|b|c}} {{ns:10}} {{padleft:a|9|xy}} {{padright:a|9}} {{lc:A}} {{ucfirst:a}} {{urlencode:a b|WIKI}}
{{urldecode:%41}} {{anchorencode:a b}} {{fullurl:a b|x=y}} {{PAGENAME:a}} {{TALKPAGENAMEE:Talk:a b}} {{Template:a|b}}
{{nbsp|3}} {{death year and age|1999|1920}} {{track gauge|4ft8.5in}} {{track gauge|1435mm}} {{langx|fr|a}} {{subst:a}}
"""
CASES = [(case.language, case.text) for case in cases.read_cases()]
CASES += [(language, call) for language, call, _, _ in test_template_cases.read_cases()]
CASES += [("en", f"{{{{{call}}}}}") for call in re.findall(r"\{\{(.+?)\}\}(?=\s)", FUNCTION_CALLS)]
TOKEN = re.compile(r"\d+|[^\W\d_]+|\s+|[^\w\s]")
RUNS = [
    *" 9a-()[]|=,.:;'\n/*#!_&<>\"é+^\xa0\u200b{}~",
    *("''", "<b>", "&nbsp;", "{{a}}", "[[a]]", "\u0301\u0316", "%41", "a ", "9 ", "9,", "a|", "1/2", "<br>", "</ref>"),
    *("<ref>", "- ", " -", " =", "= ", "e9", "class=", "px", "thumb|", "://", "http://a "),
]
EXTRACTORS: dict[str, Extractor] = {}


def stretched(chance: random.Random, size: int) -> tuple[str, str]:
    """(a language, a case of it where something is repeated: one of its own words or signs, or a run in its place)"""
    language, text = chance.choice(CASES)
    place = chance.choice(list(TOKEN.finditer(text)))
    if chance.random() < 0.4:
        unit, start = place[0], place.start()
    else:
        unit = chance.choice(RUNS)
        start = chance.choice((place.start(), place.end()))
    return language, text[:start] + unit * (size // len(unit)) + text[place.end() :]


def extract(language: str, text: str) -> Extraction:
    if language not in EXTRACTORS:
        EXTRACTORS[language] = Extractor(Site.for_language(language), captions=True)
    return EXTRACTORS[language].extract(text, "Title", "2020-01-02T03:04:05Z")


def check(seed: int, size: int) -> None:
    language, text = stretched(random.Random(seed), size)
    result = extract(language, text)
    assert sum(result.links.values()) == 2 * result.links["found"]
    assert result.links["kept"] == sum(len(p.links) for p in result.paragraphs)


@pytest.mark.parametrize("part", range(10))
def test_cases_with_something_long(part: int) -> None:
    for seed in range(part * 200, part * 200 + 200):
        check(seed, 5_000)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_cases_with_something_very_long(part: int) -> None:
    for seed in range(10_000 + part * 100, 10_000 + part * 100 + 100):
        check(seed, 300_000)


SHAPES = (
    *("{}", "1|{}", "x|{}", "1|km|{}", "{}|km|mi", "1999|5|{}", "1|to|{}|km|mi"),
    *("{}x", "1e{}", "1/{}", "{}/2", "1.{}"),
)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_of_templates_take_long_arguments(name: str) -> None:
    """Of numbers Python reads 4,300 digits, and no more."""
    for template, language in (("Convert", "en"), ("Lang-fr", "en"), ("RuS", "ru"), ("S-", "fr"), ("1er mai", "fr")):
        for shape in SHAPES:
            for unit in ("9", "0", "a", " ", "-", "(", "1/2 ", "&nbsp;"):
                given = shape.format(unit * (5_000 // len(unit)))
                shown = FUNCTIONS[name](Arguments(given, lambda text: text, template, language))
                assert shown is None or isinstance(shown, str)
