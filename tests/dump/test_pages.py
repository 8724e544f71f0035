"""What a page's XML becomes: regular or odd, well-formed or not."""

import pytest
from dumps import dump, ids, page, read
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.dump.page_xml import parse_any, parse_regular
from wikiprep.dump.pages import BadPage, Page


def one(tmp_path, *pages: str, lang: str = "en", dbname: str = "enwiki", name: str = "a.xml"):
    path = tmp_path / name
    path.write_bytes(dump(list(pages), dbname, lang))
    return read(path)


def revision(text: str, timestamp: str = "2026-01-02T03:04:05Z", extra: str = "", number: int = 9) -> str:
    return f"<revision><id>{number}</id><timestamp>{timestamp}</timestamp>{extra}{text}</revision>"


def test_fields(tmp_path):
    redirect = '    <redirect title="B &amp; C" />\n'
    (found,) = one(tmp_path, page(5, 'A "<&', "#REDIRECT [[B & C#Part one|x]]", redirect))
    assert found == Page(
        page_id=5,
        namespace=0,
        title='A "<&',
        revision_id=1005,
        timestamp="2026-01-02T03:04:05Z",
        model="wikitext",
        redirect="B & C#Part one",
        text="#REDIRECT [[B & C#Part one|x]]",
        xml_bytes=found.xml_bytes,
    )
    assert found.xml_bytes == len(page(5, 'A "<&', "#REDIRECT [[B & C#Part one|x]]", redirect).strip())


@given(title=st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1), text=st.text())
@settings(max_examples=150, deadline=None)
def test_both_ways_of_parsing_agree(title, text):
    text = "".join(
        c for c in text if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")
    )
    title = "".join(c for c in title if c not in "\ufffe\uffff")
    xml = page(1, title, text).strip().encode()
    regular = parse_regular(xml)
    assert regular is not None
    assert regular == parse_any(xml)
    assert regular.title == title
    assert regular.revision is not None
    assert regular.revision.text == text


@pytest.mark.parametrize(
    "text", ["a < b", "a & b", "a &nbsp; b", "<b>x</b>", "&#xD800;", "&#0;", "&lol9;", "</text>", "<![CDATA[x"]
)
def test_ill_formed_text_is_a_reject_and_the_rest_is_read(tmp_path, text):
    broken = f"<page><title>Broken</title><ns>0</ns><id>7</id>{revision(f'<text>{text}</text>')}</page>"
    found = one(tmp_path, page(1, "A", "x"), broken, page(2, "B", "y"))
    assert ids(found) == [1, 7, 2]
    assert isinstance(found[1], BadPage)
    assert (found[1].title, found[1].reason) == ("Broken", "malformed XML")


def test_entities_are_not_expanded_and_no_file_is_read(tmp_path):
    path = tmp_path / "a.xml"
    doctype = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    path.write_bytes(doctype.encode() + dump([page(1, "A", "x").replace(">x<", ">&a;&b;<"), page(2, "B", "y")]))
    assert [type(f) for f in read(path)] == [BadPage, Page]


def test_a_page_without_an_end(tmp_path):
    open_page = page(7, "Open", "x").replace("</page>", "")
    found = one(tmp_path, page(1, "A", "x"), *[open_page] * 3, page(2, "B", "y"))
    assert ids(found) == [1, 7, 7, 7, 2]
    assert [f.reason for f in found if isinstance(f, BadPage)] == ["page without an end"] * 3
    assert ids(read(tmp_path / "a.xml", 1024)) == [1, 7, 7, 7, 2]


def test_empty_suppressed_missing(tmp_path):
    def made(number: int, text: str) -> str:
        return f"<page><title>T{number}</title><ns>0</ns><id>{number}</id>{revision(text)}</page>"

    found = one(
        tmp_path,
        made(1, '<text bytes="0" sha1="x" xml:space="preserve" />'),
        made(2, '<text xml:space="preserve"></text>'),
        made(3, '<text bytes="26" deleted="deleted" />'),
        made(4, ""),
        made(5, '<text id="77" bytes="500" />'),
        made(6, '<text bytes="0"/>'),
        "<page><title>T7</title><ns>0</ns><id>7</id></page>",
        "<page><ns>0</ns><id>8</id></page>",
        f"<page><title>T9</title><ns>0</ns>{revision('<text>x</text>')}</page>",
    )
    outcomes = [f.text if isinstance(f, Page) else f.reason for f in found]
    assert outcomes == ["", "", "text suppressed", "no text", "no text", "", "no revision", "no title", "no page id"]


