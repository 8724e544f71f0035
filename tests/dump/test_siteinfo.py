"""Headers of every age, and files without one."""

import bz2

import pytest
from dumps import HEAD, page

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import default_siteinfo, parse_siteinfo, read_siteinfo


def test_a_header_is_read(tmp_path):
    path = tmp_path / "x.xml.bz2"
    path.write_bytes(bz2.compress(HEAD.format(dbname="enwiki", lang="en").encode()))
    info = read_siteinfo(str(path))
    assert (info.dbname, info.language, info.sitename, info.schema) == ("enwiki", "en", "Wikipedia", "0.11")
    assert [(n.id, n.name) for n in info.namespaces] == [(-1, "Special"), (0, ""), (1, "Talk"), (10, "Template")]


@pytest.mark.parametrize(
    ("dbname", "xml_lang", "language", "prefix"),
    [
        ("enwiki", "en", "en", "en"),
        ("simplewiki", "en", "en", "simple"),
        ("nowiki", "nb", "nb", "no"),
        ("zh_yuewiki", "yue", "yue", "zh-yue"),
        ("be_x_oldwiki", "be-tarask", "be-tarask", "be-x-old"),
        ("dewiktionary", "de", "de", "de"),
        ("commonswiki", "en", "en", "commons"),
        ("", "ltg", "ltg", "ltg"),
        ("mywiki_of_ours", "fr", "fr", "fr"),
    ],
)
def test_languages(dbname, xml_lang, language, prefix):
    info = parse_siteinfo(HEAD.format(dbname=dbname, lang=xml_lang).encode())
    assert (info.language, info.prefix) == (language, prefix)


def test_without_a_header_the_name_of_the_file_tells():
    info = parse_siteinfo(page(1, "A", "x").encode(), "/data/dewiki-20260901-pages-articles.xml")
    assert (info.dbname, info.language) == ("dewiki", "de")
    assert {n.id: n.name for n in info.namespaces}[10] == "Vorlage"
    assert parse_siteinfo(b"<page>").language == "en"


def test_a_page_cannot_pose_as_a_header():
    info = parse_siteinfo(b"<page><title>x</title><siteinfo><dbname>dewiki</dbname></siteinfo></page>")
    assert info.dbname == ""


def test_defaults_name_the_project():
    names = {n.id: n.name for n in default_siteinfo("fr").namespaces}
    assert (names[4], names[5], names[6]) == ("Wikipédia", "Discussion Wikipédia", "Fichier")


def test_real_headers(shared_data):
    found = {
        path.name.split("-")[0]: read_siteinfo(str(path)).language for path in (shared_data / "dumps").glob("*.xml.bz2")
    }
    assert found == {
        "aawiki": "aa",
        "enwiki": "en",
        "enwiktionary": "en",
        "jawiki": "ja",
        "ltgwiki": "ltg",
        "simplewiki": "en",
    }


def test_a_language_given_by_hand():
    guessed = parse_siteinfo(b"<page>")
    assert Site.of(guessed, "pt").titles.parse("file:x").title == "Ficheiro:X"
    headed = parse_siteinfo(HEAD.format(dbname="enwiki", lang="en").encode())
    site = Site.of(headed, "pt")
    assert site.language.code == site.siteinfo.language == "pt"
    assert site.titles.parse("Predefini\u00e7\u00e3o:x").title == "Template:X"
