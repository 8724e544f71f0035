"""Titles as MediaWiki understands them. MediaWiki 1.39 itself gave the first table (the oracle test below)."""

import json
import os
import pickle
import subprocess
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import Namespace, default_siteinfo, parse_siteinfo
from wikiprep.dump.title_rules import Target, first_upper

EN, DE = Site.for_language("en"), Site.for_language("de")

SAME = {
    "India": "India",
    " India": "India",
    "India ": "India",
    "_India_": "India",
    "india": "India",
    "new__york \u00a0\u3000city": "New york city",
    "AT&amp;T": "AT&T",
    "AT&T": "AT&T",
    "C%C3%A9line": "Céline",
    "Ce\u0301line": "Céline",
    "éa": "Éa",
    "Caf&eacute;": "Café",
    "&#65;b": "Ab",
    "&#x41;b": "Ab",
    "\u200eIndia\u202c": "India",
    "Q?": "Q?",
    '"Hello, World!" program': '"Hello, World!" program',
    "3:16": "3:16",
    "H20:ABC": "H20:ABC",
    "Some text: more text: even more text": "Some text: more text: even more text",
    "File:a.jpg": "File:A.jpg",
    "image: a.jpg": "File:A.jpg",
    "category_talk:x": "Category talk:X",
    "PROJECT:x": "Wikipedia:X",
    ":Category:x": "Category:X",
    ": :India": None,
    "::India": None,
    "File:": None,
    "": None,
    "   ": None,
    ":": None,
    "a<b": None,
    "a&lt;b": None,
    "a%3Cb": None,
    "a[b": None,
    "a{b}": None,
    "a|b": None,
    "a%7Cb": None,
    "a\tb": None,
    "a\nb": None,
    "%2541": None,
    "&amp;amp;": None,
    ".": None,
    "..": None,
    "./a": None,
    "a/../b": None,
    "a/.": None,
    "a.b": "A.b",
    "...": "...",
    "a~~~b": None,
    "a\ufffdb": None,
    "%FF": None,
    "&#xD800;": None,
    "Talk:File:x": None,
    "Talk:de:x": None,
    "a" * 255: "A" + "a" * 254,
    "a" * 256: None,
    "ж" * 128: None,
    "Special:" + "a" * 300: "Special:A" + "a" * 299,
}


@pytest.mark.parametrize("raw", SAME)
def test_as_mediawiki(raw):
    target = EN.titles.parse(raw)
    assert (target.title if target.kind == "page" else None) == SAME[raw]
    assert (target.kind == "invalid") == bool(target.reason) == (SAME[raw] is None)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a#b_c", Target("page", 0, "A", "b c")),
        ("a_#", Target("page", 0, "A", "")),
        ("C#", Target("page", 0, "C", "")),
        ("#top", Target("section", 0, "", "top")),
        (":en:X#y", Target("interwiki", 0, "X", "y", "en", True)),
        ("EN :x", Target("interwiki", 0, "x", None, "en")),
        ("wikt:fr:bonjour", Target("interwiki", 0, "fr:bonjour", None, "wikt")),
        ("w:fr:x", Target("interwiki", 0, "fr:x", None, "w")),
        ("w:x", Target("interwiki", 0, "x", None, "w")),  # from dewiki, w: leads to the English Wikipedia
        ("de:x", Target("page", 0, "X", colon=True)),
        ("w:de:Bild:x", Target("page", 6, "Datei:X", colon=True)),
        ("Benutzerin:x", Target("page", 2, "Benutzer:X")),
        ("BD:x", Target("page", 3, "Benutzer Diskussion:X")),
    ],
)
def test_targets_on_the_german_wikipedia(raw, expected):
    assert DE.titles.parse(raw) == expected


def test_own_prefixes_differ_by_wiki():
    assert EN.titles.parse("w:x").kind == "page"
    assert Site.for_language("no").titles.parse("nb:x").kind == "page"
    assert Site.for_language("simple").titles.parse("en:x").kind == "interwiki"
    assert Site.for_language("simple").titles.parse("simple:x").kind == "page"


