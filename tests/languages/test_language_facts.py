"""Every row of the data files."""

import re
import unicodedata

import orjson
import pytest

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import default_siteinfo
from wikiprep.languages.generate import python_pattern, trail_pattern
from wikiprep.languages.interwiki import interwiki_prefixes, language_prefixes, project_prefixes, same_language
from wikiprep.languages.language import DATA, content_language, language, languages

HAND = [
    "en",
    "simple",
    "de",
    "fr",
    "es",
    "pt",
    "it",
    "nl",
    "pl",
    "ru",
    "uk",
    "ja",
    "zh",
    "ko",
    "ar",
    "fa",
    "sv",
    "no",
    "cs",
    "hu",
    "tr",
    "fi",
    "da",
    "he",
    "id",
    "vi",
    "ca",
    "ro",
    "el",
    "bg",
    "ltg",
    "lv",
    "lt",
]


@pytest.mark.parametrize("code", languages())
def test_every_language(code):
    facts = language(code)
    assert facts.code == code or content_language(code) != code
    assert set(range(-2, 16)) - {0, 4} <= set(facts.namespaces)
    for name in [*facts.namespaces.values(), *facts.aliases]:
        assert name == " ".join(name.split())
        assert ":" not in name
        assert name == unicodedata.normalize("NFC", name)
    assert "#redirect" in {word.lower() for word in facts.redirect}
    assert all(word and not word.startswith(" ") for word in facts.redirect)
    if facts.link_trail:
        trail = re.compile(facts.link_trail)
        assert trail.match(" ") is None
        assert trail.groups == 0
    if facts.link_prefix:
        assert re.compile(facts.link_prefix).match(" ") is None
        assert re.fullmatch(r"\[[^]^][^]]*\]\+", facts.link_prefix)  # LinkReader searches for what is none of the class
    assert "Disambig" in facts.disambiguation
    assert facts.fallback[-1:] == ("en",) or code == "en"


@pytest.mark.parametrize("code", languages())
def test_every_language_parses_its_own_names(code):
    titles = Site.for_language(code).titles
    for namespace, name in language(code).namespaces.items():
        if "$1" not in name:
            found = titles.parse(f"{name}:X")
            assert found.kind == "page"
            assert titles.parse(found.title) == found
            assert namespace in titles.names
    for english, namespace in (("Category", 14), ("file", 6), ("TEMPLATE_talk", 11), ("Project", 4), ("image", 6)):
        assert titles.parse(f"{english}:X").namespace == namespace


def test_facts_known_by_heart():
    german = language("de")
    assert german.namespaces[14] == "Kategorie"
    assert german.aliases["Bild"] == 6
    assert german.aliases["Benutzerin"] == 2
    assert "#WEITERLEITUNG" in german.redirect
    assert re.match(german.link_trail, "äpfel rot")[0] == "äpfel"
    assert re.match(language("en").link_trail, "épée") is None
    assert re.match(language("fr").link_trail, "épée")[0] == "épée"
    assert re.match(language("ca").link_trail, "s'x''")[0] == "s'x"
    assert language("he").link_trail == "[a-zא-ת]+"
    assert language("ja").link_prefix == ""
    assert re.fullmatch(language("ar").link_prefix, "ال")
    assert language("gsw").fallback[0] == "de"
    assert "Begriffsklärung" in language("gsw").disambiguation
    assert "Surname" not in language("en").disambiguation
    assert {"Hndis", "Geodis", "Dab", "Disambiguation", "Human name disambiguation"} <= set(
        language("en").disambiguation
    )


@pytest.mark.parametrize("code", HAND)
def test_disambiguation_templates_of_many_languages(code):
    own = orjson.loads((DATA / "disambiguation.json").read_bytes())
    assert own[code]
    assert set(own[code]) <= set(language(code).disambiguation)


def test_every_hand_made_row():
    templates = orjson.loads((DATA / "disambiguation.json").read_bytes())
    for code, names in templates.items():
        assert content_language(code) in languages(), code
        assert len(names) == len(set(names))
        for name in names:
            assert name == unicodedata.normalize("NFC", name.strip()) != ""
            assert (
                Site.for_language(code).titles.parse(name).title
                == Site.for_language(code).titles.parse(name.strip()).title
            )
    wikis = orjson.loads((DATA / "wikis.json").read_bytes())
    assert set(wikis) == {"languages", "families", "subpages", "wikis"}
    assert set(wikis["subpages"]["families"]) < set(wikis["families"])
    for prefix, code in wikis["languages"].items():
        assert prefix == prefix.lower()
        assert language(prefix).code == code
    for name, facts in wikis["wikis"].items():
        assert name.endswith("wiki")
        assert set(facts) <= {"project", "namespaces", "aliases"}
        info = default_siteinfo(name.removesuffix("wiki"))
        known = {n.id for n in info.namespaces}
        assert {int(n) for n in facts.get("namespaces", {})} <= known
        assert set(facts.get("aliases", {}).values()) <= known, name


def test_every_prefix():
    for prefix in interwiki_prefixes():
        assert prefix == prefix.lower().strip()
        assert ":" not in prefix
    assert not language_prefixes() & set(project_prefixes())
    assert {"en", "simple", "zh-min-nan", "nb", "yue", "ltg"} <= language_prefixes()
    assert {"w", "wikt", "b", "n", "q", "s", "v", "voy", "c", "commons", "d", "m", "meta", "species", "mw"} <= set(
        project_prefixes()
    )
    assert same_language("nb", "no")
    assert not same_language("nn", "no")


def test_unknown_codes_fall_back_to_english():
    assert language("xx-none").link_trail == language("en").link_trail
    assert language("de-zzz").namespaces == language("de").namespaces


def test_patterns_are_translated():
    assert trail_pattern(r"/^([a-z\x{0980}-\x{09FF}]+)(.*)$/sDu") == "[a-z\u0980-\u09ff]+"
    assert trail_pattern("/^()(.*)$/sD") == ""
    assert python_pattern(r"a-z\x80-\xff\x5d") == "a-z\x80-ÿ\\]"
    with pytest.raises(ValueError, match="not a link trail"):
        trail_pattern("/x/")