def test_the_newest_revision_counts(tmp_path):
    revisions = [
        revision("<text>old</text>", "2020-01-01T00:00:00Z", number=1),
        revision("<text>new</text>", "2022-01-01T00:00:00Z", number=3),
        revision("<text>between</text>", "2021-01-01T00:00:00Z", number=2),
    ]
    (found,) = one(tmp_path, f"<page><title>T</title><ns>0</ns><id>1</id>{''.join(revisions)}</page>")
    assert isinstance(found, Page)
    assert (found.text, found.revision_id) == ("new", 3)


def test_control_characters_become_replacement_characters(tmp_path):
    found = one(tmp_path, page(1, "A", "a\x00b\x08c\td\r\ne"), page(2, "B", "y"))
    assert [f.text for f in found if isinstance(f, Page)] == ["a\ufffdb\ufffdc\td\ne", "y"]


def test_bytes_that_are_not_utf8_make_a_reject(tmp_path):
    path = tmp_path / "a.xml"
    data = dump([page(1, "A", "SURROGATE"), page(2, "B", "y")])
    path.write_bytes(data.replace(b"SURROGATE", b"\xed\xa0\x80"))
    first, second = read(path)
    assert isinstance(first, BadPage)
    assert (first.page_id, first.reason) == (1, "malformed XML")
    assert isinstance(second, Page)


def test_old_schemas(tmp_path):
    old = f"<page><title>Talk:X</title><id>1</id>{revision('<text>hi</text>')}</page>"
    redirect = f"<page><title>R</title><id>2</id><redirect />{revision('<text>#redirect: [[ x y ]]</text>')}</page>"
    styles = revision("<text>x</text>", extra="<model>sanitized-css</model>")
    css = f"<page><title>Template:X</title><id>3</id>{styles}</page>"
    found = one(tmp_path, old, redirect, css)
    assert [(f.namespace, f.redirect, f.model) for f in found if isinstance(f, Page)] == [
        (1, None, "wikitext"),
        (0, "x y", "wikitext"),
        (10, None, "sanitized-css"),
    ]


@pytest.mark.parametrize(
    ("lang", "dbname", "word"),
    [("de", "dewiki", "#WEITERLEITUNG"), ("ru", "ruwiki", "#перенаправление"), ("ar", "arwiki", "#تحويل")],
)
def test_redirect_words_of_the_language(tmp_path, lang, dbname, word):
    found = one(tmp_path, page(1, "A", f"\n {word} [[Ziel]]"), lang=lang, dbname=dbname)
    assert [f.redirect for f in found if isinstance(f, Page)] == ["Ziel"]
    english = one(tmp_path, page(1, "A", f"{word} [[Ziel]]"), name="b.xml")
    assert [f.redirect for f in english if isinstance(f, Page)] == [None]


def test_quirks(shared_data):
    folder = shared_data / "dumps" / "quirks"
    counts = {
        path.name: (sum(isinstance(f, Page) for f in found), [f.reason for f in found if isinstance(f, BadPage)])
        for path in sorted(folder.iterdir())
        for found in [read(path)]
    }
    assert counts == {
        "bgwiki-utf16-bom.xml.bz2": (3, []),
        "no-text.xml": (1, []),
        "schema-0.5-no-ns.xml": (1, []),
        "utf8-bom.xml": (1, ["no page id", "text suppressed"]),
        "zhwiki-broken-1.xml": (2, ["no title"]),
        "zhwiki-broken-3.xml": (2, ["no text"]),
    }


def test_real_dumps_read_as_expat_reads_them(shared_data):
    import bz2

    data = bz2.decompress((shared_data / "dumps" / "enwiki-196pages-allns.xml.bz2").read_bytes())
    for piece in data.split(b"<page>")[1:]:
        xml = b"<page>" + piece[: piece.index(b"</page>") + 7]
        regular = parse_regular(xml)
        assert regular is not None
        assert regular == parse_any(xml)