def test_long_chains_end_soon():
    assert DE.titles.parse("de:" * 4000 + "x").title == "X"
    assert DE.titles.parse("de:" * 40_000 + "x").kind == "invalid"


def test_capitals():
    assert [first_upper(c) for c in "aéжßŉაᾳǆ1_"] == list("AÉЖßŉაᾼǄ1_")
    assert Site.for_language("tr").titles.parse("istanbul").title == "İstanbul"
    info = default_siteinfo("en")
    spaces = tuple(Namespace(n.id, n.name, "case-sensitive") for n in info.namespaces)
    from dataclasses import replace

    rules = Site.of(replace(info, case="case-sensitive", namespaces=spaces)).titles
    assert rules.parse("x").title == "x"
    assert rules.parse("user:x").title == "User:X"


def test_namespaces_come_from_the_dump():
    from dataclasses import replace

    info = replace(default_siteinfo("en"), namespaces=(Namespace(100, "Gate", "first-letter"),))
    rules = Site.of(info).titles
    assert rules.parse("gate:x") == Target("page", 100, "Gate:X")
    assert rules.parse("Module:x").namespace == 0
    assert rules.parse("Talk:x").namespace == 1
    assert rules.namespace_of("Gate:x") == 100


ODD = st.text(
    st.one_of(st.sampled_from(list(" _:#%&;.,/~<>[]{}|'\u200e\u00a0\u0301")), st.characters()), max_size=40
) | st.lists(
    st.sampled_from(
        [
            "de:",
            "en:",
            "w:",
            "File:",
            "Talk:",
            ":",
            "#",
            "%41",
            "&amp;",
            "&#65;",
            "../",
            "_",
            "~~~",
            "a",
            "ß",
            "é",
            "wikt:",
            "%C3",
            "Category:",
            "x�",
        ]
    ),
    max_size=8,
).map("".join)


@given(raw=ODD)
@settings(max_examples=1500, deadline=None)
def test_titles_are_idempotent_and_trimmed(raw):
    for site in (EN, DE):
        target = site.titles.parse(raw)
        if target.kind == "page":
            assert target.title.strip(" _") == target.title != ""
            assert "_" not in target.title
            assert "  " not in target.title
            assert len(target.title.encode()) <= 255 + 64 or target.namespace == -1
            again = site.titles.parse(target.title)
            assert (again.kind, again.title, again.namespace) == ("page", target.title, target.namespace)


PLAINEST = st.text(
    st.one_of(
        st.sampled_from("aAzZ09 ,.'!?()–-éßŉǆİıžЖйіאبがガー語:/_#%&\u00a0\u0301\u0306\u3099\u200e\uac00\u1100"),
        st.characters(min_codepoint=0xC0, max_codepoint=0x6FF),
    ),
    max_size=90,
)


@given(raw=PLAINEST)
@settings(max_examples=2000, deadline=None)
@pytest.mark.parametrize("site", [EN, Site.for_language("tr"), Site.of(replace(EN.siteinfo, case="case-sensitive"))])
def test_the_short_way_gives_what_the_rules_give(site, raw):
    plain = site.titles.plain_title(raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(site.titles), "plain_title", lambda self, raw: None)
        slow = site.titles.parse(raw)
    assert plain is None or slow == Target("page", 0, plain)


def test_the_short_way_is_the_usual_one():
    titles = ["India", "new York City", "жизнь (фильм)", "日本語", "O'Neill – a life", "9/11"]
    expected = ["India", "New York City", "Жизнь (фильм)", "日本語", "O'Neill – a life", None]
    assert [EN.titles.plain_title(title) for title in titles] == expected


def test_a_site_travels_to_workers():
    there = pickle.loads(pickle.dumps(DE))
    assert there.titles.parse("Bild:x") == DE.titles.parse("Bild:x")
    assert there.language is DE.language


