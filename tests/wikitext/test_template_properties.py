"""Whatever a template is given: no error, no debris, and the words are kept."""

import functools
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions import FUNCTIONS
from wikiprep.wikitext.templates.template_table import DATA, TemplateTable, drop, load_table

LANGUAGES = sorted(p.stem for p in DATA.glob("*.txt") if p.stem not in ("common", "units", "dropped"))
SITES = {code: Site.for_language(code) for code in LANGUAGES}
DEBRIS = re.compile(r"\{\{|\}\}|\[\[|\]\]|\(\s*\)|''|<\?|\?>|[\x00-\x08]")
ODD = (
    "",
    "|",
    "||||||",
    "|Word",
    "|1950|3|5",
    "|5|ft|11|in|cm|abbr=on|lk=on",
    "|-1e300|km|99",
    "|99999999999999999999999999999999|x|-9",
    "|{{nowrap|Word}}|{{lang|fr|[[Word]]}}|{{unknown|a}}",
    "|[[Page|Word]]|[[Other]]|'''b'''",
    "|1={{{1|}}}|2=<ref>note</ref>|name=|lt=[[x]]",
    "|1/0|0/0|½|٣",
    "|" + "x" * 300,
    "|text=Word|author=|quote=Word\n\n* item\n",
    "|a=b=c|<b>Word|}}",
)


@functools.cache
def names_of(code: str) -> list[str]:
    """What a language's own table renders (Latgalian stands for the common one too).

    Left out are templates that are a space or a place where a line may break.
    """
    table = load_table(code)
    files = ("common", code) if code == "ltg" else (code,)
    own = TemplateTable([line for name in files for line in (DATA / f"{name}.txt").read_text("utf-8").splitlines()])
    every = (*own._names, *(f"{start}fr" for start in own._starts))
    return sorted(name for name in every if table.find(name) is not drop and not is_space(code, name))


def is_space(code: str, name: str) -> bool:
    renderer = load_table(code).find(name)
    assert renderer is not None
    text = renderer(Arguments(None, str, name, code)) or "visible"
    return not text.replace("&nbsp;", "").replace("<wbr>", "").strip()


def shown(code: str, name: str, arguments: str) -> str:
    result = extract(f"Before ({{{{{name}{arguments}}}}}) after.", "Title", SITES[code])
    assert result.links["found"] == sum(n for reason, n in result.links.items() if reason != "found")
    for paragraph in result.paragraphs:
        for link in paragraph.links:
            assert 0 <= link.start < link.end <= len(paragraph.text)
    return " / ".join(p.text for p in result.paragraphs)


# What draws brackets, braces or bars of its own.
DRAWS = re.compile(r"[|()\[\]{}!-]|brace|brack|bra|ket|abs|pipe|bars|lsqb|rsqb|mset|SHY")


@pytest.mark.parametrize("code", LANGUAGES)
def test_odd_calls_of_every_name(code: str) -> None:
    for name in names_of(code):
        for arguments in ODD:
            text = shown(code, name, arguments)
            assert text.startswith("Before"), (name, arguments, text)
            if not DRAWS.search(name) and "}}" not in arguments:
                assert not DEBRIS.search(text), (name, arguments, text)


# Invisible characters (Cf) are left out: brackets around nothing else stay as they were written.
argument = st.one_of(
    st.sampled_from(
        ("", "1", "-5", "3.14", "1e9", "1950", "km", "ft", "to", "-", "x", "USA", "fr", "no", "en", "Word")
    ),
    st.sampled_from(("[[A]]", "[[A|b]]", "{{nowrap|w}}", "{{unknown}}", "abbr=on", "lk=on", "1=z", "df=y", "''i''")),
    st.text(st.characters(blacklist_categories=("Cs", "Cc", "Cf"), blacklist_characters="{}[]|<>='&_"), max_size=12),
)


@pytest.mark.parametrize("code", LANGUAGES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_random_calls(code: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names_of(code)))
    arguments = "".join(f"|{value}" for value in data.draw(st.lists(argument, max_size=7)))
    text = shown(code, name, arguments)
    if not DRAWS.search(name) and not any(mark in arguments for mark in "()[]"):
        assert not DEBRIS.search(text), (name, arguments, text)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@settings(max_examples=40, deadline=None)
@given(values=st.lists(argument, max_size=8), language=st.sampled_from(LANGUAGES))
def test_functions_never_raise(name: str, values: list[str], language: str) -> None:
    for template in ("Convert", "Lang-fr", "HMS", "Fb", "RuS", "S-", "Lang-en-short", "Ang.", "1er mai"):
        result = FUNCTIONS[name](Arguments("|".join(values), lambda text: text, template, language))
        assert result is None or isinstance(result, str)


# Names whose first argument is a code, a colour, a file or a switch, so that it alone says nothing to a reader.
SILENT = re.compile(
    r"^age|^ayd|lang|native|wikt|^su$|height|^fbu|legend|^lj$|^flagg$|^jct$|wktl|dentalf|loop|repeat|rquote|£sd|numb|rtl|vjaz|audio|video|farblink"
    r"|^naz|^bandiera$|^calcio|avec nom|lien web|享年|没年齢|年[数齢齡龄]|^alter$|^edad$|^âge$|عمر|возраст",
    re.IGNORECASE,
)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_lone_argument_is_kept(code: str) -> None:
    """A template with a single unnamed argument shows it, if it shows arguments at all."""
    lost = [
        name
        for name in names_of(code)
        if "Word" not in shown(code, name, "|Word") and shown(code, name, "|Word") == "Before after."
    ]
    assert [name for name in lost if not SILENT.search(name)] == []