@pytest.mark.oracle
def test_mediawiki_itself_agrees(tmp_path):
    home = Path(os.environ.get("WIKIPREP_ORACLE", Path.home() / ".cache" / "wikiprep-oracle"))
    script = home / "root/usr/share/mediawiki/maintenance/wikiprepTitles.php"
    if not script.parent.is_dir():
        pytest.skip(f"no oracle at {home}: run oracle/setup")
    script.write_text(
        """<?php require_once __DIR__ . '/Maintenance.php';
        class WikiprepTitles extends Maintenance { public function execute() {
          while ( ( $line = fgets( STDIN ) ) !== false ) {
            $link = json_decode( $line );
            if ( strpos( $link, '%' ) !== false ) {
              $link = str_replace( [ '<', '>' ], [ '&lt;', '&gt;' ], rawurldecode( $link ) ); }
            $title = Title::newFromText( $link );
            echo json_encode( [ $title && !$title->isExternal() ? $title->getPrefixedText() : null ] ), "\\n";
          } } }
        $maintClass = WikiprepTitles::class; require_once RUN_MAINTENANCE_IF_MAIN;"""
    )
    try:
        answer = subprocess.run(
            ["php", str(script)],
            input="".join(json.dumps(unicodedata.normalize("NFC", raw)) + "\n" for raw in SAME),
            env={**os.environ, "MW_CONFIG_FILE": str(home / "LocalSettings.php"), "ORACLE_LANG": "en"},
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        script.unlink()
    # Pages are saved in NFC, so MediaWiki has no need to normalise links; a dump of another origin may.
    told = [json.loads(line)[0] for line in answer.stdout.splitlines() if line.startswith("[")]
    answers = {unicodedata.normalize("NFC", raw): title for raw, title in zip(SAME, told, strict=True)}
    assert answers == {unicodedata.normalize("NFC", raw): title for raw, title in SAME.items()}


@pytest.mark.parametrize(
    ("code", "written", "namespace", "title"),
    [
        ("ar", "Wikipedia:سفارة", 4, "ويكيبيديا:سفارة"),
        ("he", "wikipedia:x", 4, "ויקיפדיה:X"),
        ("ru", "WP:Foo", 4, "Википедия:Foo"),
        ("tr", "Wikipedia talk:Foo", 5, "Vikipedi tartışma:Foo"),
        ("hi", "WP:Foo", 4, "Wikipedia:Foo"),
        ("he", "קט:א", 14, "קטגוריה:א"),
        ("ru", "У:Foo", 2, "Участник:Foo"),
    ],
)
def test_names_that_all_wikipedias_have_beside_their_own(code: str, written: str, namespace: int, title: str) -> None:
    target = Site.for_language(code).titles.parse(written)
    assert (target.kind, target.namespace, target.title) == ("page", namespace, title)


def test_sister_projects_have_their_own() -> None:
    wiktionary = Site.of(replace(default_siteinfo("ru"), dbname="ruwiktionary", sitename="Викисловарь"))
    assert wiktionary.titles.parse("Wiktionary:x").namespace == 4
    assert wiktionary.titles.parse("Wikipedia:x").kind == "interwiki"
    commons = Site.of(replace(default_siteinfo("en"), dbname="commonswiki", sitename="Commons"))
    assert commons.titles.parse("WP:x").namespace == 0


def _header(dbname: str = "", base: str = "", sitename: str = "", lang: str = "en") -> Site:
    """A wiki as a dump's header names it, with the namespaces that the header of such a dump has."""
    elements = "".join(
        f"<{name}>{value}</{name}>"
        for name, value in (("sitename", sitename), ("dbname", dbname), ("base", base))
        if value
    )
    spaces = f'<namespaces><namespace key="0"/><namespace key="4">{sitename or "Project"}</namespace></namespaces>'
    return Site.of(parse_siteinfo(f'<mediawiki xml:lang="{lang}"><siteinfo>{elements}{spaces}</siteinfo>'.encode()))


FANDOM = ("starwars", "https://starwars.fandom.com/wiki/Main_Page", "Wookieepedia")
OF_NO_FAMILY = [
    FANDOM,
    ("", *FANDOM[1:]),  # schemas before 0.8 name no database
    ("", "", "Wookieepedia"),
    ("starwars", "", ""),
    ("starwarswiki", "https://wiki.example.org/wiki/Main_Page", "Star Wars Wiki"),
    ("my_wiki", "http://localhost/index.php/Main_Page", "Lab"),  # the name that MediaWiki's installer gives
    ("mywiki", "http://localhost/index.php/Main_Page", "My wiki"),  # the name of the Burmese Wikipedia, too
]


@pytest.mark.parametrize(("dbname", "base", "sitename"), OF_NO_FAMILY)
@pytest.mark.parametrize("prefix", ["wikipedia", "Wikipedia", "w", "wiktionary", "wikisource", "s", "wikt", "commons"])
def test_projects_are_other_wikis_for_a_wiki_of_none(dbname: str, base: str, sitename: str, prefix: str) -> None:
    target = _header(dbname, base, sitename).titles.parse(f"{prefix}:Yoda")
    assert (target.kind, target.prefix, target.title) == ("interwiki", prefix.lower(), "Yoda")


@pytest.mark.parametrize(("dbname", "base", "sitename"), OF_NO_FAMILY)
def test_chains_and_short_names_of_projects_do_not_lead_home_there(dbname: str, base: str, sitename: str) -> None:
    rules = _header(dbname, base, sitename).titles
    for chain in ("w:en:Yoda", "en:Yoda", "wikipedia:en:Yoda"):
        assert rules.parse(chain).kind == "interwiki"
    for name in ("WP", "WT", "WS", "TM"):
        assert rules.parse(f"{name}:Yoda") == Target("page", 0, f"{name}:Yoda")
    assert rules.parse("Project:Yoda").title == f"{sitename or 'Project'}:Yoda"


@pytest.mark.parametrize(
    ("dbname", "base", "sitename", "lang", "family", "prefix"),
    [
        ("", "https://simple.wikipedia.org/wiki/Main_Page", "Wikipedia", "en", "wikipedia", "simple"),
        ("", "http://de.wiktionary.org/wiki/X", "Wiktionary", "de", "wiktionary", "de"),
        ("enwiki", "http://localhost:8080/wiki/Main_Page", "Wikipedia", "en", "wikipedia", "en"),  # a mirror
        ("ruwiki", "http://mirror.example/wiki/X", "Википедия", "ru", "wikipedia", "ru"),
        ("zh_yuewiki", "", "", "yue", "wikipedia", "zh-yue"),
        ("frwikisource", "", "Wikisource", "fr", "wikisource", "fr"),
        ("", "", "", "en", "wikipedia", "en"),
        ("", "", "Wikipedia", "en", "wikipedia", "en"),
        ("commonswiki", "https://commons.wikimedia.org/wiki/Main_Page", "Wikimedia Commons", "en", "", "commons"),
        ("enwiki", "https://en.wikipedia.org.example.com/", "Not it", "en", "", "en"),
    ],
)
def test_the_project_of_a_wiki(dbname: str, base: str, sitename: str, lang: str, family: str, prefix: str) -> None:
    info = _header(dbname, base, sitename, lang).siteinfo
    assert (info.family, info.prefix) == (family, prefix)


def test_a_wiki_s_own_name_before_a_known_prefix_is_its_own() -> None:
    """A header that calls its project namespace Wikipedia means it, wherever the wiki stands."""
    assert _header("starwars", FANDOM[1], "Wikipedia").titles.parse("wikipedia:X") == Target("page", 4, "Wikipedia:X")
